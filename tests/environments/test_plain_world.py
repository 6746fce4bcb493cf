import numpy as np
import pytest

from hybandit.environments import PlainWorld
from hybandit.environments.plain_world import KINDS
from hybandit.errors import InvalidInput

BEST = {"clicks-4": 0.1, "clicks-10": 0.06, "segments": 0.1, "revenue": 5.0, "orders": 1.6}


@pytest.mark.parametrize("kind", KINDS)
def test_rounds_are_as_wide_as_told_and_the_seed_decides_them(kind):
    world = PlainWorld(kind, rounds=50, seed=1)
    turns, again = list(world), list(world)
    assert len(turns) == len(world) == 50
    assert {turn.context.shape for turn in turns} == {(world.n_features,)}
    assert {turn.rewards.shape for turn in turns} == {(world.n_arms,)}
    assert np.array_equal(turns[-1].rewards, again[-1].rewards)
    other = list(PlainWorld(kind, rounds=50, seed=2))
    contexts, others = ([turn.context.tolist() for turn in each] for each in (turns, other))
    assert contexts != others


@pytest.mark.parametrize("kind", KINDS)
def test_rewards_are_their_means_on_average(kind):
    turns = list(PlainWorld(kind, rounds=5000, seed=3))
    rewards = np.array([turn.rewards for turn in turns])
    means = np.array([turn.means for turn in turns])
    error = rewards.std(axis=0) / np.sqrt(len(turns))
    assert (np.abs(rewards.mean(axis=0) - means.mean(axis=0)) < 4 * error).all()
    if kind in BEST:
        assert max(turn.best for turn in turns) == pytest.approx(BEST[kind])


def test_segments_are_one_hot_and_each_has_its_own_best_arm():
    turns = list(PlainWorld("segments", rounds=60, seed=0))
    best = {(int(turn.context.argmax()), int(turn.means.argmax())) for turn in turns}
    assert best == {(0, 3), (1, 0), (2, 1)}
    assert all(turn.context.sum() == 1.0 for turn in turns)


def test_unknown_worlds_are_refused():
    with pytest.raises(InvalidInput, match="'kind' must be one of clicks-4"):
        PlainWorld("clicks", seed=0)
