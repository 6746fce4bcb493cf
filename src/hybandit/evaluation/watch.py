"""Warnings about a log itself, whichever policy is evaluated on it."""

from __future__ import annotations

import numpy as np

from hybandit.datasets import EventLog
from hybandit.errors import argument
from hybandit.evaluation.evaluate import SMALL_SAMPLE
from hybandit.evaluation.progressive import logged_propensities
from hybandit.evaluation.propensities import left_to_chance
from hybandit.state import Floats

# Standard errors beyond which chance is no explanation.
BEYOND_CHANCE = 5.0
FEWEST_EVENTS = 20
MOST_NAMED = 3
# With less than this share of its events left to chance, a log follows a fixed rule.
LEAST_CHANCE = 0.02


def fixed_rule(log: EventLog) -> list[str]:
    """A note if the log cannot judge other choices, because a fixed rule made its own.

    A long log may leave little to chance: what counts is then the number of such events. Without
    propensities it is not known, and a log of few events says too little in any case.

    Examples
    --------
    >>> arms = np.tile([0, 1], 100)
    >>> fixed_rule(EventLog(arms, np.zeros(200), np.ones((200, 1)), np.ones(200)))[0][:42]
    'the log cannot judge other choices: by its'
    """
    known = log.propensities is not None
    if not known and len(log) < SMALL_SAMPLE:
        return []
    share = left_to_chance(log)
    if share >= LEAST_CHANCE or (known and share * len(log) >= SMALL_SAMPLE):
        return []
    why = (
        "by its propensities hardly any arm was chosen by chance"
        if known
        else f"{1.0 - share:.1%} of its arms can be foretold from the other columns (if one of "
        f"them was known only after the choice, leave it out by {argument('drop')})"
    )
    return [f"the log cannot judge other choices: {why}"]


def log_notes(log: EventLog) -> list[str]:
    """Notes on rewards or arms that change along the log, and on inconsistent propensities.

    Examples
    --------
    >>> rewards = np.repeat([0.0, 1.0], 100)
    >>> log_notes(EventLog(np.tile([0, 1], 100), rewards, np.ones((200, 1))))
    ['the log changes: its mean reward is 0 in the first half and 1 in the second']
    """
    if len(log) < FEWEST_EVENTS:
        return []
    return [*_drift(log), *_sums(log)]


def _drift(log: EventLog) -> list[str]:
    half = len(log) // 2
    notes = []
    if _differ(log.rewards[:half], log.rewards[half:]):
        first, second = log.rewards[:half].mean(), log.rewards[half:].mean()
        notes.append(
            f"the log changes: its mean reward is {first:.4g} in the first half and {second:.4g} "
            "in the second"
        )
    moved = [
        arm
        for arm in range(log.n_arms)
        if _differ((log.arms[:half] == arm).astype(float), (log.arms[half:] == arm).astype(float))
    ]
    if moved:
        notes.append(
            f"the log changes: {_named(log, moved)} was chosen much more often in one half than "
            "in the other"
        )
    return notes


def _differ(first: Floats, second: Floats) -> bool:
    """Whether two means are further apart than chance allows."""
    error = np.sqrt(first.var() / len(first) + second.var() / len(second))
    return bool(abs(first.mean() - second.mean()) > BEYOND_CHANCE * error + 1e-12)


def _sums(log: EventLog) -> list[str]:
    """The inverse propensities of an arm's events add up to the number of all events."""
    chances = logged_propensities(log)
    if chances is None:
        return []
    wrong = []
    for arm in range(log.n_arms):
        inverse = np.where(log.arms == arm, 1.0 / chances, 0.0)
        error = inverse.std() / np.sqrt(len(log))
        if inverse.any() and abs(inverse.mean() - 1.0) > BEYOND_CHANCE * error + 1e-9:
            wrong.append(arm)
    if not wrong:
        return []
    return [
        f"the propensities do not add up for {_named(log, wrong)}: 1 / propensity over the events "
        "of an arm should sum to the number of all events, unless the arm was not always available"
    ]


def _named(log: EventLog, arms: list[int]) -> str:
    names = [log.names[arm] if log.names else str(arm) for arm in arms]
    shown = ", ".join(names[:MOST_NAMED])
    more = f" and {len(names) - MOST_NAMED} more" if len(names) > MOST_NAMED else ""
    return f"arm {shown}{more}" if len(names) == 1 else f"arms {shown}{more}"
