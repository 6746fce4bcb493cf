from dataclasses import replace

import numpy as np
import pytest
from evaluation.item_logs import ITEMS, NAMES, known_item_log, means_of, steady, true_value
from evaluation.logs import score

from hybandit import ItemHybrid, ItemLinUCB, LinUCB
from hybandit.errors import InvalidInput
from hybandit.evaluation import (
    ESTIMATORS,
    ItemLog,
    ItemModel,
    Offer,
    doubly_robust,
    evaluate,
    ips,
    log_notes,
)
from hybandit.evaluation.progressive import teach
from hybandit.evaluation.watch import check_support, fixed_rule

TRUTH = true_value()
WEIGHTED = [name for name in ESTIMATORS if name not in ("replay", "direct")]
LOG = known_item_log(3000, seed=0)


class Constant:
    """A model that is wrong about everything."""

    def values(self, offer):
        return np.full(len(offer.names), 5.0)

    def learn(self, offer, place, reward):
        pass


class Perfect(Constant):
    def values(self, offer):
        return means_of(offer.context, offer.items)


def by_name(found):
    return {each.estimator: each for each in found.estimates}


@pytest.mark.filterwarnings("ignore::hybandit.EvaluationWarning")
def test_every_estimator_finds_the_known_value():
    found = by_name(evaluate(steady(), LOG, by=[*WEIGHTED, "direct"]))
    for name, each in found.items():
        assert each.value == pytest.approx(TRUTH, abs=0.04), name
    replayed = evaluate(steady(), LOG, by=["replay"]).estimates[0]
    assert replayed.bootstrap.low < TRUTH < replayed.bootstrap.high


@pytest.mark.filterwarnings("ignore::hybandit.EvaluationWarning")
def test_intervals_cover_the_known_value():
    covered = {"ips": 0, "snips": 0, "doubly-robust": 0}
    for seed in range(30):
        for each in evaluate(
            steady(), known_item_log(250, seed=100 + seed), by=list(covered), learn="nothing"
        ).estimates:
            covered[each.estimator] += each.bootstrap.low <= TRUTH <= each.bootstrap.high
            assert each.sure.low <= TRUTH <= each.sure.high
    # 28.5 expected of 30, at a standard deviation of 1.2.
    assert min(covered.values()) >= 25


def test_doubly_robust_is_right_with_a_wrong_model_and_steadier_with_a_right_one():
    by = ["ips", "direct", "doubly-robust"]
    wrong = by_name(evaluate(steady(), LOG, by=by, model=Constant()))
    assert wrong["direct"].value == pytest.approx(5.0)
    assert wrong["doubly-robust"].value == pytest.approx(TRUTH, abs=0.25)
    right = by_name(evaluate(steady(), LOG, by=by, model=Perfect()))
    assert right["direct"].value == pytest.approx(TRUTH, abs=0.02)
    assert np.ptp(right["doubly-robust"].bootstrap) < 0.8 * np.ptp(right["ips"].bootstrap)


def test_the_model_learns_along_the_way_and_steadies_the_estimate():
    found = by_name(evaluate(steady(), known_item_log(2000, seed=5), by=["ips", "doubly-robust"]))
    assert np.ptp(found["doubly-robust"].bootstrap) < 0.95 * np.ptp(found["ips"].bootstrap)


def test_it_is_the_walk_and_the_formula():
    found = evaluate(ItemLinUCB(2, 3, seed=0), LOG, by=["ips", "doubly-robust"])
    scores = score(ItemLinUCB(2, 3, seed=0), LOG, model=ItemModel(2, 3))
    columns = LOG.rewards, LOG.logged_propensities, scores.target
    assert found.estimates == (
        ips(*columns),
        doubly_robust(*columns, scores.predicted, scores.expected),
    )


def test_policy_and_model_know_only_earlier_events():
    short = known_item_log(60, seed=3)
    policy, model = ItemLinUCB(2, 3, seed=0), ItemModel(2, 3)
    found = score(ItemLinUCB(2, 3, seed=0), short, model=ItemModel(2, 3))
    for row, offer in enumerate(short.features):
        choice = int(short.choices[row])
        chances = policy.decide(offer.context, offer.items, ids=offer.names).probabilities
        values = model.values(offer)
        assert found.target[row] == chances[choice]
        assert found.predicted[row] == values[choice]
        assert found.expected[row] == pytest.approx(chances @ values)
        item, name, reward = offer.items[choice], offer.names[choice], float(short.rewards[row])
        policy.learn(offer.context, item, reward, id=name)
        model.learn(offer, choice, reward)


def test_a_policy_that_learns_is_judged_better_than_the_log():
    found = by_name(evaluate(ItemHybrid(2, 3, seed=0), LOG))
    assert found["doubly-robust"].bootstrap.low > LOG.rewards.mean()


