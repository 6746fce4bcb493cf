import numpy as np
import pytest
from scipy import stats
from scipy.special import betaincinv

from hybandit.policies.base.draws import HIGH, LOW, Beta, Normal, Student

NORMAL = Normal(np.array([0.0, 3.0]), np.array([1.0, 0.5]))
STUDENT = Student(np.array([0.0, 3.0]), np.array([1.0, 0.5]), np.array([12.0, 3.0]))
FIRST, SECOND = np.array([2.0, 9.0]), np.array([5.0, 0.5])
BETA = Beta(
    FIRST, SECOND, np.array([0.0, -1.0]), np.array([1.0, 3.0]), betaincinv(SECOND, FIRST, 1e-3)
)
FROZEN = [
    (NORMAL, stats.norm(NORMAL.centres, NORMAL.scales)),
    (STUDENT, stats.t(STUDENT.freedoms, STUDENT.centres, STUDENT.scales)),
    (BETA, stats.beta(FIRST, SECOND, BETA.offsets, BETA.stretches)),
]


@pytest.mark.parametrize(("draws", "frozen"), FROZEN)
def test_the_distributions_are_those_of_scipy(draws, frozen):
    points = np.array([0.1, 0.4, 0.8])
    assert draws.below(points) == pytest.approx(frozen.cdf(points[:, None]).T, rel=1e-9)
    expected = frozen.logpdf(points[:, None]).T
    found = draws.shape(points)
    assert found - found[:, :1] == pytest.approx(expected - expected[:, :1], abs=1e-9)


@pytest.mark.parametrize(("draws", "frozen"), FROZEN)
def test_the_ends_are_far_quantiles(draws, frozen):
    lows, tops = draws.ends()
    assert lows == pytest.approx(frozen.ppf(LOW), rel=1e-6)
    assert tops == pytest.approx(frozen.isf(HIGH), rel=1e-6)


@pytest.mark.parametrize(("draws", "frozen"), FROZEN)
def test_reach_is_at_most_the_spread_in_the_middle(draws, frozen):
    for arm, (middle, spread) in enumerate(zip(frozen.median(), frozen.std(), strict=True)):
        assert 0.0 < draws.reach(middle)[arm] <= 1.1 * spread
