"""Small tasks on the embedded digits."""

from __future__ import annotations

import pytest

from hybandit.experiments import EnvironmentSpec, PolicySpec, Store, Task


@pytest.fixture
def store(tmp_path):
    return Store(tmp_path / "results.sqlite")


@pytest.fixture
def tasks():
    environment = EnvironmentSpec("classification", {"data": "digits", "rounds": 60})
    policies = (PolicySpec("lin-ucb"), PolicySpec("lin-ts"))
    return [Task(environment, policy, seed) for policy in policies for seed in range(2)]
