import numpy as np
import pytest
from evaluation.logs import known_log, score

from hybandit import BetaThompson, EvaluationWarning, LinTS, LinUCB
from hybandit.datasets import EventLog, find_dataset
from hybandit.errors import InvalidInput, UnknownName
from hybandit.evaluation import (
    ESTIMATORS,
    Always,
    How,
    Intervals,
    LinearModel,
    Logged,
    doubly_robust,
    evaluate,
    evaluate_many,
    ips,
)

ALL = tuple(name for name in ESTIMATORS if name != "replay")


def log_of(count=3000, seed=0, propensities="logged"):
    known = known_log(count, seed)
    logged = known.propensities[np.arange(count), known.arms]
    given = {"logged": logged, "all": known.propensities, "none": None}[propensities]
    return EventLog(known.arms, known.rewards, known.contexts, given)


def holed():
    features = np.zeros((3000, 3))
    features[7, 1] = np.nan
    return features


def policy():
    return LinUCB(4, 3, alpha=0.1, seed=0)


def test_all_estimators_agree_about_what_is_plain():
    generator = np.random.default_rng(0)
    arms = generator.integers(0, 4, 8000)
    rewards = (generator.random(8000) < 0.1 + 0.2 * arms).astype(float)
    log = EventLog(arms, rewards, np.ones((8000, 1)), np.full((8000, 4), 0.25))
    found = evaluate(LinUCB(4, 1, seed=0), log, by=ALL)
    assert [each.estimator for each in found.estimates] == list(ALL)
    assert found.learn == "all"
    for each in found.estimates:
        assert each.value == pytest.approx(0.7, abs=0.05), each.estimator
    replayed = evaluate(LinUCB(4, 1, seed=0), log, by=["replay"])
    assert replayed.learn == "matched"
    assert replayed.estimates[0].value == pytest.approx(0.7, abs=0.05)


def test_it_is_the_walk_and_the_formula():
    log = log_of()
    found = evaluate(policy(), log, by=["ips", "doubly-robust"])
    scores = score(policy(), log, model=LinearModel(4, 3))
    columns = log.rewards, log.propensities, scores.target
    assert found.estimates == (
        ips(*columns),
        doubly_robust(*columns, scores.predicted, scores.expected),
    )


def test_a_policy_that_learns_nothing_is_the_same_after():
    trained = LinUCB(4, 3, seed=0)
    log = log_of()
    trained.learn_many(log.features[:500], log.arms[:500], log.rewards[:500])
    before = {name: array.copy() for name, array in trained.state().items()}
    evaluate(trained, log, learn="nothing")
    assert all(np.array_equal(before[name], array) for name, array in trained.state().items())


def test_a_frozen_policy_s_value_is_what_it_earns_live():
    trained = LinTS(4, 3, v=0.1, seed=0)
    first, second = log_of(2000, 1), log_of(3000, 2)
    trained.learn_many(first.features, first.arms, first.rewards)
    found = evaluate(trained, second, learn="nothing", by=["ips", "doubly-robust"])
    live = known_log(3000, 3)
    earned = live.means[np.arange(3000), trained.choose_many(live.contexts)].mean()
    for each in found.estimates:
        assert each.bootstrap.low - 0.02 < earned < each.bootstrap.high + 0.02


def test_estimated_propensities_come_with_a_loud_note():
    with pytest.warns(EvaluationWarning, match="they were ESTIMATED"):
        found = evaluate(policy(), log_of(propensities="none"))
    true = evaluate(policy(), log_of())
    assert found.estimates[1].value == pytest.approx(true.estimates[1].value, abs=0.05)
    assert "ESTIMATED" in found.notes[0]


@pytest.mark.parametrize(
    ("chances", "told"), [([0.5, 0.5], "features they look like that"), ([0.3, 0.7], "DO NOT look")]
)
def test_replay_without_propensities_says_what_it_takes_for_granted(chances, told):
    arms = np.random.default_rng(0).choice(2, 1000, p=chances)
    log = EventLog(arms, np.ones(1000), np.ones((1000, 1)))
    with pytest.warns(EvaluationWarning, match=told):
        evaluate(LinUCB(2, 1, seed=0), log, by=["replay"])


def test_wrong_propensities_and_small_samples_are_noted():
    log = log_of()
    wrong = EventLog(log.arms, log.rewards, log.features, np.full(len(log), 0.9))
    with pytest.warns(EvaluationWarning, match="the weights are too small on average"):
        evaluate(policy(), wrong)
    with pytest.warns(EvaluationWarning, match="the effective sample is small"):
        evaluate(policy(), log_of(100))


def test_an_arm_never_logged_is_refused_by_name():
    log = log_of()
    names = ("a", "b", "c", "d", "nobody")
    wider = EventLog(log.arms, log.rewards, log.features, log.propensities, names)
    with pytest.raises(InvalidInput, match="on what is never logged: nobody"):
        evaluate(LinUCB(5, 3, seed=0), wider)


