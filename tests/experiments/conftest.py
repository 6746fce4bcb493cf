"""Small tasks on the embedded digits."""

from __future__ import annotations

import pytest

from hybandit.experiments import PolicySpec, Store, Task, World


@pytest.fixture
def store(tmp_path):
    return Store(tmp_path / "results.sqlite")


@pytest.fixture
def tasks():
    world = World("classification", {"data": "digits", "encoding": "standard", "rounds": 60})
    policies = (PolicySpec("lin-ucb"), PolicySpec("lin-ts"))
    return [Task(world, policy, seed) for policy in policies for seed in range(2)]
