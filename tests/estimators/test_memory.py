import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import hybandit
from hybandit.errors import InvalidInput, ModelFileError
from hybandit.estimators import Memory
from hybandit.estimators.limits import Limit
from hybandit.estimators.memory import index_from

ARMS = 4
ROOMS = np.array([1, 20, 0, 5])


def filled(contexts, arms, rewards=None):
    memory = Memory(contexts.shape[1])
    for number, (x, arm) in enumerate(zip(contexts, arms, strict=True)):
        memory.append(x, arm, number if rewards is None else rewards[number])
    return memory


def assert_exact(memory, contexts, arms, queries):
    """Every arm's nearest are those of a stable sort of all its distances."""
    near = memory.nearest_of_each_arm(queries, ROOMS)
    for arm, room in enumerate(ROOMS):
        own = np.flatnonzero(arms == arm)
        squares = ((contexts[own] - queries[arm if len(queries) > 1 else 0]) ** 2).sum(axis=1)
        order = np.argsort(squares, kind="stable")[:room]
        count = near.found[arm]
        assert near.indices[arm, :count].tolist() == own[order].tolist()
        np.testing.assert_allclose(
            near.distances[arm, :count], squares[order], rtol=1e-9, atol=1e-20
        )


def realistic(generator, count):
    """Rank 30 and noise, unit length, some rows repeated: what images look like."""
    rows = generator.normal(size=(count, 30)) @ generator.normal(size=(30, 300))
    rows += 0.5 * generator.normal(size=rows.shape)
    rows /= np.linalg.norm(rows, axis=1, keepdims=True)
    rows[count // 2 :: 7] = rows[: len(rows[count // 2 :: 7])]
    return rows


def test_entries_come_back_in_order_of_arrival_however_many():
    contexts = np.random.default_rng(0).normal(size=(100, 3))
    memory = filled(contexts, np.arange(100) % ARMS)
    assert memory.size == 100
    state = memory.state()
    assert np.array_equal(state["contexts"], contexts)
    assert state["owners"].tolist() == [number % ARMS for number in range(100)]
    assert state["rewards"].tolist() == list(range(100))


def test_room_doubles_when_it_runs_out():
    memory = filled(np.zeros((16, 1)), [0] * 16)
    assert len(memory.rewards) == 16
    memory.append(np.zeros(1), 0, 1.0)
    assert len(memory.rewards) == len(memory.owners) == len(memory.contexts) == 32


@pytest.mark.parametrize("limit", [None, Limit("window", 8)])
@pytest.mark.parametrize("room", [1, 7, 40, 10_000])
@pytest.mark.parametrize("by_tree", [False, True])
def test_the_nearest_of_all_arms_come_the_older_first_among_equals(limit, room, by_tree):
    generator = np.random.default_rng(0)
    contexts = generator.integers(0, 3, size=(60, 2)).astype(float)
    memory = Memory(2, limit=limit)
    for number, x in enumerate(contexts):
        memory.append(x, number % ARMS, number)
    if by_tree:
        memory._make_tree()
    queries = np.array([[1.0, 1.5], [0.0, 0.0]])
    near = memory.nearest_of_all(queries, room)
    kept = 60 if limit is None else 8 * ARMS
    for row, query in enumerate(queries):
        expected = ((contexts[60 - kept :] - query) ** 2).sum(axis=1)
        order = np.argsort(expected, kind="stable")[:room]
        count = near.found[row]
        assert memory.rewards[near.indices[row, :count]].tolist() == (order + 60 - kept).tolist()
        assert near.distances[row, :count].tolist() == expected[order].tolist()


@pytest.mark.parametrize(("room", "by_tree"), [(2, True), (60, False)])
def test_only_short_lists_are_left_to_the_tree(room, by_tree, monkeypatch):
    memory = filled(np.random.default_rng(0).normal(size=(60, 2)), np.arange(60) % ARMS)
    memory._make_tree()
    asked = []
    search = memory._tree.search
    monkeypatch.setattr(
        memory._tree, "search", lambda *rest, **how: asked.append(1) or search(*rest, **how)
    )
    memory.nearest_of_all(np.zeros((1, 2)), room)
    assert bool(asked) == by_tree


@pytest.mark.parametrize("room", [2, 5])
def test_what_is_beyond_single_precision_is_measured_in_full(room):
    memory = filled(np.array([[1e60], [3.0], [1.0]]), [0, 1, 0])
    near = memory.nearest_of_all(np.zeros((1, 1)), room)
    assert near.indices[0, : near.found[0]].tolist() == [2, 1, 0][:room]


def test_an_empty_memory_has_no_neighbours():
    near = Memory(2).nearest_of_each_arm(np.zeros((1, 2)), ROOMS)
    assert near.found.tolist() == [0] * ARMS


def test_a_tree_is_used_from_some_entries_on_and_earlier_for_long_contexts():
    assert [index_from(size) for size in (1, 64, 65, 300, 1_024, 9_999)] == [
        4096, 4096, 4032, 873, 256, 256]  # fmt: skip


def test_the_tree_finds_the_same_across_refits():
    generator = np.random.default_rng(1)
    contexts, probes = np.split(realistic(generator, 3_630), [3_600])
    arms = generator.integers(0, ARMS, 3_600)
    memory, trees = Memory(300), []
    for number, (x, arm) in enumerate(zip(contexts, arms, strict=True), start=1):
        memory.append(x, arm, 0.0)
        if number % 297 == 0 or number in (872, 873, 874, 3_491, 3_492, 3_493, 3_600):
            known = contexts[:number], arms[:number]
            assert_exact(memory, *known, probes[number % 30 : number % 30 + 1])
            assert_exact(memory, *known, probes[:ARMS])
            assert_exact(memory, *known, contexts[number - 1 : number])
            trees.append(memory._tree)
    assert len(set(trees)) == 3
    assert None in trees


def test_the_tree_leaves_far_points_unmeasured():
    memory = filled(realistic(np.random.default_rng(1), 1_000), np.zeros(1_000, int))
    memory.nearest_of_each_arm(memory.contexts[:1] + 0.01, np.array([3]))
    assert memory._tree.measured < 60


@pytest.mark.parametrize("when", ["before the tree", "with the tree", "at a refit"])
def test_huge_contexts_change_nothing_else(when):
    generator = np.random.default_rng(2)
    contexts = realistic(generator, 3_600)
    arms = generator.integers(0, ARMS, 3_600)
    huge = {"before the tree": 10, "with the tree": 1_400, "at a refit": 3_491}[when]
    contexts[huge] *= 1e20
    memory = Memory(300)
    for number, (x, arm) in enumerate(zip(contexts, arms, strict=True), start=1):
        memory.append(x, arm, 0.0)
        if number == 873:
            memory.prepare()
    assert memory.indexed
    assert_exact(memory, contexts, arms, contexts[:1] + 0.01)
    assert_exact(memory, contexts, arms, contexts[huge : huge + 1])


def test_data_that_become_much_larger_get_a_new_tree_later():
    generator = np.random.default_rng(3)
    contexts = generator.normal(size=(4_000, 300))
    contexts[1_000:] *= 1e6
    arms = generator.integers(0, ARMS, 4_000)
    memory, indexed = Memory(300), []
    for number, (x, arm) in enumerate(zip(contexts, arms, strict=True), start=1):
        memory.append(x, arm, 0.0)
        if number % 200 == 0:
            assert_exact(memory, contexts[:number], arms[:number], contexts[:1] + 0.01)
            indexed.append(memory.indexed)
    changes = [now for now, before in zip(indexed[1:], indexed, strict=False) if now != before]
    assert changes[:3] == [True, False, True]


def test_short_histories_and_those_never_asked_have_no_tree():
    memory = filled(np.zeros((4_095, 8)), [0] * 4_095)
    memory.nearest_of_each_arm(np.zeros((1, 8)), ROOMS)
    assert not memory.indexed
    memory.append(np.zeros(8), 0, 0.0)
    assert not memory.indexed
    memory.nearest_of_each_arm(np.zeros((1, 8)), ROOMS)
    assert memory.indexed


@pytest.mark.parametrize("count", [0, 5, 1_000])
def test_a_restored_memory_answers_and_grows_as_the_first(count):
    generator = np.random.default_rng(4)
    contexts = realistic(generator, 1_020)
    arms = generator.integers(0, ARMS, 1_020)
    first = filled(contexts[:count], arms[:count])
    second = Memory(300)
    second.restore({name: array.copy() for name, array in first.state().items()})
    second.prepare()
    assert second.indexed == (count == 1_000)
    for x, arm in zip(contexts[count:], arms[count:], strict=True):
        second.append(x, arm, 0.0)
    assert_exact(second, contexts, arms, contexts[:1] + 0.01)


@pytest.mark.parametrize(
    ("name", "array"),
    [("contexts", np.zeros((2, 4))), ("owners", np.zeros(3, np.int64)),
     ("owners", np.zeros(2)), ("rewards", np.array([1.0, np.nan])), ("rewards", np.zeros((2, 1)))],
)  # fmt: skip
def test_arrays_that_do_not_fit_are_refused(name, array):
    state = filled(np.zeros((2, 3)), [0, 1]).state()
    with pytest.raises(ModelFileError, match=name):
        Memory(3).restore({**state, name: array})


@pytest.mark.parametrize("verb", ["choose", "learn"])
def test_contexts_beyond_single_precision_are_measured_in_full(verb):
    policy = hybandit.LNUCBTA(2, 300, seed=0)
    generator = np.random.default_rng(0)
    for number in range(900):
        policy.learn(generator.normal(size=300), number % 2, 1.0)
    policy.choose(generator.normal(size=300))
    huge = 1e40 * generator.normal(size=300)
    policy.choose(huge) if verb == "choose" else policy.learn(huge, 0, 1.0)


def grid(generator, count):
    """Points on a small grid, so that equal distances are everywhere."""
    return generator.integers(-1, 2, (count, 2)).astype(float)


def survivors(kind, entries, arms, generator):
    """Which observations of each arm a limited memory keeps, by the book."""
    kept, seen = [[] for _ in range(ARMS)], [0] * ARMS
    for number, arm in enumerate(arms):
        own = kept[arm]
        seen[arm] += 1
        if len(own) == entries:
            victim = 0 if kind == "window" else int(generator.integers(seen[arm]))
            if victim >= entries:
                continue
            del own[victim]
        own.append(number)
    return sorted(number for own in kept for number in own)


@settings(max_examples=60, deadline=None)
@given(
    st.sampled_from(["window", "reservoir"]),
    st.integers(1, 9),
    st.integers(0, 120),
    st.integers(0, 2**32 - 1),
    st.booleans(),
)
def test_a_limited_memory_answers_as_a_new_one_of_its_survivors(kind, entries, count, seed, saved):
    generator = np.random.default_rng(seed)
    contexts, arms = grid(generator, count), generator.integers(0, ARMS, count)
    memory = Memory(2, limit=Limit(kind, entries), generator=np.random.default_rng(5))
    for number, (x, arm) in enumerate(zip(contexts, arms, strict=True)):
        memory.append(x, arm, float(number))
        if saved and number == count // 2:
            restored = Memory(2, limit=memory.limit, generator=memory._generator)
            restored.restore({name: array.copy() for name, array in memory.state().items()})
            memory = restored
    assert memory.size <= ARMS * entries
    assert memory.arrived == count
    kept = survivors(kind, entries, arms, np.random.default_rng(5))
    assert memory.state()["rewards"].tolist() == kept
    assert memory.rewards[memory.entries()].tolist() == kept
    plain = filled(contexts[kept], arms[kept], np.array(kept, float))
    queries = grid(generator, ARMS)
    near, expected = (each.nearest_of_each_arm(queries, ROOMS) for each in (memory, plain))
    assert near.found.tolist() == expected.found.tolist()
    for arm, found in enumerate(near.found):
        ours, theirs = (
            each.rewards[answer.indices[arm, :found]].tolist()
            for each, answer in ((memory, near), (plain, expected))
        )
        assert ours == theirs


def test_a_window_keeps_the_last_of_each_arm():
    memory = Memory(1, limit=Limit("window", 2))
    for number, arm in enumerate([0, 1, 0, 0, 0]):
        memory.append(np.array([float(number)]), arm, float(number))
    assert memory.state()["rewards"].tolist() == [1.0, 3.0, 4.0]


def test_a_reservoir_is_uniform_over_the_past():
    """Of 20 observations 5 stay; each must do so in a quarter of 4,000 runs."""
    generator, runs, past = np.random.default_rng(0), 4_000, 20
    stayed = np.zeros(past)
    for _ in range(runs):
        memory = Memory(1, limit=Limit("reservoir", 5), generator=generator)
        for number in range(past):
            memory.append(np.zeros(1), 0, float(number))
        stayed[memory.state()["rewards"].astype(int)] += 1
    assert stayed.sum() == 5 * runs
    # Five standard deviations of a binomial count.
    assert np.abs(stayed - runs / 4).max() < 5 * np.sqrt(runs * 0.25 * 0.75)


@pytest.mark.parametrize("kind", ["window", "reservoir"])
def test_the_tree_of_a_limited_memory_follows_what_comes_and_goes(kind):
    generator = np.random.default_rng(6)
    contexts = realistic(generator, 3_000)
    arms = generator.integers(0, ARMS, 3_000)
    memory = Memory(300, limit=Limit(kind, 250))
    for number, (x, arm) in enumerate(zip(contexts, arms, strict=True)):
        memory.append(x, arm, 0.0)
        if number == 1_200:
            memory.prepare()
    assert memory._tree is not None
    assert memory._tree.size == 1_000
    kept = memory.entries()
    near = memory.nearest_of_each_arm(contexts[:1], ROOMS)
    plain = filled(memory.contexts[kept], memory.owners[kept])
    expected = plain.nearest_of_each_arm(contexts[:1], ROOMS)
    for arm, found in enumerate(expected.found):
        slots = kept[expected.indices[arm, :found]]
        assert near.indices[arm, :found].tolist() == slots.tolist()


def test_a_discarded_entry_is_found_no_more_and_its_slot_is_taken_again():
    memory = filled(np.array([[0.0], [1.0], [2.0]]), [0, 0, 1])
    memory.discard(1)
    near = memory.nearest_of_each_arm(np.array([[1.0]]), np.array([2, 2]))
    assert near.found.tolist() == [1, 1]
    assert memory.state()["rewards"].tolist() == [0.0, 2.0]
    memory.append(np.array([1.0]), 1, 7.0)
    assert memory.size == 3
    assert memory.state()["rewards"].tolist() == [0.0, 2.0, 7.0]
    assert memory.state()["arrivals"].tolist() == [0, 2, 3]


@pytest.mark.parametrize(
    ("name", "array"),
    [("arrivals", [1, 0, 2]), ("arrivals", [0, 1, 9]), ("arrivals", [-1, 1, 2]),
     ("owners", [0, 0, 0]), ("owners", [0, 7, 1]), ("seen", [1, 1])],
)  # fmt: skip
def test_a_limited_memory_that_cannot_be_is_refused(name, array):
    memory = Memory(1, limit=Limit("window", 2))
    for number, arm in enumerate([0, 0, 1]):
        memory.append(np.zeros(1), arm, float(number))
    with pytest.raises(ModelFileError):
        Memory(1, limit=memory.limit).restore({**memory.state(), name: np.array(array)})


@pytest.mark.parametrize("limit", [None, Limit("window", 2)])
def test_entries_leave_once_their_arm_has_aged_to_the_horizon(limit):
    memory = Memory(1, limit=limit, horizon=3)
    for number, arm in enumerate([0, 0, 1]):
        memory.append(np.zeros(1), arm, float(number))
        memory.age(0)
    assert memory.state()["rewards"].tolist() == [1.0, 2.0]
    memory.age(1)
    memory.age(1)
    again = Memory(1, limit=limit, horizon=3)
    again.restore({name: array.copy() for name, array in memory.state().items()})
    for each in (memory, again):
        each.age(1)
        assert each.state()["rewards"].tolist() == [1.0]
        each.age(0)
        assert each.state()["rewards"].tolist() == []
        each.append(np.zeros(1), 1, 9.0)
        assert each.state()["rewards"].tolist() == [9.0]


def test_a_reservoir_cannot_age():
    with pytest.raises(InvalidInput, match="memory"):
        Memory(1, limit=Limit("reservoir", 2), horizon=3)
