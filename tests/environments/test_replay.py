import numpy as np
import pytest

from hybandit.environments import ItemReplay, Replay, play
from hybandit.errors import InvalidInput

ARMS = np.array([0, 1, 0, 1, 0, 0, 1])
REWARDS = np.array([0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7])
FEATURES = np.arange(42.0).reshape(7, 2, 3)


class Scripted:
    """Plays a fixed list of arms and writes down what it is taught."""

    def __init__(self, arms):
        self.arms, self.asked, self.learned = list(arms), [], []

    def choose(self, context):
        self.asked.append(context)
        return self.arms[len(self.asked) - 1]

    def learn(self, context, arm, reward):
        self.learned.append((context.copy(), arm, reward))


def test_unmatched_events_are_neither_learned_nor_counted():
    policy = Scripted([0, 0, 0, 0, 1, 0, 1])
    outcome = play(policy, Replay(ARMS, REWARDS, FEATURES))
    assert outcome.rewards.tolist() == [0.1, 0.3, 0.6, 0.7]
    assert [entry[1:] for entry in policy.learned] == [(0, 0.1), (0, 0.3), (0, 0.6), (1, 0.7)]
    assert len(policy.asked) == 7
    assert outcome.regrets.size == 0


def test_it_stops_at_the_last_match_it_was_asked_for():
    policy = Scripted([0, 0, 0, 0, 1, 0, 1])
    outcome = play(policy, Replay(ARMS, REWARDS, FEATURES, matches=2))
    assert outcome.rewards.tolist() == [0.1, 0.3]
    assert len(policy.asked) == 3


def test_contexts_are_a_row_for_each_arm_or_all_features_for_every_arm():
    arm = Replay(ARMS, REWARDS, FEATURES)
    shared = Replay(ARMS, REWARDS, FEATURES, contexts="shared")
    assert (arm.n_arms, arm.n_features) == (2, 3)
    assert (shared.n_arms, shared.n_features) == (2, 6)
    assert next(iter(arm)).context.tolist() == [[0.0, 1.0, 2.0], [3.0, 4.0, 5.0]]
    assert next(iter(shared)).context.tolist() == [0.0, 1.0, 2.0, 3.0, 4.0, 5.0]


def test_replay_of_a_random_log_estimates_what_the_policy_would_have_earned():
    generator = np.random.default_rng(0)
    arms = generator.integers(0, 4, 40_000)
    rewards = (generator.random(40_000) < np.array([0.1, 0.3, 0.5, 0.7])[arms]).astype(float)

    class Always:
        def choose(self, context):
            return 2

        def learn(self, context, arm, reward):
            pass

    outcome = play(Always(), Replay(arms, rewards, np.zeros((40_000, 4, 1)), matches=40_000))
    assert outcome.rewards.mean() == pytest.approx(0.5, abs=0.02)
    assert len(outcome.rewards) == pytest.approx(10_000, rel=0.05)


def test_a_log_of_items_pays_what_was_shown_until_enough_matched():
    generator = np.random.default_rng(0)
    shown, rewards = np.array([2, 0, 1, 1]), np.array([1.0, 0.5, 0.25, 0.75])
    contexts, items = generator.normal(size=(4, 2)), generator.normal(size=(4, 3, 5))
    log = ItemReplay(shown, rewards, contexts, items, ids=["a", "b", 3], matches=2)
    assert (len(log), log.n_context, log.n_item) == (2, 2, 5)
    events = []
    for event, place in zip(log, (0, 0, 1), strict=False):
        events.append((event.reward(place), event.ids[event.logged_arm]))
        assert event.context.tolist() == contexts[len(events) - 1].tolist()
        assert event.items.tolist() == items[len(events) - 1].tolist()
    assert events == [(None, 3), (0.5, "a"), (0.25, "b")]


EVENTS = {"arms": np.array([0, 1]), "rewards": np.ones(2), "features": np.zeros((2, 2, 1))}
SHOWN = {
    "shown": np.array([0, 1]), "rewards": np.ones(2), "contexts": np.ones((2, 1)),
    "items": np.zeros((2, 2, 3)), "ids": "ab",
}  # fmt: skip


@pytest.mark.parametrize(
    ("make", "wrong", "told"),
    [
        (Replay, {"contexts": "both"}, "'contexts' must be 'arm' or 'shared'; got 'both'"),
        (Replay, {"matches": 0}, "'matches' must be"),
        (Replay, {"rewards": np.ones(1)}, "'rewards' must be as many as the 2 events; got 1"),
        (ItemReplay, {"matches": 0}, "'matches' must be"),
        (ItemReplay, {"ids": "a"}, "'ids' must be as many as the 2 candidates; got 1"),
        (ItemReplay, {"contexts": np.ones((3, 1))}, "'contexts' must be as many as the 2 events"),
        (ItemReplay, {"shown": np.array([0, 5])}, "'shown' must be from 0 to 1; got 0 to 5"),
    ],
)
def test_what_does_not_fit_is_refused(make, wrong, told):
    with pytest.raises(InvalidInput, match=told):
        make(**(EVENTS if make is Replay else SHOWN) | wrong)
