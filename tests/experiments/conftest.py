"""Small tasks on the embedded digits."""

from __future__ import annotations

import pytest
from messy import log_frame, written

from hybandit.experiments import EnvironmentSpec, PolicySpec, Store, Task
from hybandit.experiments.log_players import LOGGED, always
from hybandit.experiments.user_files import file_settings


@pytest.fixture
def store(tmp_path):
    return Store(tmp_path / "results.sqlite")


@pytest.fixture
def log_tasks(tmp_path):
    """On a log of two parts: what a fixed policy and a constant choice would have earned."""
    path = written(tmp_path, log_frame(6000))
    options = {"arm": "action", "reward": "clicked"}
    environment = EnvironmentSpec("log", {**file_settings(str(path), options), "learn": "nothing"})
    policies = (PolicySpec("lin-ucb"), always("tea"), PolicySpec(LOGGED))
    return [Task(environment, policy, 0) for policy in policies]


@pytest.fixture
def tasks():
    environment = EnvironmentSpec("classification", {"data": "digits", "rounds": 60})
    policies = (PolicySpec("lin-ucb"), PolicySpec("lin-ts"))
    return [Task(environment, policy, seed) for policy in policies for seed in range(2)]
