import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hybandit.errors import InvalidInput
from hybandit.exploration import Aspiration

REWARDS = (0.0, 1.0, 1.0, 1.0, 0.0, 1.0)


def taught(rewards=REWARDS, **options):
    aspiration = Aspiration(**options)
    for reward in rewards:
        aspiration.learn(reward)
    return aspiration


def test_the_recent_mean_fades():
    weights = 0.9 ** np.arange(5, -1, -1)
    expected = np.average(REWARDS, weights=weights)
    assert taught(decay=0.9).recent == pytest.approx(expected)


def test_the_gap_is_how_far_the_best_falls_short_less_what_the_nearest_earned():
    aspiration = taught()
    m = aspiration.recent
    for nearby, share in ((0.25, 1 - 0.5 / m), (0.5 * m, 0.0), (-1.0, 1.0)):
        found = aspiration.gap(0.3, np.array([nearby]))
        assert found == pytest.approx((m - 0.3) * share)


def test_one_arm_whose_surroundings_did_well_closes_the_gap_of_all():
    aspiration = taught()
    assert aspiration.gap(0.3, np.array([-1.0, aspiration.recent, 0.0])) == 0.0


@pytest.mark.parametrize("rewards", [(), (0.0, 0.0), (-1.0, 0.0)])
def test_before_any_reward_and_while_play_earns_nothing_there_is_no_gap(rewards):
    assert taught(rewards).gap(-9.0, np.array([-1.0, 0.0])) == 0.0


def test_where_as_much_is_expected_as_play_earns_there_is_no_gap():
    aspiration = taught()
    assert aspiration.gap(aspiration.recent, np.zeros(1)) == 0.0


@given(
    unit=st.floats(1e-3, 1e3),
    nearby=st.floats(-1, 2),
    rewards=st.lists(st.floats(-1, 1), min_size=1, max_size=8),
)
def test_the_unit_of_rewards_changes_nothing(unit, nearby, rewards):
    plain = taught(rewards).gap(0.3, np.array([nearby]))
    other = taught([unit * reward for reward in rewards])
    found = other.gap(unit * 0.3, np.array([unit * nearby]))
    np.testing.assert_allclose(found / unit, plain, rtol=1e-6, atol=1e-5)


def test_its_state_is_taken_over_exactly():
    aspiration, other = taught(), Aspiration()
    other.restore(aspiration.state())
    assert other.recent == aspiration.recent
    for each in (aspiration, other):
        each.learn(0.5)
    assert other.recent == aspiration.recent


@pytest.mark.parametrize("decay", [0.0, 1.0, float("nan")])
def test_a_decay_that_never_or_always_forgets_is_refused(decay):
    with pytest.raises(InvalidInput, match="'decay' must be above 0 and below 1"):
        Aspiration(decay)
