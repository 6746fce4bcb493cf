"""Estimated propensities, and whether a log can be used to evaluate a policy."""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from hybandit.datasets import EventLog, Facts, Log
from hybandit.datasets.log import BATCH, WHOLE, ArmLog
from hybandit.errors import InvalidInput
from hybandit.evaluation.folds import FITTED, FOLDS, MOST_ROWS, folds_of
from hybandit.state import Floats, Integers

# No estimate goes below this: a weight of 1,000 is more than any log can carry.
LEAST = 1e-3
# Rows were not longer than one over this before they got unit length.
LEAST_SIZE = 1e-6
# The significance level: once in a million by chance.
BY_CHANCE = 1e-6
# A straight border between arms shows in so many events.
ROWS_OF_A_BORDER = 2_000


@dataclass(frozen=True)
class EstimatedEvents(EventLog):
    """Events with estimated propensities, and the variance of their logarithms by estimation."""

    doubts: Floats | None = None


class PropensityModel:
    """How likely every arm was, by a multinomial logistic regression on up to 25,000 events.

    Cross-fitted: events are dealt into five parts, and the model for one is fitted on the
    others.
    """

    def __init__(self, sample: EventLog, places: Integers) -> None:
        if len(sample) < 2 * FOLDS:
            rule = f"at least {2 * FOLDS} events to estimate propensities"
            raise InvalidInput("log", rule, len(sample))
        self._divided = _has_sizes(sample.features)
        self._low, self._scale = _scales(self._rows(sample))
        self.events = len(sample)
        folds, scaled = folds_of(places), self._scaled(sample)
        weights = np.zeros((scaled.shape[1], sample.n_arms))
        self._weights: list[Floats] = []
        for fold in range(FOLDS):
            train = folds != fold
            # Each fit starts where the one before ended: they share most of their events.
            weights = logistic_weights(scaled[train], sample.arms[train], sample.n_arms, weights)
            self._weights.append(weights)

    def estimate(self, batch: EventLog, first: int) -> EstimatedEvents:
        """A batch, whose first event has this number in the log, with its propensities."""
        scaled, count = self._scaled(batch), len(batch)
        every = np.stack([_softmax(scaled @ weights) for weights in self._weights])
        folds = folds_of(first + np.arange(count))
        chances = every[folds, np.arange(count)]
        logged = np.log(np.maximum(every[:, np.arange(count), batch.arms], LEAST))
        chances = np.maximum(chances, LEAST)
        chances /= chances.sum(axis=1, keepdims=True)
        return EstimatedEvents(
            batch.arms, batch.rewards, batch.features, chances, batch.choice_names,
            # The jackknife: fits without a fifth of the events differ this much less than
            # fits on other events would.
            (FOLDS - 1) * logged.var(axis=0),
        )  # fmt: skip

    def _rows(self, batch: EventLog) -> Floats:
        if not self._divided:
            return _rows(batch)
        sizes = np.maximum(batch.features[..., -1:], LEAST_SIZE)
        divided: Floats = (batch.features / sizes).reshape(len(batch), -1)
        return divided

    def _scaled(self, batch: EventLog) -> Floats:
        """Columns of which most values are from 0 to 1, and a constant."""
        rows = self._rows(batch)
        scaled = np.ones((len(rows), rows.shape[1] + 1))
        scaled[:, :-1] = (rows - self._low) * self._scale
        return scaled


