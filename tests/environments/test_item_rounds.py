import numpy as np

from hybandit.environments import FullItemRound, LoggedItemRound


def test_a_full_round_knows_its_candidates_and_what_they_pay():
    turn = FullItemRound(
        np.zeros(1), np.array([1.0, 0.0]), np.array([0.2, 0.9]), items=np.eye(2), ids=["a", "b"]
    )
    assert (turn.reward(0), turn.expected(0), turn.best, turn.delay) == (1.0, 0.2, 0.9, 0)


def test_a_logged_round_pays_only_the_logged_candidate():
    turn = LoggedItemRound(np.zeros(1), 1, 0.5, items=np.eye(2), ids=["a", "b"])
    assert (turn.reward(0), turn.reward(1), turn.best) == (None, 0.5, None)
