"""Estimated propensities, and whether a log can be used to evaluate a policy."""

from __future__ import annotations

import warnings

import numpy as np

from hybandit.datasets import EventLog
from hybandit.errors import InvalidInput
from hybandit.evaluation.progressive import Log
from hybandit.state import Flags, Floats, Integers

FOLDS = 5
# A fit on so many events is as good as on all, and takes seconds.
MOST_ROWS = 20_000
# No estimate goes below this: a weight of 1,000 is more than any log can carry.
LEAST = 1e-3
# The significance level: once in a million by chance.
BY_CHANCE = 1e-6
# A straight border between arms shows in so many events.
ROWS_OF_A_BORDER = 2_000


def estimated_propensities(log: EventLog, *, seed: int = 0) -> Floats:
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
    rows = np.ascontiguousarray(log.features.reshape(len(log), -1))
    if len(log) < 2 * FOLDS:
        raise InvalidInput("log", f"at least {2 * FOLDS} events to estimate propensities", len(log))
    generator = np.random.default_rng(seed)
    parts = generator.permutation(len(log)) % FOLDS
    chances = np.empty((len(log), log.n_arms))
    for part in range(FOLDS):
        others = np.flatnonzero(parts != part)
        if len(others) > MOST_ROWS:
            others = generator.choice(others, MOST_ROWS, replace=False)
        chances[parts == part] = _fitted(rows, log.arms, others, parts == part, log.n_arms)
    chances = np.maximum(chances, LEAST)
    chances /= chances.sum(axis=1, keepdims=True)
    return chances


def _fitted(rows: Floats, arms: Integers, train: Integers, test: Flags, n_arms: int) -> Floats:
    """Probabilities of the test rows by a fit on the training rows."""
    from sklearn.linear_model import LogisticRegression
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import MinMaxScaler

    chances = np.zeros((int(test.sum()), n_arms))
    known = np.unique(arms[train])
    if len(known) == 1:
        chances[:, known[0]] = 1.0
        return chances
    # By their range: a rare category, divided by its small deviation, would hardly be penalised.
    model = make_pipeline(MinMaxScaler(), LogisticRegression(max_iter=1000))
    model.fit(rows[train], arms[train])
    chances[:, known] = model.predict_proba(rows[test])
    return chances


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
    chances = log.logged_propensities
    if chances is not None:
        return float((1.0 - chances).mean())
    assert isinstance(log, EventLog)
    from sklearn.exceptions import ConvergenceWarning
    from sklearn.linear_model import LogisticRegression
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import MinMaxScaler
    from sklearn.tree import DecisionTreeClassifier

    rows = np.ascontiguousarray(log.features.reshape(len(log), -1))
    order = np.random.default_rng(0).permutation(len(log))
    train, test = order[: len(log) // 2], order[len(log) // 2 :]
    models = [(DecisionTreeClassifier(random_state=0), train[:MOST_ROWS])]
    if len(np.unique(log.arms[train[:ROWS_OF_A_BORDER]])) > 1:
        border = make_pipeline(MinMaxScaler(), LogisticRegression(C=1e4))
        models.append((border, train[:ROWS_OF_A_BORDER]))
    missed = []
    for model, part in models:
        with warnings.catch_warnings():
            # Nearly there is near enough.
            warnings.simplefilter("ignore", ConvergenceWarning)
            model.fit(rows[part], log.arms[part])
        missed.append(float((model.predict(rows[test]) != log.arms[test]).mean()))
    return min(missed)


def is_uniform(log: EventLog) -> bool:
    """Whether the arms look as if they were drawn uniformly, whatever the features.

    By their counts, and by every feature's mean, which must not differ from arm to arm
    (chi-squared, at 1 in a million).
    """
    from scipy.stats import chi2, chisquare

    counts = np.bincount(log.arms, minlength=log.n_arms)
    if len(counts) == 1:
        return True
    if float(chisquare(counts).pvalue) < BY_CHANCE:
        return False
    columns = log.features.reshape(len(log), -1).T
    spread = sum(1 for column in columns if np.ptp(column) > 0.0)
    limit = float(chi2.isf(BY_CHANCE / max(spread, 1), len(counts) - 1))
    return all(_between_arms(column, log.arms, counts) < limit for column in columns)


def _between_arms(column: Floats, arms: Integers, counts: Integers) -> float:
    """How far the arms' means are apart, in squared standard errors."""
    moved = column - column.mean()
    variance = float(moved.var())
    if variance == 0.0:
        return 0.0
    sums = np.bincount(arms, moved, minlength=len(counts))
    return float((sums**2 / np.maximum(counts, 1)).sum() / variance)
