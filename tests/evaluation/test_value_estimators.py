import numpy as np
import pytest
from evaluation.logs import known_log, true_value
from hypothesis import given, settings
from hypothesis import strategies as st

from hybandit.errors import InvalidInput
from hybandit.evaluation import (
    clipped,
    direct,
    doubly_robust,
    ips,
    model_terms,
    replay,
    snips,
    switch,
    switch_doubly_robust,
)

REWARDS = np.array([1.0, 0.0, 2.0, 1.0, 0.5])
PROPENSITIES = np.array([0.5, 0.25, 0.1, 0.05, 1.0])
TARGET = np.array([0.5, 0.5, 0.0, 1.0, 0.25])
WEIGHTS = np.array([1.0, 2.0, 0.0, 20.0, 0.25])
PREDICTED = np.array([0.5, 0.5, 1.0, 0.75, 0.5])
EXPECTED = np.array([0.25, 0.5, 0.75, 1.0, 0.5])
LOGS = 200


def approximately(value):
    return pytest.approx(value, rel=1e-12)


def test_each_estimator_is_its_formula():
    columns = REWARDS, PROPENSITIES, TARGET
    small = np.array([1.0, 2.0, 0.0, 0.0, 0.25])
    assert ips(*columns).value == approximately((WEIGHTS * REWARDS).mean())
    assert snips(*columns).value == approximately((WEIGHTS * REWARDS).sum() / WEIGHTS.sum())
    assert clipped(*columns, threshold=5.0).value == approximately(
        (np.array([1.0, 2.0, 0.0, 5.0, 0.25]) * REWARDS).mean()
    )
    beyond = np.array([0.0, 0.0, 0.0, 0.9, 0.0])
    assert switch(*columns, beyond).value == approximately((small * REWARDS + beyond).mean())
    assert direct(REWARDS, EXPECTED).value == approximately(EXPECTED.mean())
    corrected = EXPECTED + WEIGHTS * (REWARDS - PREDICTED)
    assert doubly_robust(*columns, PREDICTED, EXPECTED).value == approximately(corrected.mean())
    corrected = EXPECTED + small * (REWARDS - PREDICTED)
    assert switch_doubly_robust(*columns, PREDICTED, EXPECTED).value == approximately(
        corrected.mean()
    )
    matched = np.array([True, False, True, True, False])
    assert replay(REWARDS, matched).value == approximately(4.0 / 3.0)


def test_the_result_tells_how_much_stands_on_how_few():
    found = ips(REWARDS, PROPENSITIES, TARGET)
    assert found.effective_sample_size == approximately(WEIGHTS.sum() ** 2 / (WEIGHTS**2).sum())
    assert (found.largest_weight, found.rows, found.estimator) == (20.0, 5, "ips")
    assert clipped(REWARDS, PROPENSITIES, TARGET, threshold=5.0).largest_weight == 5.0
    assert replay(REWARDS, np.array([True, False, True, True, False])).rows == 3
    model = direct(REWARDS, EXPECTED)
    assert (model.effective_sample_size, model.largest_weight) == (5.0, 1.0)


def test_predictions_of_all_arms_become_those_that_matter():
    target, predictions = np.array([[0.2, 0.8], [1.0, 0.0]]), np.array([[1.0, 2.0], [3.0, 4.0]])
    predicted, expected = model_terms([1, 1], target, predictions)
    assert predicted.tolist() == [2.0, 4.0]
    assert expected == pytest.approx([1.8, 3.0])


@pytest.fixture(scope="module")
def estimates():
    """Every estimator on 200 logs of 1,000 events, with a good model and with a poor one."""
    found = {}
    for seed in range(LOGS):
        log = known_log(1000, seed)
        rows = np.arange(len(log.arms))
        columns = log.rewards, log.propensities[rows, log.arms], log.target[rows, log.arms]
        good = model_terms(log.arms, log.target, 0.9 * log.means + 0.05)
        poor = model_terms(log.arms, log.target, np.full_like(log.means, 0.2))
        for name, estimate in {
            "ips": ips(*columns),
            "snips": snips(*columns),
            "doubly robust": doubly_robust(*columns, *good),
            "doubly robust, poor model": doubly_robust(*columns, *poor),
            "switch doubly robust": switch_doubly_robust(*columns, *good),
        }.items():
            found.setdefault(name, []).append(estimate)
    return found


@pytest.fixture(scope="module")
def truth():
    return true_value()


def test_ips_snips_and_doubly_robust_are_unbiased(estimates, truth):
    for name in ("ips", "snips", "doubly robust", "doubly robust, poor model"):
        values = np.array([estimate.value for estimate in estimates[name]])
        error = values.std(ddof=1) / np.sqrt(LOGS)
        assert abs(values.mean() - truth) < 3.0 * error, name


def test_a_good_model_makes_doubly_robust_steadier_than_ips(estimates, truth):
    def error(name):
        return np.mean([(estimate.value - truth) ** 2 for estimate in estimates[name]])

    assert error("doubly robust") < 0.8 * error("ips")


def test_intervals_hold_the_truth_as_often_as_they_say(estimates, truth):
    for name, each in estimates.items():
        inside = np.mean([e.bootstrap.low <= truth <= e.bootstrap.high for e in each])
        assert 0.92 <= inside <= 0.98, name
        sure = np.mean([e.sure.low <= truth <= e.sure.high for e in each])
        assert sure >= 0.95, name


