import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hybandit.errors import ModelFileError
from hybandit.estimators.item_neighbours import ItemNeighbours
from hybandit.estimators.item_table import ItemTable

few = settings(max_examples=50, deadline=None)
steps = st.lists(
    st.tuples(st.sampled_from("abcd"), st.integers(-3, 3), st.sampled_from([0.0, 1.0])), max_size=60
)


def made(most, max_items=3):
    table = ItemTable(0, max_items)
    return table, ItemNeighbours(table, 1, k_min=1, k_max=9, most=most)


def taught(lessons, most):
    table, neighbours = made(most)
    for name, context, reward in lessons:
        table.learn(name, np.empty(0), reward)
        neighbours.learn(table.row(name), np.array([float(context)]), reward)
    return table, neighbours


def remembered(lessons, name):
    """What came of an item since it was last among the three most recent."""
    past, recent = [], []
    for each, context, reward in lessons:
        if each not in recent and len(recent) == 3 and recent.pop(0) == name:
            past = []
        recent = [*(other for other in recent if other != each), each]
        if each == name:
            past.append((context, reward))
    return past if name in recent else []


@few
@given(steps, st.integers(1, 8), st.integers(-3, 3))
def test_the_mean_of_the_nearest_of_the_items_own(lessons, most, context):
    table, neighbours = taught(lessons, most)
    found = neighbours.values(np.array([float(context)]), table.rows(list("abcd")))
    for name, value in zip("abcd", found, strict=True):
        past = remembered(lessons, name)[-most:]
        k = max(1, int(1 + 8 * np.var([reward for _, reward in past]) + 1e-9)) if past else 1
        near = sorted(past, key=lambda entry: (entry[0] - context) ** 2)[:k]
        expected = np.mean([reward for _, reward in near]) if len(past) >= k else 0.0
        assert value == pytest.approx(expected)


@few
@given(steps, st.integers(1, 8))
def test_saved_and_restored_it_is_the_same(lessons, most):
    table, neighbours = taught(lessons, most)
    other, again = made(most)
    other.restore(table.state())
    again.restore(neighbours.state())
    for context in (-2.0, 0.4, 3.0):
        before = neighbours.values(np.array([context]), table.rows(list("abcd")))
        after = again.values(np.array([context]), other.rows(list("abcd")))
        assert np.array_equal(before, after)


def test_a_forgotten_item_says_nothing_and_may_come_again():
    table, neighbours = taught([("a", 0, 1.0)], 5)
    row = table.row("a")
    neighbours.forget(row)
    neighbours.forget(99)
    assert neighbours.values(np.zeros(1), np.array([row])) == 0.0


def test_damaged_arrays_are_refused():
    _, neighbours = taught([("a", 0, 1.0), ("b", 1, 0.0)], 5)
    good = neighbours.state()
    for wrong in (
        {"sizes": np.array([1])}, {"sizes": np.array([0, 2])}, {"sizes": np.array([6, 1])},
        {"contexts": good["contexts"][:1]}, {"rewards": np.array([1.0, np.nan])},
    ):  # fmt: skip
        with pytest.raises(ModelFileError):
            neighbours.restore({**good, **wrong})
