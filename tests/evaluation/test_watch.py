import numpy as np

from hybandit.datasets import EventLog
from hybandit.evaluation import log_notes

COUNT = 2000
GENERATOR = np.random.default_rng(0)
ARMS = GENERATOR.integers(0, 4, COUNT)
REWARDS = GENERATOR.random(COUNT)
ROWS = np.ones((COUNT, 1))


def test_a_sound_log_brings_no_note():
    assert log_notes(EventLog(ARMS, REWARDS, ROWS, np.full(COUNT, 0.25))) == []


def test_propensities_that_do_not_add_up_are_told():
    (note,) = log_notes(EventLog(ARMS, REWARDS, ROWS, np.full(COUNT, 0.5)))
    assert "do not add up for arms 0, 1, 2 and 1 more" in note


def test_a_drift_of_rewards_or_arms_is_told():
    late = np.arange(COUNT) >= COUNT // 2
    (note,) = log_notes(EventLog(ARMS, REWARDS + late, ROWS))
    assert "its mean reward is" in note
    (note,) = log_notes(EventLog(np.where(late, ARMS, 0), REWARDS, ROWS, names=tuple("abcd")))
    assert "arms a, b, c and 1 more" in note