class Estimated(ArmLog):
    """A log without propensities, and estimates of them."""

    def __init__(self, log: ArmLog) -> None:
        from threadpoolctl import threadpool_limits

        self.log = log
        # With any number of threads the digits would be others.
        with threadpool_limits(1):
            self.model = PropensityModel(*log.sample(FITTED))

    def __len__(self) -> int:
        return len(self.log)

    @property
    def facts(self) -> Facts:
        return self.log.facts

    @property
    def sizes(self) -> tuple[int, int]:
        return self.log.sizes

    @property
    def choice_names(self) -> Sequence[str]:
        return self.log.choice_names

    @property
    def unlogged_names(self) -> Sequence[str]:
        return self.log.unlogged_names

    @property
    def has_propensities(self) -> bool:
        return True

    @property
    def has_every_propensity(self) -> bool:
        return True

    def sample(self, most: int) -> tuple[EventLog, Integers]:
        return self.log.sample(most)

    def batches(self, rows: int = BATCH, part: slice = WHOLE) -> Iterator[EstimatedEvents]:
        first = part.start
        for batch in self.log.batches(rows, part):
            yield self.model.estimate(batch, first)
            first += len(batch)


def estimated_propensities(log: EventLog) -> Floats:
    """How likely every arm was, (events, n_arms), by a multinomial logistic regression.

    Cross-fitted: events are dealt into five parts, and the model for one is fitted on
    (up to 20,000 of) the others. The value of a policy is then only as accurate as this model:
    the arms must have been chosen on the basis of these features.

    Examples
    --------
    >>> generator = np.random.default_rng(0)
    >>> arms = generator.integers(0, 2, 1000)
    >>> log = EventLog(arms, np.zeros(1000), generator.normal(size=(1000, 3)))
    >>> bool(np.abs(estimated_propensities(log) - 0.5).max() < 0.3)
    True
    """
    parts = [batch.propensities for batch in Estimated(log).batches()]
    return np.concatenate([part for part in parts if part is not None])


def logistic_weights(rows: Floats, arms: Integers, n_arms: int, start: Floats) -> Floats:
    """The weights, (columns, n_arms), of a multinomial logistic regression with a ridge of 1.

    The last column is the constant, which is not penalised. L-BFGS, in coordinates in which the
    curvature is about 1 in all directions, takes a few dozen steps whatever the columns.
    """
    from scipy.linalg import cholesky, solve_triangular
    from scipy.optimize import minimize

    count, width = rows.shape
    ridge = np.ones((width, 1))
    ridge[-1] = 1e-6
    flatness = (1.0 - 1.0 / n_arms) / n_arms
    lower = cholesky(flatness * (rows.T @ rows) + np.diag(ridge[:, 0]), lower=True)
    places = np.arange(count)

    def loss(flat: Floats) -> tuple[float, Floats]:
        weights = solve_triangular(lower, flat.reshape(width, n_arms), lower=True, trans="T")
        scores = rows @ weights
        scores -= scores.max(axis=1, keepdims=True)
        powers = np.exp(scores)
        sums = powers.sum(axis=1, keepdims=True)
        value = float((np.log(sums[:, 0]) - scores[places, arms]).sum())
        value += 0.5 * float((ridge * weights * weights).sum())
        powers /= sums
        powers[places, arms] -= 1.0
        slope = rows.T @ powers + ridge * weights
        return value / count, solve_triangular(lower, slope, lower=True).ravel() / count

    found = minimize(
        loss, (lower.T @ start).ravel(), jac=True, method="L-BFGS-B",
        options={"maxiter": 200, "ftol": 1e-9, "gtol": 1e-6},
    )  # fmt: skip
    weights: Floats = solve_triangular(lower, found.x.reshape(width, n_arms), lower=True, trans="T")
    return weights


def _has_sizes(features: Floats) -> bool:
    """Whether all rows have unit length, and their last number says what it was before.

    So does the constant of `hybandit.features.Encoder`. The odds of an arm may well be linear in
    the columns of a table, but not in such rows, and all values would then be biased.
    """
    lengths = np.square(features).sum(axis=-1)
    return bool((features[..., -1] > 0.0).all() and (np.abs(lengths - 1.0) < 1e-9).all())


