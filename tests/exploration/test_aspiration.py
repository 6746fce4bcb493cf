import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hybandit.errors import InvalidInput
from hybandit.exploration import Aspiration

EVERY = np.ones(3, bool)
SCORES, COUNTS = np.array([0.3, 0.1, 0.2]), np.array([12, 3, 0])
REWARDS = (0.0, 1.0, 1.0, 1.0, 0.0, 1.0)


def taught(rewards=REWARDS, centre=0.0, **options):
    aspiration = Aspiration(**options)
    for reward in rewards:
        aspiration.learn(reward, centre)
    return aspiration


def test_the_recent_mean_fades():
    weights = 0.9 ** np.arange(5, -1, -1)
    expected = np.average(REWARDS, weights=weights)
    assert taught(decay=0.9).recent == pytest.approx(expected)


def test_scores_rise_by_the_gap_less_where_an_arm_was_tried():
    aspiration = taught()
    m = aspiration.recent
    gap = (m - 0.3) * (1 - 0.25 / m)
    raised = aspiration.raised(SCORES, np.array([0.25]), COUNTS, EVERY)
    np.testing.assert_allclose(raised, SCORES + gap / np.sqrt([13, 4, 1]))


def test_where_each_arm_has_its_own_context_each_has_its_own_neighbours():
    aspiration = taught()
    m = aspiration.recent
    nearby = np.array([0.25, 2.0, -1.0])
    raised = aspiration.raised(SCORES, nearby, COUNTS, EVERY)
    shares = np.array([1 - 0.25 / m, 0.0, 1.0])
    np.testing.assert_allclose(raised, SCORES + (m - 0.3) * shares / np.sqrt([13, 4, 1]))


@pytest.mark.parametrize(
    ("scores", "nearby"),
    [(SCORES + 1.0, 0.0), (SCORES, 1.0)],
    ids=["as much is expected", "neighbours got as much"],
)
def test_where_play_does_as_well_as_ever_nothing_is_raised(scores, nearby):
    raised = taught().raised(scores, np.array([nearby]), COUNTS, EVERY)
    assert raised.tolist() == scores.tolist()


@pytest.mark.parametrize("rewards", [(), (0.0, 0.0), (-1.0, 0.0)])
def test_before_any_reward_and_while_play_earns_nothing_scores_stay(rewards):
    low = SCORES - 9.0
    assert taught(rewards).raised(low, np.zeros(1), COUNTS, EVERY).tolist() == low.tolist()


def test_only_arms_that_may_be_played_count_as_the_best():
    allowed = np.array([False, True, True])
    raised = taught().raised(np.array([9.0, 0.1, 0.2]), np.zeros(1), COUNTS, allowed)
    assert raised[2] > 0.2


@given(
    shift=st.floats(-1e3, 1e3),
    unit=st.floats(1e-3, 1e3),
    nearby=st.floats(-1, 2),
    rewards=st.lists(st.floats(-1, 1), min_size=1, max_size=8),
)
def test_a_shift_of_the_rewards_changes_nothing_nor_does_their_unit(shift, unit, nearby, rewards):
    plain = taught(rewards).raised(SCORES, np.array([nearby]), COUNTS, EVERY)
    moved = [shift + unit * reward for reward in rewards]
    raised = taught(moved, centre=shift).raised(
        shift + unit * SCORES, np.array([shift + unit * nearby]), COUNTS, EVERY, centre=shift
    )
    np.testing.assert_allclose((raised - shift) / unit, plain, rtol=1e-6, atol=1e-5)


def test_its_state_is_taken_over_exactly():
    aspiration, other = taught(), Aspiration()
    other.restore(aspiration.state())
    aspiration.learn(0.5)
    assert other.recent == taught().recent
    other.learn(0.5)
    assert other.recent == aspiration.recent


@pytest.mark.parametrize("decay", [0.0, 1.0, float("nan")])
def test_a_decay_that_never_or_always_forgets_is_refused(decay):
    with pytest.raises(InvalidInput, match="'decay' must be above 0 and below 1"):
        Aspiration(decay)
