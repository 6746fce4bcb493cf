import numpy as np
import pytest
from evaluation.logs import replay_matches, score

from hybandit import LinUCB, PolicyError
from hybandit.datasets import EventLog, find_dataset
from hybandit.environments import Replay, play
from hybandit.evaluation import LinearModel
from hybandit.evaluation.progressive import Replaying, Walk, teach
from hybandit.policies.base.decision import Decision

GENERATOR = np.random.default_rng(0)
COUNT = 300
SEED = 7
LOG = EventLog(
    GENERATOR.integers(0, 3, COUNT),
    GENERATOR.random(COUNT),
    GENERATOR.normal(size=(COUNT, 2)),
    np.full((COUNT, 3), 1.0 / 3.0),
)


class Watched:
    """Plays arm 0 mostly, and writes down in which order it was asked and taught."""

    def __init__(self):
        self.calls = []

    def decide(self, context):
        self.calls.append(("decide", context[0]))
        return Decision(0, np.array([0.5, 0.3, 0.2]), np.zeros(3))

    def learn(self, context, arm, reward):
        self.calls.append(("learn", context[0], arm, reward))


def test_an_event_is_scored_before_it_is_learned():
    policy = Watched()
    scores = score(policy, LOG)
    assert scores.target.tolist() == [[0.5, 0.3, 0.2][arm] for arm in LOG.arms]
    expected = []
    for context, arm, reward in zip(LOG.features, LOG.arms, LOG.rewards, strict=True):
        expected += [("decide", context[0]), ("learn", context[0], arm, reward)]
    assert policy.calls == expected


@pytest.mark.parametrize(("learn", "arms"), [("matched", [0]), ("nothing", [])])
def test_what_is_learned_is_the_rule_that_was_named(learn, arms):
    policy = Watched()
    score(policy, LOG, learn=learn)
    taught = [call[2:] for call in policy.calls if call[0] == "learn"]
    pairs = zip(LOG.arms, LOG.rewards, strict=True)
    assert taught == [(arm, reward) for arm, reward in pairs if arm in arms]


def test_the_model_predicts_from_earlier_events_only():
    scores = score(Watched(), LOG, model=LinearModel(3, 2), threshold=1.2)
    twin = LinearModel(3, 2)
    for row in range(COUNT):
        values = twin.values(LOG.features[row : row + 1])
        assert scores.predicted[row] == values[LOG.arms[row]]
        assert scores.expected[row] == pytest.approx(values @ [0.5, 0.3, 0.2])
        assert scores.beyond[row] == pytest.approx(0.5 * values[0])  # 0.5 / (1/3) = 1.5
        twin.learn(LOG.features[row : row + 1], int(LOG.arms[row]), float(LOG.rewards[row]))


def test_arms_may_have_contexts_of_their_own():
    log = EventLog(LOG.arms, LOG.rewards, GENERATOR.normal(size=(COUNT, 3, 2)))
    scores = score(LinUCB(3, 2, seed=0), log, model=LinearModel(3, 2))
    assert 0.0 < scores.target.mean() < 1.0
    assert np.abs(scores.predicted[COUNT // 2 :] - 0.5).mean() < 0.4


def test_the_share_of_arms_never_logged_is_counted():
    log = EventLog(np.zeros(5, np.int64), np.ones(5), np.ones((5, 2)), names=("a", "b", "c"))
    assert score(Watched(), log).lost == pytest.approx(0.5)


def test_progress_is_told_to_the_last_event():
    log = EventLog(
        np.zeros(2500, np.int64), np.ones(2500), np.ones((2500, 2)), names=("a", "b", "c")
    )
    done = []
    score(Watched(), log, tick=done.append)
    assert done == [1000, 1000, 500]


def test_replay_here_is_replay_as_an_environment():
    features = GENERATOR.normal(size=(COUNT, 3, 2))
    matched = replay_matches(
        LinUCB(3, 2, seed=1), EventLog(LOG.arms, LOG.rewards, features), matches=50
    )
    outcome = play(LinUCB(3, 2, seed=1), Replay(LOG.arms, LOG.rewards, features, matches=50))
    assert LOG.rewards[matched].tolist() == outcome.rewards.tolist()
    assert matched.sum() == 50


@pytest.mark.parametrize(("alpha", "clicks"), [(0.01, 584), (0.1, 567), (1, 424), (10, 98)])
def test_replay_earns_the_known_clicks_on_the_news_log(data_folder, alpha, clicks):
    log = find_dataset("news").load()
    matched = replay_matches(LinUCB(10, 10, alpha=alpha, ties="first"), log, matches=800)
    assert (log.rewards[matched].sum(), matched.sum()) == (clicks, 800)


def test_matches_of_a_log_that_prefers_an_arm_are_thinned_to_a_uniform_one():
    generator = np.random.default_rng(5)
    chances = np.array([0.6, 0.3, 0.1])
    arms = generator.choice(3, 30_000, p=chances)
    log = EventLog(arms, np.zeros(30_000), np.ones((30_000, 1)), chances[arms])

    class AnyArm:
        def choose(self, context):
            return int(generator.integers(3))

        def learn(self, context, arm, reward):
            pass

    matched = replay_matches(AnyArm(), log)
    counts = np.bincount(arms[matched])
    assert counts.sum() == pytest.approx(3000, rel=0.1)
    assert counts / counts.sum() == pytest.approx(np.full(3, 1 / 3), abs=0.05)


def test_thinning_does_not_draw_what_an_equally_seeded_policy_draws():
    chances = np.tile([0.8, 0.2], 2000)
    arms = np.tile([0, 1], 2000)
    log = EventLog(arms, np.zeros(4000), np.ones((4000, 1)), chances)

    class Seeded:
        """Plays the likely arm where its own draw is low."""

        generator = np.random.default_rng(SEED)

        def choose(self, context):
            return 0 if self.generator.random() < 0.25 else 1

        def learn(self, context, arm, reward):
            pass

    matched = replay_matches(Seeded(), log, seed=SEED)
    # Of 2,000 likely events a quarter is chosen, and a quarter of these is kept.
    assert matched[::2].sum() == pytest.approx(125, abs=40)


class Fails(Watched):
    """Cannot learn its 51st event."""

    def choose(self, context):
        return self.decide(context).arm

    def learn(self, context, arm, reward):
        super().learn(context, arm, reward)
        if sum(call[0] == "learn" for call in self.calls) > 50:
            raise ZeroDivisionError("of its own")


FAILS = r"Fails.learn failed in round {}: ZeroDivisionError: of its own \(test_progressive.py, line"


@pytest.mark.parametrize(
    ("walk", "place"),
    [
        (lambda policy: list(Walk(policy).chances(LOG)), "51"),
        (lambda policy: Walk(policy, every=40).chances(LOG), "41 or one of the 39 after it"),
        (lambda policy: teach(policy, LOG), "51"),
        (
            lambda policy: Replaying(policy, LOG).matched(LOG),
            str(int(np.flatnonzero(LOG.arms == 0)[50]) + 1),
        ),
    ],
    ids=["one by one", "together", "taught", "replayed"],
)
def test_a_policy_that_fails_is_told_with_the_round_and_its_line(walk, place):
    with pytest.raises(PolicyError, match=FAILS.format(place)) as told:
        walk(Fails())
    assert isinstance(told.value.__cause__, ZeroDivisionError)


def test_rounds_are_counted_through_all_batches():
    walk = Walk(Fails())
    walk.chances(LOG.part(slice(0, 30)))
    with pytest.raises(PolicyError, match=FAILS.format(51)):
        walk.chances(LOG.part(slice(30, 300)))
