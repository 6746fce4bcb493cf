"""Warnings about a log itself, whichever policy is evaluated on it."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from hybandit.datasets import EventLog
from hybandit.errors import InvalidInput, Unquoted, argument
from hybandit.evaluation.item_log import ItemLog
from hybandit.evaluation.progressive import Log
from hybandit.evaluation.propensities import left_to_chance
from hybandit.state import Floats, Integers

# An effective sample below this size is reported as small.
SMALL_SAMPLE = 100
# Standard errors beyond which chance is no explanation.
BEYOND_CHANCE = 5.0
FEWEST_EVENTS = 20
MOST_NAMED = 3
# With less than this share of its events left to chance, a log follows a fixed rule.
LEAST_CHANCE = 0.02
# The share of a policy's choices that the log may know nothing of.
MOST_LOST = 0.05


def fixed_rule(log: Log) -> list[str]:
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
        "by its propensities hardly any choice was left to chance"
        if known
        else f"{1.0 - share:.1%} of its arms can be foretold from the other columns (if one of "
        f"them was known only after the choice, leave it out by {argument('drop')})"
    )
    return [f"the log cannot judge other choices: {why}"]


def log_notes(log: Log) -> list[str]:
    """Notes on rewards or arms that change along the log, and on inconsistent propensities.

    Items come and go, so that a change of what is chosen among them says nothing.

    Examples
    --------
    >>> rewards = np.repeat([0.0, 1.0], 100)
    >>> log_notes(EventLog(np.tile([0, 1], 100), rewards, np.ones((200, 1))))
    ['the log changes: its mean reward is 0 in the first half and 1 in the second']
    """
    if len(log) < FEWEST_EVENTS:
        return []
    return [*_drift(log), *_sums(log)]


def _drift(log: Log) -> list[str]:
    half = len(log) // 2
    notes = []
    if _differ(log.rewards[:half], log.rewards[half:]):
        first, second = log.rewards[:half].mean(), log.rewards[half:].mean()
        notes.append(
            f"the log changes: its mean reward is {first:.4g} in the first half and {second:.4g} "
            "in the second"
        )
    if isinstance(log, ItemLog):
        return notes
    moved = [
        arm
        for arm in range(log.n_arms)
        if _differ((log.arms[:half] == arm).astype(float), (log.arms[half:] == arm).astype(float))
    ]
    if moved:
        notes.append(
            f"the log changes: {_named(moved, log.names)} was chosen much more often in one half "
            "than in the other"
        )
    return notes


def _differ(first: Floats, second: Floats) -> bool:
    """Whether two means are further apart than chance allows."""
    error = np.sqrt(first.var() / len(first) + second.var() / len(second))
    return bool(abs(first.mean() - second.mean()) > BEYOND_CHANCE * error + 1e-12)


def _sums(log: Log) -> list[str]:
    """The inverse propensities of a choice add up to the number of events that offered it."""
    if log.logged_propensities is None:
        return []
    inverse = 1.0 / log.logged_propensities
    chosen, offered, names = _told_apart(log)
    means = np.bincount(chosen, inverse, minlength=len(offered)) / offered
    squares = np.bincount(chosen, inverse**2, minlength=len(offered)) / offered
    errors = np.sqrt((squares - means**2) / offered)
    beyond = np.abs(means - 1.0) > BEYOND_CHANCE * errors + 1e-9
    wrong = np.flatnonzero(beyond & (means > 0.0)).tolist()
    if not wrong:
        return []
    return [
        f"the propensities do not add up for {_named(wrong, names)}: 1 / propensity over the "
        "events that chose an arm should sum to the number of events where it could be chosen"
    ]


def _told_apart(log: Log) -> tuple[Integers, Floats, Sequence[str]]:
    """Choices by number, in how many events each was offered, and names of the numbers."""
    if isinstance(log, EventLog):
        return log.arms, np.full(log.n_arms, float(len(log))), log.names
    numbers: dict[str, int] = {}
    offers = [[numbers.setdefault(name, len(numbers)) for name in each] for each in log.names]
    chosen = [offer[choice] for offer, choice in zip(offers, log.choices.tolist(), strict=True)]
    offered = np.bincount(np.concatenate(offers)).astype(np.float64)
    return np.array(chosen), offered, list(numbers)


def check_support(log: Log, lost: Floats) -> float:
    """The share of the policy's choices that the log knows nothing of; refused if it is large.

    A log that followed a fixed rule says so before all else, and is not refused.
    """
    share = float(lost.mean())
    if share <= MOST_LOST or (isinstance(log, ItemLog) and fixed_rule(log)):
        return share
    never = log.unlogged_names
    shown = ", ".join(never[:5]) + (" and others" if never[5:] else "")
    rule = f"choices of logged arms for at least {1 - MOST_LOST:.0%} of the events"
    raise InvalidInput("policy", rule, Unquoted(f"{share:.1%} on what is never logged: {shown}"))


def _named(arms: Sequence[int], names: Sequence[str]) -> str:
    known = [names[arm] if names else str(arm) for arm in arms]
    shown = ", ".join(known[:MOST_NAMED])
    more = f" and {len(known) - MOST_NAMED} more" if len(known) > MOST_NAMED else ""
    return f"arm {shown}{more}" if len(known) == 1 else f"arms {shown}{more}"