def test_a_taught_policy_has_learned_every_event():
    policy, twin = ItemLinUCB(2, 3, seed=0), ItemLinUCB(2, 3, seed=0)
    teach(policy, LOG)
    for offer, choice, reward in zip(LOG.features, LOG.choices, LOG.rewards, strict=True):
        twin.learn(offer.context, offer.items[choice], reward, id=offer.names[choice])
    assert all(np.array_equal(policy.state()[name], each) for name, each in twin.state().items())


def changed(**columns):
    return replace(known_item_log(50, seed=4), **columns)


@pytest.mark.parametrize(
    ("log", "policy", "told"),
    [
        (LOG, LinUCB(2, 2, seed=0), "'policy' must be a policy of items"),
        (LOG, ItemLinUCB(2, 4, seed=0), "one of 2 features of a context and 3 of an item; got 2 a"),
        (changed(rewards=np.full(50, np.nan)), None, "'rewards' must be finite numbers"),
        (changed(choices=np.full(50, 7)), None, "'choices' must be from 0 to .*; got 7 at row 0"),
        (changed(names=[("a",)] * 50), None, "'items' must be a row of 3 numbers for each name"),
        (changed(names=[]), None, "'names' must be as many as the 50 choices; got 0"),
        (changed(contexts=np.full((50, 2), np.inf)), None, "'contexts' must be finite numbers"),
        (
            changed(propensities=[0.5 * each for each in changed().propensities]),
            None,
            "'propensities' must be 1 in sum over an offer; got 0.5 at row 0",
        ),
        (
            changed(propensities=[np.eye(len(each))[0] for each in changed().propensities]),
            None,
            "above 0 for the item that was chosen; got 0 at row",
        ),
    ],
)
def test_what_cannot_be_evaluated_is_refused_before_anything_is_learned(log, policy, told):
    with pytest.raises(InvalidInput, match=told):
        evaluate(policy or steady(), log)


def test_a_policy_of_items_needs_a_log_of_items():
    from evaluation.test_evaluate import log_of

    with pytest.raises(InvalidInput, match="'policy' must be a policy of arms"):
        evaluate(steady(), log_of(50))


def one_sided(share):
    """A log that offers two items, and never the second in this share of its events."""
    count = 1000
    certain = np.arange(count) < share * count
    generator = np.random.default_rng(0)
    choices = np.where(certain, 0, generator.integers(0, 2, count))
    chances = [np.array([1.0, 0.0] if each else [0.5, 0.5]) for each in certain]
    offer = [ITEMS[:2]] * count, [NAMES[:2]] * count
    return ItemLog(np.ones((count, 2)), *offer, choices, choices.astype(float), chances)


@pytest.mark.filterwarnings("ignore::hybandit.EvaluationWarning")
def test_choices_that_the_log_could_not_have_made_are_noted_or_refused():
    policy = ItemLinUCB(2, 3, seed=0, explore=1.0)
    found = evaluate(policy, one_sided(0.04), by=["snips"])
    assert found.notes[0] == "2.00% of the policy's choices are never logged"
    with pytest.raises(InvalidInput, match=r"20\.0% on what is never logged: item 1"):
        evaluate(policy, one_sided(0.4), by=["snips"])


def test_a_log_of_certain_choices_says_so_and_is_not_refused():
    log = one_sided(1.0)
    (note,) = fixed_rule(log)
    assert "by its propensities hardly any choice was left to chance" in note
    assert check_support(log, 0.5) == 0.5


def test_a_sound_log_brings_no_note_and_wrong_propensities_do():
    assert log_notes(LOG) == []
    assert fixed_rule(LOG) == []
    first = [np.array([0.6, *[0.4 / (len(each) - 1)] * (len(each) - 1)]) for each in LOG.items]
    (note,) = log_notes(replace(LOG, propensities=first))
    assert "the propensities do not add up for arms item" in note
    (note,) = log_notes(replace(LOG, rewards=np.repeat([0.0, 1.0], 1500)))
    assert "its mean reward is 0 in the first half and 1 in the second" in note


def test_equal_logs_have_equal_fingerprints():
    twin = known_item_log(3000, seed=0)
    assert twin.fingerprint == LOG.fingerprint
    rewards = LOG.rewards.copy()
    rewards[7] = 1.0 - rewards[7]
    renamed = [tuple(reversed(LOG.names[0])), *LOG.names[1:]]
    for other in (replace(LOG, rewards=rewards), replace(LOG, names=renamed)):
        assert other.fingerprint != LOG.fingerprint


def test_an_offer_is_a_row_of_the_log():
    offer = LOG.features[3]
    assert isinstance(offer, Offer)
    assert offer.names == LOG.names[3]
    assert len(LOG.arms) == len(LOG) == len(LOG.every_propensity)