def _scales(rows: Floats) -> tuple[Floats, Floats]:
    """Where each column begins, and one over its width.

    This is the width of the middle 80 % of its values: with all of a long tail, a column would be
    so small that it is hardly used. The few ones of a rare category have no such middle, and
    count in full.
    """
    low, high = np.quantile(rows, [0.1, 0.9], axis=0)
    rare = high <= low
    low, high = np.where(rare, rows.min(axis=0), low), np.where(rare, rows.max(axis=0), high)
    width = high - low
    return low, np.where(width > 0.0, 1.0 / np.where(width > 0.0, width, 1.0), 0.0)


def _softmax(scores: Floats) -> Floats:
    powers = np.exp(scores - scores.max(axis=1, keepdims=True))
    shares: Floats = powers / powers.sum(axis=1, keepdims=True)
    return shares


def _rows(log: EventLog) -> Floats:
    return np.ascontiguousarray(log.features.reshape(len(log), -1))


def left_to_chance(log: Log) -> float:
    """The share of the events in which another choice might have been chosen.

    By the propensities, it is the mean of ``1 - propensity``. Without them, it is the share of
    the arms in one half of the log that a tree (or, if it is better, a hardly penalised logistic
    regression) fitted on the other half does not foretell: 0 under a rule that they can see.

    Examples
    --------
    >>> generator = np.random.default_rng(0)
    >>> rows, drawn = generator.normal(size=(1000, 3)), generator.integers(0, 2, 1000)
    >>> by_rule = (rows[:, 0] > 0.5).astype(np.int64)
    >>> [left_to_chance(EventLog(arms, np.zeros(1000), rows)) > 0.4 for arms in (drawn, by_rule)]
    [True, False]
    """
    if log.has_propensities:
        return log.facts.chance / len(log)
    assert isinstance(log, ArmLog)
    sample, _ = log.sample(2 * MOST_ROWS)
    from sklearn.exceptions import ConvergenceWarning
    from sklearn.linear_model import LogisticRegression
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import MinMaxScaler
    from sklearn.tree import DecisionTreeClassifier

    rows, arms = _rows(sample), sample.arms
    order = np.random.default_rng(0).permutation(len(sample))
    train, test = order[: len(sample) // 2], order[len(sample) // 2 :]
    models = [(DecisionTreeClassifier(random_state=0), train[:MOST_ROWS])]
    if len(np.unique(arms[train[:ROWS_OF_A_BORDER]])) > 1:
        border = make_pipeline(MinMaxScaler(), LogisticRegression(C=1e4))
        models.append((border, train[:ROWS_OF_A_BORDER]))
    missed = []
    for model, part in models:
        with warnings.catch_warnings():
            # Nearly there is near enough.
            warnings.simplefilter("ignore", ConvergenceWarning)
            model.fit(rows[part], arms[part])
        missed.append(float((model.predict(rows[test]) != arms[test]).mean()))
    return min(missed)


def is_uniform(log: ArmLog) -> bool:
    """Whether the arms look as if they were drawn uniformly, whatever the features.

    By their counts, and by every feature's mean, which must not differ from arm to arm
    (chi-squared, at 1 in a million).
    """
    from scipy.stats import chi2, chisquare

    if len(log.facts.chosen) == 1:
        return True
    if float(chisquare(log.facts.chosen).pvalue) < BY_CHANCE:
        return False
    sample, _ = log.sample(2 * MOST_ROWS)
    counts = np.bincount(sample.arms, minlength=sample.n_arms)
    columns = _rows(sample).T
    spread = sum(1 for column in columns if np.ptp(column) > 0.0)
    limit = float(chi2.isf(BY_CHANCE / max(spread, 1), len(counts) - 1))
    return all(_between_arms(column, sample.arms, counts) < limit for column in columns)


def _between_arms(column: Floats, arms: Integers, counts: Integers) -> float:
    """How far the arms' means are apart, in squared standard errors."""
    moved = column - column.mean()
    variance = float(moved.var())
    if variance == 0.0:
        return 0.0
    sums = np.bincount(arms, moved, minlength=len(counts))
    return float((sums**2 / np.maximum(counts, 1)).sum() / variance)
