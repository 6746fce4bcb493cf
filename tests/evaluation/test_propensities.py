import numpy as np
import pytest
from evaluation.logs import known_log

from hybandit.datasets import EventLog
from hybandit.errors import InvalidInput
from hybandit.evaluation import estimated_propensities
from hybandit.evaluation.propensities import is_uniform


def test_estimates_come_near_the_true_propensities():
    log = known_log(20_000, seed=0)
    found = estimated_propensities(EventLog(log.arms, log.rewards, log.contexts))
    assert found.sum(axis=1) == pytest.approx(np.ones(20_000))
    assert np.abs(found - log.propensities).mean() < 0.01


def chosen_by(columns, weights, seed=0):
    """Arms drawn with odds that are linear in the columns, and their propensities."""
    powers = np.exp(columns @ weights)
    chances = powers / powers.sum(axis=1, keepdims=True)
    draws = np.random.default_rng(seed).random((len(columns), 1))
    return (draws < chances.cumsum(axis=1)).argmax(axis=1), chances


def test_rows_of_unit_length_are_estimated_by_what_they_were_before():
    generator = np.random.default_rng(0)
    columns = generator.normal(size=(20_000, 4)) * [1.0, 3.0, 1.0, 1.0]
    arms, chances = chosen_by(columns, 0.5 * generator.normal(size=(4, 3)))
    rows = np.column_stack([columns, np.ones(20_000)])
    rows /= np.linalg.norm(rows, axis=1, keepdims=True)
    for features in (rows, np.repeat(rows[:, None], 3, axis=1)):
        found = estimated_propensities(EventLog(arms, np.zeros(20_000), features))
        assert np.abs(found - chances).mean() < 0.01


def test_a_column_with_a_long_tail_counts_in_full():
    generator = np.random.default_rng(0)
    biases = []
    for seed in range(4):
        columns = np.exp(generator.normal(size=(4000, 1)))
        arms, _ = chosen_by(columns, np.array([[0.4, 0.0]]), seed)
        found = estimated_propensities(EventLog(arms, np.zeros(4000), columns))
        most = columns[:, 0] < 5.0
        slopes = np.polyfit(columns[most, 0], np.log(found[most, 0] / found[most, 1]), 1)
        biases.append(slopes[0] / 0.4 - 1.0)
    assert abs(np.mean(biases)) < 0.05


def test_an_event_has_no_part_in_its_own_estimate():
    generator = np.random.default_rng(0)
    contexts, arms = generator.normal(size=(60, 30)), generator.integers(0, 2, 60)
    found = estimated_propensities(EventLog(arms, np.zeros(60), contexts))
    # With 30 features for 60 events a fit on itself would be nearly sure of every arm.
    assert found[np.arange(60), arms].mean() < 0.65


def test_an_arm_logged_once_is_never_impossible():
    arms = np.zeros(50, np.int64)
    arms[7] = 1
    found = estimated_propensities(
        EventLog(arms, np.zeros(50), np.random.default_rng(0).random((50, 2)))
    )
    assert found.min() > 0.0


def test_a_rare_category_does_not_make_an_arm_next_to_impossible():
    generator = np.random.default_rng(0)
    people = generator.integers(0, 300, 1500)
    rows = (people[:, None] == np.arange(50)).astype(float)
    found = estimated_propensities(EventLog(generator.integers(0, 3, 1500), np.zeros(1500), rows))
    assert found.min() > 0.05


def test_a_few_events_are_too_few():
    with pytest.raises(InvalidInput, match="at least 10 events"):
        estimated_propensities(EventLog(np.array([0, 1]), np.zeros(2), np.zeros((2, 1))))


def test_uniform_counts_are_told_from_others():
    generator = np.random.default_rng(0)
    contexts = np.zeros((1000, 1))
    assert is_uniform(EventLog(generator.integers(0, 5, 1000), np.zeros(1000), contexts))
    skewed = generator.choice(5, 1000, p=[0.4, 0.15, 0.15, 0.15, 0.15])
    assert not is_uniform(EventLog(skewed, np.zeros(1000), contexts))


def test_arms_that_depend_on_a_feature_are_not_uniform_whatever_their_counts():
    generator = np.random.default_rng(0)
    contexts = generator.normal(size=(2000, 4))
    arms = ((contexts[:, 2] > 0) ^ (generator.random(2000) < 0.3)).astype(int)
    assert abs(arms.mean() - 0.5) < 0.05
    assert not is_uniform(EventLog(arms, np.zeros(2000), contexts))
    assert not is_uniform(EventLog(arms, np.zeros(2000), contexts[:, :, None].repeat(2, axis=2)))
