import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import hybandit
from hybandit.errors import ModelFileError
from hybandit.estimators import Memory
from hybandit.estimators.index import Query
from hybandit.estimators.limits import Limit

ARMS = 4
KS = np.array([1, 20, 0, 5])


def filled(contexts, arms, rewards=None, **settings):
    memory = Memory(contexts.shape[1], **settings)
    for number, (x, arm) in enumerate(zip(contexts, arms, strict=True)):
        memory.append(x, int(arm), number if rewards is None else rewards[number])
    return memory


def restored(memory, **settings):
    again = Memory(memory.observations.n_features, **settings)
    again.restore({name: array.copy() for name, array in memory.state().items()})
    return again


@pytest.mark.parametrize("newest_first", [False, True])
@pytest.mark.parametrize("count", [0, 5, 1_000])
def test_a_restored_memory_answers_and_grows_as_the_first(count, newest_first):
    generator = np.random.default_rng(4)
    contexts = generator.integers(-1, 2, (1_020, 3)).astype(float)
    arms = generator.integers(0, ARMS, 1_020)
    settings = {"tree_from": 5, "newest_first": newest_first}
    first = filled(contexts[:count], arms[:count], **settings)
    second = restored(first, **settings)
    for number in range(count, 1_020):
        for memory in (first, second):
            memory.append(contexts[number], int(arms[number]), number)
    ours, theirs = (
        memory.index.nearest_of_each_arm(Query(contexts[:1]), KS) for memory in (first, second)
    )
    assert ours.found.tolist() == theirs.found.tolist()
    for arm, found in enumerate(ours.found):
        assert ours.indices[arm, :found].tolist() == theirs.indices[arm, :found].tolist()


@pytest.mark.parametrize(
    ("name", "array"),
    [("contexts", np.zeros((2, 4))), ("owners", np.zeros(3, np.int64)),
     ("owners", np.zeros(2)), ("rewards", np.array([1.0, np.nan])), ("rewards", np.zeros((2, 1)))],
)  # fmt: skip
def test_arrays_that_do_not_fit_are_refused(name, array):
    state = filled(np.zeros((2, 3)), [0, 1]).state()
    with pytest.raises(ModelFileError, match=name):
        Memory(3).restore({**state, name: array})


def with_contexts_of(largest, name):
    """A policy, and its state with every seventh context as large as this."""
    policy = hybandit.make_policy(name, 2, 3, seed=0)
    generator = np.random.default_rng(0)
    for number in range(200):
        policy.learn(generator.normal(size=3), number % 2, 1.0)
    arrays = {path: array.copy() for path, array in policy.state().items()}
    contexts = next(path for path in arrays if path.endswith("emory/contexts"))
    arrays[contexts][::7] = largest
    return policy, arrays


@pytest.mark.parametrize("largest", [1e60, 1e100])
def test_damaged_contexts_are_only_far_away(largest):
    generator = np.random.default_rng(0)
    rows = generator.normal(size=(200, 3))
    rows[::7] = largest
    memory = filled(rows, np.arange(200) % 2, tree_from=5)
    query = Query(generator.normal(size=(1, 3)))
    for near in (
        memory.index.nearest_of_all(query, 20),
        memory.index.nearest_of_each_arm(query, np.array([20, 20])),
    ):
        assert (near.found == 20).all()
        assert not np.isin(near.indices, np.arange(0, 200, 7)).any()


