import time

import numpy as np

from hybandit import UCB, EpsilonGreedy
from hybandit.environments import Classification, FullItemRound, FullRound, play, play_items
from hybandit.environments.play import seconds_since


class World:
    n_arms, n_features = 2, 1

    def __len__(self):
        return 3

    def __iter__(self):
        means = np.array([0.25, 1.0])
        return iter([FullRound(np.zeros(1), means + noise, means) for noise in (0.5, -0.5, 2.0)])


def test_the_outcome_has_rewards_with_noise_and_regrets_without():
    outcome = play(UCB(2, ties="first"), World())
    assert outcome.rewards.tolist() == [0.75, 0.5, 2.25]
    assert outcome.regrets.tolist() == [0.75, 0.0, 0.75]
    assert (outcome.reward, outcome.regret) == (3.5, 1.5)
    assert outcome.seconds > 0.0


def test_seconds_are_computed_ones_and_a_nap_is_none():
    class Sleepy(World):
        def __iter__(self):
            for turn in super().__iter__():
                time.sleep(0.1)
                yield turn

    assert play(UCB(2), Sleepy()).seconds < 0.1


def test_seconds_are_never_none_at_all():
    assert seconds_since(time.process_time() + 5.0) > 0.0


def test_regret_in_classification_is_the_number_of_wrong_choices():
    world = Classification(np.eye(4), np.arange(4), seed=0, rounds=200)
    outcome = play(EpsilonGreedy(4, seed=0), world)
    assert outcome.reward + outcome.regret == 200
    assert set(outcome.regrets) == {0.0, 1.0}


class LateWorld:
    """Six rounds of two items; rewards are the round's number, known after `delay` rounds."""

    n_context, n_item = 1, 1

    def __init__(self, delay):
        self.delay = delay

    def __len__(self):
        return 6

    def __iter__(self):
        for number in range(6):
            rewards = np.array([0.0, float(number)])
            yield FullItemRound(
                np.array([number]), rewards, items=np.eye(2)[:, :1], ids=["a", "b"],
                delay=self.delay,
            )  # fmt: skip


class Diary:
    def __init__(self):
        self.entries = []

    def choose(self, context, items, *, ids=None):
        self.entries.append(("choose", int(context[0]), items.shape, ids))
        return 1

    def learn(self, context, item, reward, *, id=None):
        self.entries.append(("learn", int(context[0]), reward, id))


def test_items_are_chosen_and_learned_with_their_ids():
    diary = Diary()
    outcome = play_items(diary, LateWorld(delay=0))
    assert outcome.rewards.tolist() == [0, 1, 2, 3, 4, 5]
    assert outcome.regrets.tolist() == [0.0] * 6
    assert diary.entries[:3] == [
        ("choose", 0, (2, 1), ["a", "b"]), ("learn", 0, 0.0, "b"), ("choose", 1, (2, 1), ["a", "b"])
    ]  # fmt: skip


def test_a_late_reward_is_learned_when_it_comes():
    diary = Diary()
    assert play_items(diary, LateWorld(delay=2)).reward == 15.0
    order = [(verb, number) for verb, number, *_ in diary.entries]
    assert order[:5] == [("choose", 0), ("choose", 1), ("choose", 2), ("learn", 0), ("choose", 3)]
    assert [number for verb, number in order if verb == "learn"] == [0, 1, 2]