def test_replay_of_a_uniform_log_is_unbiased_and_its_intervals_hold():
    generator = np.random.default_rng(3)
    values, inside, sure = [], 0, 0
    for _ in range(LOGS):
        arms, chosen = generator.integers(0, 4, (2, 2000))
        rewards = (generator.random(2000) < 0.2 + 0.1 * arms).astype(float)
        chosen = np.maximum(chosen, 2)
        found = replay(rewards, arms == chosen)
        truth = 0.75 * 0.4 + 0.25 * 0.5
        values.append(found.value)
        inside += found.bootstrap.low <= truth <= found.bootstrap.high
        sure += found.sure.low <= truth <= found.sure.high
    assert abs(np.mean(values) - truth) < 3.0 * np.std(values) / np.sqrt(LOGS)
    assert 0.92 <= inside / LOGS <= 0.98
    assert sure / LOGS >= 0.95


def test_whoever_looks_again_as_a_log_grows_is_right_by_the_interval_for_all_times():
    generator = np.random.default_rng(7)
    looks, logs = range(100, 2001, 380), 40
    wrong = {"sure": 0, "bootstrap": 0}
    for _ in range(logs):
        arms = generator.integers(0, 4, 2000)
        rewards = (generator.random(2000) < 0.2 + 0.1 * arms).astype(float)
        target, chances = np.where(arms == 3, 0.7, 0.1), np.full(2000, 0.25)
        truth = 0.7 * 0.5 + 0.1 * (0.2 + 0.3 + 0.4)
        found = [ips(rewards[:n], chances[:n], target[:n]) for n in looks]
        for name in wrong:
            each = [getattr(one, name) for one in found]
            wrong[name] += any(not low <= truth <= high for low, high in each)
        assert found[-1].sure.high - found[-1].sure.low < 0.2
    assert wrong["sure"] <= 0.05 * logs
    assert wrong["bootstrap"] > 0.1 * logs


def test_the_sure_interval_of_clicks_stays_within_0_and_1_that_of_sums_within_the_log():
    clicks, ones = np.array([0.0, 1.0, 1.0, 0.0]), np.ones(4)
    columns = clicks, np.full(4, 0.5), np.full(4, 0.5)
    estimates = [
        ips(*columns),
        snips(*columns),
        clipped(*columns),
        replay(clicks, ones == 1.0),
        direct(clicks, clicks),
        switch(*columns, np.zeros(4)),
        doubly_robust(*columns, ones / 2, ones / 2),
        switch_doubly_robust(*columns, ones / 2, ones / 2),
    ]
    for found in estimates:
        assert found.sure == (0.0, 1.0), found.estimator
    assert ips(3.0 * clicks, *columns[1:]).sure == (0.0, 3.0)


@settings(max_examples=50, deadline=None)
@given(st.lists(st.tuples(st.floats(0, 1), st.floats(0.01, 1), st.floats(0.01, 1)), min_size=2))
def test_intervals_surround_the_value_and_snips_stays_among_the_rewards(rows):
    rewards, propensities, target = np.array(rows).T
    for estimator in (ips, snips, clipped):
        found = estimator(rewards, propensities, target)
        assert found.sure.low <= found.value <= found.sure.high
        assert 0.0 < found.effective_sample_size <= len(rows) * (1 + 1e-9)
    assert rewards.min() - 1e-9 <= snips(rewards, propensities, target).value
    assert snips(rewards, propensities, target).value <= rewards.max() + 1e-9


@pytest.mark.parametrize(
    ("column", "value", "told"),
    [
        ("propensities", 0.0, "'propensities' must be above 0 and at most 1; got 0 at row 1"),
        ("propensities", 1.5, "'propensities' must be above 0 and at most 1; got 1.5 at row 1"),
        ("propensities", np.nan, "'propensities' must be finite numbers, none missing; got nan at"),
        ("propensities", None, "'propensities' must be finite numbers, none missing; got nan at"),
        ("rewards", "yes", "'rewards' must be numbers, one for each event; got 'yes'"),
        ("rewards", np.inf, "'rewards' must be finite numbers, none missing; got inf at row 1"),
        ("target", -0.1, "'target' must be from 0 to 1; got -0.1 at row 1"),
        ("target", 1.1, "'target' must be from 0 to 1; got 1.1 at row 1"),
    ],
)
@pytest.mark.parametrize("estimator", [ips, snips, clipped])
def test_bad_entries_are_refused_by_name_and_row(estimator, column, value, told):
    columns = {
        "rewards": REWARDS.astype(object),
        "propensities": PROPENSITIES.astype(object),
        "target": TARGET.astype(object),
    }
    columns[column][1] = value
    with pytest.raises(InvalidInput, match=told):
        estimator(**columns)


def test_a_policy_that_never_plays_a_logged_arm_is_refused():
    with pytest.raises(InvalidInput, match="the log says nothing of this policy"):
        ips(REWARDS, PROPENSITIES, np.zeros(5))
    with pytest.raises(InvalidInput, match="'matched' must be true for at least one event"):
        replay(REWARDS, np.zeros(5, bool))


@pytest.mark.parametrize("count", [0, 1, 4])
def test_columns_are_of_one_length_and_more_than_one_event(count):
    with pytest.raises(InvalidInput):
        ips(REWARDS[:count], PROPENSITIES, TARGET)


def test_a_threshold_is_above_0():
    with pytest.raises(InvalidInput, match="threshold"):
        clipped(REWARDS, PROPENSITIES, TARGET, threshold=0.0)