@pytest.mark.parametrize("largest", [1e200, 1e300])
@pytest.mark.parametrize("name", ["lnucb-ta", "stacked-hybrid", "knn-ucb"])
def test_a_context_that_learning_would_refuse_is_refused_in_a_file(name, largest):
    policy, arrays = with_contexts_of(largest, name)
    with pytest.raises(hybandit.ModelFileError, match="outside -1e"):
        policy.restore(arrays)
    assert policy.choose([1.0, 0.0, 0.0]) in (0, 1)


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
    lots = np.random.default_rng(5)
    memory = Memory(2, limit=Limit(kind, entries), generator=lots)
    for number, (x, arm) in enumerate(zip(contexts, arms, strict=True)):
        memory.append(x, int(arm), float(number))
        if saved and number == count // 2:
            memory = restored(memory, limit=Limit(kind, entries), generator=lots)
    assert memory.observations.size <= ARMS * entries
    assert memory.arrived == count
    kept = survivors(kind, entries, arms, np.random.default_rng(5))
    assert memory.state()["rewards"].tolist() == kept
    plain = filled(contexts[kept], arms[kept], np.array(kept, float))
    queries = grid(generator, ARMS)
    near, expected = (
        each.index.nearest_of_each_arm(Query(queries), KS) for each in (memory, plain)
    )
    assert near.found.tolist() == expected.found.tolist()
    for arm, found in enumerate(near.found):
        ours, theirs = (
            each.entries.rewards[answer.indices[arm, :found]].tolist()
            for each, answer in ((memory, near), (plain, expected))
        )
        assert ours == theirs


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
    contexts = generator.integers(-2, 3, (1_500, 3)).astype(float)
    arms = generator.integers(0, ARMS, 1_500)
    memory = Memory(3, limit=Limit(kind, 125), tree_from=5)
    for number, (x, arm) in enumerate(zip(contexts, arms, strict=True)):
        memory.append(x, int(arm), float(number))
        memory.index.prepare()
    kept = memory.state()["rewards"].astype(int)
    assert len(kept) == 500
    plain = filled(contexts[kept], arms[kept], kept.astype(float))
    near = memory.index.nearest_of_each_arm(Query(contexts[:1]), KS)
    expected = plain.index.nearest_of_each_arm(Query(contexts[:1]), KS)
    for arm, found in enumerate(expected.found):
        ours = memory.entries.rewards[near.indices[arm, :found]]
        assert ours.tolist() == plain.entries.rewards[expected.indices[arm, :found]].tolist()


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
        Memory(1, limit=Limit("window", 2)).restore({**memory.state(), name: np.array(array)})


@pytest.mark.parametrize("limit", [None, Limit("window", 2)])
def test_entries_leave_once_their_arm_has_aged_to_the_horizon(limit):
    memory = Memory(1, limit=limit, horizon=3)
    for number, arm in enumerate([0, 0, 1]):
        memory.append(np.zeros(1), arm, float(number))
        memory.age(0)
    assert memory.state()["rewards"].tolist() == [1.0, 2.0]
    memory.age(1)
    memory.age(1)
    again = restored(memory, limit=limit, horizon=3)
    for each in (memory, again):
        each.age(1)
        assert each.state()["rewards"].tolist() == [1.0]
        each.age(0)
        assert each.state()["rewards"].tolist() == []
        each.append(np.zeros(1), 1, 9.0)
        assert each.state()["rewards"].tolist() == [9.0]


@pytest.mark.parametrize(
    ("limit", "horizon"), [(None, None), ("window(4)", 6), ("reservoir(3)", None)]
)
def test_a_dropped_arm_leaves_what_others_have(limit, horizon):
    limit = limit and Limit.read(limit)
    whole, fresh = (Memory(2, limit=limit, horizon=horizon) for _ in range(2))
    generator = np.random.default_rng(0)
    for number, context in enumerate(generator.normal(size=(24, 2))):
        arm = number % 3
        for memory, own in ((whole, arm), (fresh, arm - (arm > 1))):
            if arm != 1 or memory is whole:
                memory.age(own)
                memory.append(context, own, float(number))
    whole.drop_arm(1)
    mine, its = whole.state(), fresh.state()
    if limit is None or limit.kind != "reservoir":
        for name in ("contexts", "owners", "rewards", "stamps", "seen", "ages"):
            assert mine[name].tolist() == its[name].tolist()
    else:
        assert np.bincount(mine["owners"]).tolist() == [3, 3]
    near = whole.index.nearest_of_each_arm(Query(np.zeros((1, 2))), np.array([1, 1]))
    assert whole.entries.owners[near.indices[:, 0]].tolist() == [0, 1]
