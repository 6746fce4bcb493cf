import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hybandit.estimators import AdaptiveKNN, ArmStatistics, Stack

ROUNDINGS = {
    "floor": lambda k: np.floor(k + 1e-9),
    "nearest": lambda k: np.floor(k + 0.5 + 1e-9),
    "ceil": lambda k: np.ceil(k - 1e-9),
}


def taught(local, points, rewards, arm=0):
    for point, reward in zip(points, rewards, strict=True):
        local.learn(np.atleast_2d(np.asarray(point, float)), arm, reward)
    return local


def value(local, x, arm=0):
    return local.values(np.atleast_2d(np.asarray(x, float)))[arm]


@pytest.mark.parametrize(("rounding", "expected"), [("floor", 2), ("nearest", 3), ("ceil", 3)])
def test_k_grows_with_the_variance_and_is_rounded_as_told(rounding, expected):
    local = AdaptiveKNN(1, 1, k_min=1, k_max=8, rounding=rounding)
    taught(local, [0, 1, 2, 3], [0.0, 1.0, 0.0, 1.0])
    assert local.statistics.variances[0] == 0.25
    assert local.ks().tolist() == [expected]


def test_a_k_that_is_whole_but_for_rounding_is_not_floored_to_one_less():
    local = AdaptiveKNN(1, 1, k_min=1, k_max=13)
    taught(local, range(12), [1.0] * 6 + [0.0] * 6)
    assert 1 + 12 * local.statistics.variances[0] < 4
    assert local.ks().tolist() == [4]


def test_a_huge_variance_asks_for_more_than_there_is_and_gets_nothing():
    local = taught(AdaptiveKNN(1, 1), [0.0, 1.0], [-1e90, 1e90])
    assert local.ks()[0] > 2
    assert value(local, 0.0) == 0.0


def test_reach_is_the_distance_to_the_last_neighbour_used():
    local = AdaptiveKNN(1, 2, k_min=2, k_max=2)
    taught(local, [[3.0, 4.0]], [1.0])
    assert local.reach(np.zeros((1, 2)), 0) == 0.0
    taught(local, [[6.0, 8.0], [0.0, 1.0]], [1.0, 1.0])
    assert local.reach(np.zeros((1, 2)), 0) == 5.0


def test_with_forget_observations_leave_after_the_half_life():
    # 0.5 ** (1 / 4): after four later ones an observation weighs a half.
    local = taught(AdaptiveKNN(1, 1, k_max=1, forget=0.5**0.25), [0.0], [1.0])
    taught(local, [10.0, 11.0, 12.0], [0.0, 0.0, 0.0])
    assert value(local, 0.0) == 1.0
    taught(local, [13.0], [0.0])
    assert value(local, 0.0) == 0.0
    kept = taught(AdaptiveKNN(1, 1, k_max=1), [0.0, 10.0, 11.0, 12.0, 13.0], [1.0, 0, 0, 0, 0])
    assert value(kept, 0.0) == 1.0


def plain(log, query, variance, *, k_min, k_max, weights, rounding):
    """One arm's estimate as the rule says it."""
    rewards = np.array([reward for _, reward in log])
    k = max(1, int(ROUNDINGS[rounding](k_min + (k_max - k_min) * variance)))
    if len(log) < k:
        return 0.0
    distances = np.array([np.linalg.norm(x - query) for x, _ in log])
    near = np.argsort(distances, kind="stable")[:k]
    if weights == "uniform":
        return rewards[near].mean()
    if distances[near[0]] == 0.0:
        return rewards[near][distances[near] == 0.0].mean()
    return np.average(rewards[near], weights=1.0 / distances[near])


@settings(max_examples=60, deadline=None)
@given(
    st.integers(0, 2**32 - 1),
    st.integers(0, 30),
    st.booleans(),
    st.fixed_dictionaries(
        {
            "k_min": st.integers(1, 3),
            "k_max": st.integers(3, 20),
            "weights": st.sampled_from(["uniform", "distance"]),
            "rounding": st.sampled_from(sorted(ROUNDINGS)),
        }
    ),
)
def test_values_follow_the_rule(seed, count, shared, options):
    generator = np.random.default_rng(seed)
    local = AdaptiveKNN(3, 2, **options)
    logs = [[], [], []]
    for _ in range(count):
        contexts = generator.integers(-2, 3, (1 if shared else 3, 2)).astype(float)
        arm, reward = int(generator.integers(3)), float(generator.random() < 0.4)
        local.learn(contexts, arm, reward)
        logs[arm].append((contexts[0 if shared else arm], reward))
    queries = generator.integers(-2, 3, (1 if shared else 3, 2)).astype(float)
    variances = local.statistics.variances
    expected = [
        plain(logs[arm], queries[0 if shared else arm], variances[arm], **options)
        for arm in range(3)
    ]
    np.testing.assert_allclose(local.values(queries), expected, rtol=1e-9, atol=1e-12)


def test_restoring_forgets_the_latest_answer():
    x = np.ones((1, 1))
    local, taught = AdaptiveKNN(1, 1), AdaptiveKNN(1, 1)
    local.values(x)
    taught.learn(x, 0, 1.0)
    local.restore(taught.state())
    assert local.values(x).tolist() == [1.0]
    stack, other = (Stack(1, 1, np.random.default_rng(0)) for _ in range(2))
    stack.values(x)
    other.learn(x, 0, 1.0)
    stack.restore(other.state())
    assert stack.values(x) == pytest.approx(other.values(x))


def test_statistics_of_someone_else_are_read_never_taught():
    statistics = ArmStatistics(1)
    local = AdaptiveKNN(1, 1, k_max=9, statistics=statistics)
    for reward in (0.0, 1.0):
        local.learn(np.array([[reward]]), 0, reward)
    assert local.ks().tolist() == [1]
    for reward in (0.0, 1.0):
        statistics.learn(0, reward)
    assert local.ks().tolist() == [3]
    assert not [name for name in local.state() if "statistics" in name]
