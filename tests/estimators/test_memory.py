import numpy as np
import pytest

import hybandit
from hybandit.errors import ModelFileError
from hybandit.estimators import Memory
from hybandit.estimators.memory import SCREEN_FROM_SIZE

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


def test_distances_are_squared_and_in_order_of_arrival():
    memory = filled(np.array([[3.0, 4.0], [0.0, 1.0]]), [0, 1])
    assert memory.distances(np.zeros((1, 2))).tolist() == [25.0, 1.0]


def test_an_empty_memory_has_no_neighbours():
    near = Memory(2).nearest_of_each_arm(np.zeros((1, 2)), ROOMS)
    assert near.found.tolist() == [0] * ARMS


def test_long_contexts_are_screened_without_any_loss_across_refits():
    generator = np.random.default_rng(1)
    contexts, probes = np.split(realistic(generator, 1_530), [1_500])
    arms = generator.integers(0, ARMS, 1_500)
    memory, screens = Memory(300), []
    for number, (x, arm) in enumerate(zip(contexts, arms, strict=True), start=1):
        memory.append(x, arm, 0.0)
        if number % 97 == 0 or number in (255, 256, 257, 1_023, 1_024, 1_025, 1_500):
            screens.append(memory._screen)
            known = contexts[:number], arms[:number]
            assert_exact(memory, *known, probes[number % 30 : number % 30 + 1])
            assert_exact(memory, *known, probes[:ARMS])
            assert_exact(memory, *known, contexts[number - 1 : number])
    assert len(set(screens)) == 3


def test_the_screen_leaves_far_points_unmeasured():
    """Points whose shadows are far are put onto the probe, which nobody then notices."""
    memory = filled(realistic(np.random.default_rng(1), 600), np.zeros(600, int))
    probe = memory.contexts[:1] + 0.01
    far = np.argsort(memory.distances(probe))[300:]
    memory.contexts[far] = probe
    near = memory.nearest_of_each_arm(probe, np.array([3]))
    assert not np.isin(near.indices, far).any()


@pytest.mark.parametrize("when", ["before the first fit", "between fits", "at a refit"])
def test_huge_contexts_turn_screening_off_and_nothing_else(when):
    generator = np.random.default_rng(2)
    contexts = realistic(generator, 1_100)
    arms = generator.integers(0, ARMS, 1_100)
    huge = {"before the first fit": 10, "between fits": 400, "at a refit": 1_023}[when]
    contexts[huge] *= 1e20
    memory = filled(contexts, arms)
    assert_exact(memory, contexts, arms, contexts[:1] + 0.01)
    assert_exact(memory, contexts, arms, contexts[huge : huge + 1])


def test_a_huge_query_is_measured_in_full():
    generator = np.random.default_rng(3)
    contexts, arms = realistic(generator, 300), generator.integers(0, ARMS, 300)
    memory = filled(contexts, arms)
    assert memory._screen is not None
    assert_exact(memory, contexts, arms, 1e20 * contexts[:1])
    assert_exact(memory, contexts, arms, contexts[:1])


def test_short_contexts_are_not_screened():
    memory = filled(np.zeros((SCREEN_FROM_SIZE + 1, 8)), [0] * (SCREEN_FROM_SIZE + 1))
    assert memory._screen is None


@pytest.mark.parametrize("count", [0, 5, 700])
def test_a_restored_memory_answers_and_grows_as_the_first(count):
    generator = np.random.default_rng(4)
    contexts = realistic(generator, 720)
    arms = generator.integers(0, ARMS, 720)
    first = filled(contexts[:count], arms[:count])
    second = Memory(300)
    second.restore({name: array.copy() for name, array in first.state().items()})
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
    for number in range(300):
        policy.learn(generator.normal(size=300), number % 2, 1.0)
    huge = 1e40 * generator.normal(size=300)
    policy.choose(huge) if verb == "choose" else policy.learn(huge, 0, 1.0)
