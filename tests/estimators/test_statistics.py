import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hybandit.errors import InvalidInput
from hybandit.estimators import ArmStatistics


@settings(max_examples=60, deadline=None)
@given(
    st.lists(st.tuples(st.integers(0, 2), st.floats(-100, 100)), max_size=60),
    st.sampled_from([0.0, 1e6]),
)
def test_they_are_numpys_count_mean_and_variance_of_each_arm(pulls, offset):
    statistics = ArmStatistics(3)
    for arm, reward in pulls:
        statistics.learn(arm, offset + reward)
    for arm in range(3):
        own = np.array([offset + reward for played, reward in pulls if played == arm])
        assert statistics.counts[arm] == len(own)
        assert statistics.means[arm] == pytest.approx(own.mean() if len(own) else 0.0, abs=1e-9)
        variance = own.var() if len(own) else 0.0
        assert statistics.variances[arm] == pytest.approx(variance, abs=1e-5 if offset else 1e-9)


def test_a_new_arm_has_seen_nothing():
    statistics = ArmStatistics(1)
    statistics.learn(0, 2.0)
    statistics.add_arm()
    assert statistics.counts.tolist() == [1.0, 0.0]
    assert statistics.means.tolist() == [2.0, 0.0]
    assert statistics.variances.tolist() == [0.0, 0.0]


@pytest.mark.parametrize("arm", [-1, 2])
def test_an_arm_that_is_not_there_is_refused_before_anything_is_written(arm):
    statistics = ArmStatistics(2)
    with pytest.raises(InvalidInput, match="from 0 to 1"):
        statistics.learn(arm, 1.0)
    assert not statistics.counts.any()


@settings(max_examples=60, deadline=None)
@given(
    st.lists(st.tuples(st.integers(0, 2), st.floats(-100, 100)), max_size=60),
    st.floats(0.5, 0.999),
)
def test_with_forgetting_they_are_weighted(pulls, forget):
    statistics = ArmStatistics(3, forget=forget)
    weights = np.zeros(0)
    arms, rewards = np.array([arm for arm, _ in pulls]), np.array([reward for _, reward in pulls])
    for number, (arm, reward) in enumerate(pulls):
        statistics.learn(arm, reward)
        faded = np.isin(arms[:number], [arm, number % 3])
        weights = np.append(np.where(faded, forget * weights, weights), 1.0)
    for arm in range(3):
        own, past = weights[arms == arm], rewards[arms == arm]
        assert statistics.counts[arm] == pytest.approx(own.sum(), abs=1e-8)
        if own.sum() < 1e-6:
            continue
        mean = np.average(past, weights=own)
        variance = np.average((past - mean) ** 2, weights=own)
        assert statistics.means[arm] == pytest.approx(mean, abs=1e-7)
        assert statistics.variances[arm] == pytest.approx(variance, rel=1e-6, abs=1e-6)


def test_what_has_faded_to_nothing_was_never_pulled():
    statistics = ArmStatistics(1, forget=0.5)
    statistics.learn(0, 4.0)
    statistics.counts[0] = 1e-10
    statistics.learn(0, 3.0)
    assert (statistics.counts[0], statistics.means[0]) == (1.0, 3.0)