@pytest.mark.parametrize(
    ("changed", "options", "told"),
    [
        ({}, {"by": ["replay", "ips"]}, "'replay' stands alone"),
        ({}, {"by": []}, "one or more estimators"),
        ({}, {"by": ["switch"]}, "without 'switch' where only the logged arm's propensity"),
        ({"propensities": np.zeros(3000)}, {}, "above 0 and at most 1; got 0 at row 0"),
        ({"propensities": np.full(3000, 1e-300)}, {}, "at least 1e-100; got 1e-300 at row 0"),
        ({"propensities": np.full(3000, 5e-324)}, {}, r"at least 1e-100; got .*e-324 at row 0"),
        ({"rewards": np.array(["yes"] * 3000)}, {}, "'rewards' must be numbers"),
        ({"propensities": np.full((3000, 3), 0.3)}, {}, r"of shape \(3000,\) or \(3000, 4\)"),
        ({"features": np.zeros((2999, 3))}, {}, "'features' must be a row for each of 3000 events"),
        ({"names": ("a", "b")}, {}, "'arms' must be from 0 to 1; got 0 to 3"),
        ({"names": tuple("abcde")}, {}, "'policy' must be one of 5 arms, as the log; got 4"),
        ({}, {"by": ["clipped"], "threshold": 0.0}, "'threshold' must be a number above 0; got 0"),
        ({}, {"intervals": Intervals(reward_range=(0.0, 0.5))}, "'reward_range' must be wide"),
        ({}, {"by": ["replay"], "matches": -1}, "'matches' must be a whole number of at least 1"),
        ({}, {"matches": 5}, "'matches' must be left out unless 'replay'"),
        ({"features": holed()}, {}, "'features' must be finite numbers .* got nan at row 7"),
    ],
)
def test_what_cannot_be_evaluated_is_refused_before_anything_is_learned(changed, options, told):
    log = log_of()
    fields = {"arms": log.arms, "rewards": log.rewards, "features": log.features}
    asked = policy()
    with pytest.raises(InvalidInput, match=told):
        evaluate(
            asked, EventLog(**fields | {"propensities": log.propensities} | changed), **options
        )
    assert not asked.statistics.counts.any()


def test_rewards_that_the_policy_would_refuse_halfway_are_refused_at_once():
    arms = np.arange(200) % 2
    rewards = np.where(np.arange(200) == 150, 3.0, 1.0)
    log = EventLog(arms, rewards, np.ones((200, 1)), np.full(200, 0.5))
    asked = BetaThompson(2, seed=0)
    told = "'rewards' must be a number from 0 to 1 for beta-thompson; got 3.0"
    with pytest.raises(InvalidInput, match=told):
        evaluate(asked, log, by=["ips"])
    assert not asked.statistics.counts.any()
    evaluate(asked, log, by=["ips"], learn="nothing")


def test_arms_numbered_from_1_are_recognised():
    log = log_of()
    moved = EventLog(log.arms + 1, log.rewards, log.features, log.propensities, tuple("abcd"))
    with pytest.raises(InvalidInput, match="they look numbered from 1, so subtract 1"):
        evaluate(policy(), moved)


def test_an_unknown_estimator_is_refused_with_the_nearest_name():
    with pytest.raises(UnknownName, match="did you mean 'snips'"):
        evaluate(policy(), log_of(), by=["snip"])


def test_ips_and_replay_agree_on_the_news_log(data_folder):
    log = find_dataset("news").load()
    half = len(log) // 2
    trained = LinUCB(10, 10, alpha=0.1, ties="first")
    trained.learn_many(log.features[:half], log.arms[:half], log.rewards[:half])
    rest = EventLog(log.arms[half:], log.rewards[half:], log.features[half:], np.full(half, 0.1))
    weighted = evaluate(trained, rest, by=["ips", "snips"], learn="nothing").estimates
    matched = trained.choose_many(rest.features) == rest.arms
    low, high = weighted[0].bootstrap
    assert low <= rest.rewards[matched].mean() <= high
    assert weighted[1].value == pytest.approx(rest.rewards[matched].mean())


def test_a_constant_choice_is_what_its_arm_pays():
    log = log_of(propensities="all")
    found = evaluate(Always("2"), log, by=["ips", "snips", "doubly-robust"])
    here = log.arms == 2
    weights = here / log.logged_propensities
    assert found.estimates[0].value == pytest.approx((weights * log.rewards).mean())
    assert found.estimates[1].value == pytest.approx((weights * log.rewards).sum() / weights.sum())
    known = known_log(3000, 0)
    low, high = found.estimates[2].bootstrap
    assert low < known.means[:, 2].mean() < high
    replayed = evaluate(Always("2"), log, by=["replay"], intervals=Intervals(seed=1)).estimates[0]
    assert replayed.bootstrap.low < known.means[:, 2].mean() < replayed.bootstrap.high
    with pytest.raises(UnknownName, match="choice of the log"):
        evaluate(Always("gold"), log)


def test_policies_that_share_a_way_through_the_log_are_judged_as_alone():
    log, how = log_of(), How(learn="nothing")
    policies = [Logged(), Always("0"), Always("3"), policy()]
    together = evaluate_many(policies, log, how)
    alone = [evaluate_many([each], log, how)[0] for each in policies]
    assert together == alone
    assert together[0].estimates[0].value == pytest.approx(log.rewards.mean())


def test_learning_after_every_so_many_events_is_between_learning_at_once_and_never():
    log = log_of(8000)
    found = {
        every: evaluate(policy(), log, by=["snips"], learn_every=every).estimates[0].value
        for every in (1, 50, 8000)
    }
    never = evaluate(policy(), log, by=["snips"], learn="nothing").estimates[0].value
    assert found[8000] == pytest.approx(never)
    assert never < found[50] <= found[1] + 0.02
    matched = evaluate(policy(), log, by=["snips"], learn_every=50, learn="matched")
    assert never < matched.estimates[0].value


def test_whole_batches_are_learned_as_one_by_one():
    log = log_of(500)
    at_once, together = policy(), policy()
    score(at_once, log)
    score(together, log, learn_every=7)
    for name, array in at_once.state().items():
        assert np.array_equal(array, together.state()[name]), name
    with pytest.raises(InvalidInput, match="'learn_every' must be a whole number from 1"):
        evaluate(policy(), log, learn_every=0)
