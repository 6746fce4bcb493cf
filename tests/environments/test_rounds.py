import numpy as np

from hybandit.environments import FullRound, LoggedRound


def test_a_full_round_pays_its_rewards_and_knows_the_best():
    turn = FullRound(np.zeros(1), np.array([0.2, 0.9]))
    assert (turn.reward(0), turn.expected(0), turn.best) == (0.2, 0.2, 0.9)


def test_with_noise_the_means_count_for_regret_and_the_rewards_are_paid():
    turn = FullRound(np.zeros(1), np.array([5.0, -5.0]), np.array([0.2, 0.9]))
    assert (turn.reward(0), turn.expected(0), turn.best) == (5.0, 0.2, 0.9)


def test_a_logged_round_pays_only_the_logged_arm():
    turn = LoggedRound(np.zeros(1), 1, 0.5)
    assert turn.reward(0) is None
    assert not turn.matched
    assert turn.reward(1) == 0.5
    assert turn.matched
    assert turn.best is None
    assert turn.expected(1) is None
