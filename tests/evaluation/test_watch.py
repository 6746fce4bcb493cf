import numpy as np
import pytest

from hybandit.datasets import EventLog
from hybandit.errors import InvalidInput
from hybandit.evaluation import ItemLog, log_notes
from hybandit.evaluation.watch import check_support, fixed_rule

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


def test_a_log_that_leaves_hardly_anything_to_chance_cannot_judge_others():
    for chance in (1.0, 0.999):
        (note,) = fixed_rule(EventLog(ARMS, REWARDS, ROWS, np.full(COUNT, chance)))
        assert "by its propensities hardly any choice was left to chance" in note
    assert fixed_rule(EventLog(ARMS, REWARDS, ROWS, np.full(COUNT, 0.95))) == []
    table = np.eye(4)[ARMS]
    assert len(fixed_rule(EventLog(ARMS, REWARDS, ROWS, table))) == 1


def test_little_chance_in_a_long_log_is_enough():
    count = 20_000
    log = EventLog(np.tile(ARMS, 10), np.zeros(count), np.ones((count, 1)), np.full(count, 0.99))
    assert fixed_rule(log) == []


def test_arms_by_a_rule_of_the_features_are_found_without_propensities():
    rows = GENERATOR.normal(size=(COUNT, 3))
    rules = {
        "two steps": (rows[:, 0] > 0.0) & (rows[:, 1] < 0.5),
        "neither": (rows[:, 0] > 0.0) ^ (rows[:, 2] > 0.0),
        "a slope": rows @ [1.0, -2.0, 0.5] > 0.3,
    }
    for name, arms in rules.items():
        (note,) = fixed_rule(EventLog(arms.astype(np.int64), REWARDS, rows))
        assert "can be foretold from the other columns" in note, name
    noisy = rules["two steps"] ^ (GENERATOR.random(COUNT) < 0.05)
    assert fixed_rule(EventLog(noisy.astype(np.int64), REWARDS, rows)) == []
    assert fixed_rule(EventLog(ARMS, REWARDS, rows)) == []


def test_few_events_without_propensities_are_not_taken_for_a_rule():
    arms = np.repeat([0, 1], 30)
    assert fixed_rule(EventLog(arms, np.zeros(60), arms[:, None].astype(float))) == []


def test_features_of_arms_may_tell_the_rule_too():
    rows = GENERATOR.random((COUNT, 4, 2))
    best = rows[:, :2, 0].argmax(axis=1)
    assert len(fixed_rule(EventLog(best, REWARDS, rows))) == 1


def test_a_half_with_one_arm_only_is_no_trouble():
    arms = np.zeros(COUNT, np.int64)
    arms[0] = 1
    assert len(fixed_rule(EventLog(arms, REWARDS, GENERATOR.random((COUNT, 2))))) == 1


def test_little_lost_is_a_number_and_much_is_refused_by_the_arms_names():
    log = EventLog(
        np.zeros(4, np.int64), np.zeros(4), np.zeros((4, 1)), names=("tea", "beer", "wine")
    )
    assert check_support(log, 0.04) == pytest.approx(0.04)
    with pytest.raises(InvalidInput, match=r"31\.0% on what is never logged: beer, wine"):
        check_support(log, 0.31)


def sharp_log(seed, told=None, count=300):
    """Two of three items, and what is best changes: the others have a hundredth, as in a loop."""
    generator = np.random.default_rng([seed, 7])
    names, choices, propensities = [], [], []
    for _ in range(count):
        offer = tuple(generator.permutation(["tea", "wine", "beer"])[:2])
        best = int(generator.random() < 0.5)
        chances = np.where(np.arange(2) == best, 0.99, 0.01)
        names.append(offer)
        choices.append(int(generator.choice(2, p=chances)))
        propensities.append(chances if told is None else np.array(told))
    rows = [np.zeros((2, 0))] * count
    zeros = np.zeros(count)
    return ItemLog(zeros[:, None], rows, names, np.array(choices), zeros, propensities)


@pytest.mark.parametrize("seed", range(20))
def test_rare_choices_that_did_not_come_are_no_wrong_propensities(seed):
    log = sharp_log(seed)
    assert log_notes(log) == []
    places = EventLog(log.choices, log.rewards, log.contexts, np.array(log.propensities))
    assert log_notes(places) == []


@pytest.mark.parametrize("seed", range(20))
def test_wrong_propensities_of_a_short_log_of_items_are_told(seed):
    (note,) = log_notes(sharp_log(seed, told=[0.9, 0.1]))
    assert "do not add up for arms" in note
