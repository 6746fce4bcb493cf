import sys

import numpy as np
import pytest

from hybandit import LNUCBTA, StackedHybrid, window
from hybandit.errors import HybanditError
from hybandit.estimators import Memory
from hybandit.estimators.approximate import ApproximateIndex

ROOMS = np.array([5, 5])


def filled(count, **settings):
    generator = np.random.default_rng(0)
    memory = Memory(8, **settings)
    for x in generator.normal(size=(count, 8)):
        arm = generator.integers(0, 2)
        memory.append(x, int(arm), 1.0)
    return memory


def share_found(memory, exact, queries=50):
    generator = np.random.default_rng(1)
    hits = []
    for query in generator.normal(size=(queries, 1, 8)):
        near, truth = (each.nearest_of_each_arm(query, ROOMS) for each in (memory, exact))
        assert (near.found == truth.found).all()
        hits += [
            len(np.intersect1d(*pair)) for pair in zip(near.indices, truth.indices, strict=True)
        ]
    return np.mean(hits) / 5


def test_nearly_all_of_the_nearest_are_found():
    memory = filled(6000, approximate=True)
    assert share_found(memory, filled(6000)) > 0.9
    assert isinstance(memory._tree, ApproximateIndex)


def test_below_some_thousands_it_is_exact():
    assert share_found(filled(500, approximate=True), filled(500)) == 1.0


def test_what_is_discarded_is_not_found():
    memory = filled(5000, approximate=True)
    query = np.zeros((1, 8))
    first = memory.nearest_of_each_arm(query, ROOMS)
    gone = int(first.indices[0, 0])
    memory.discard(gone)
    assert gone not in memory.nearest_of_each_arm(query, ROOMS).indices[0]


def test_a_policy_with_a_window_goes_on_as_entries_come_and_go():
    policy = LNUCBTA(2, 3, memory=window(3000), neighbours="approximate", seed=0)
    generator = np.random.default_rng(2)
    for x in generator.normal(size=(8000, 3)):
        arm = int(x[0] > 0)
        policy.learn(x, arm, float(x[1] > 0))
    assert policy._estimate.local.memory.indexed
    assert policy.choose([1.0, 1.0, 0.0]) in (0, 1)


def test_without_usearch_the_error_names_the_extra(monkeypatch):
    monkeypatch.setitem(sys.modules, "usearch.index", None)
    with pytest.raises(HybanditError, match=r"hybandit\[ann\]"):
        StackedHybrid(2, 3, neighbours="approximate")
