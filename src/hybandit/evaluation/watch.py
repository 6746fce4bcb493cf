"""Warnings about a log itself, whichever policy is evaluated on it."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from hybandit.datasets import Log
from hybandit.errors import InvalidInput, Unquoted, argument
from hybandit.evaluation.propensities import left_to_chance
from hybandit.state import Flags, Floats

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
    >>> from hybandit.datasets import EventLog
    >>> arms = np.tile([0, 1], 100)
    >>> fixed_rule(EventLog(arms, np.zeros(200), np.ones((200, 1)), np.ones(200)))[0][:42]
    'the log cannot judge other choices: by its'
    """
    known = log.has_propensities
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
    >>> from hybandit.datasets import EventLog
    >>> rewards = np.repeat([0.0, 1.0], 100)
    >>> log_notes(EventLog(np.tile([0, 1], 100), rewards, np.ones((200, 1))))
    ['the log changes: its mean reward is 0 in the first half and 1 in the second']
    """
    if len(log) < FEWEST_EVENTS:
        return []
    return [*_drift(log), *_sums(log)]


def _drift(log: Log) -> list[str]:
    first, second = log.facts.halves()
    notes = []
    if _differ(first, second):
        notes.append(
            f"the log changes: its mean reward is {first[1]:.4g} in the first half and "
            f"{second[1]:.4g} in the second"
        )
    if log.of_items:
        return notes
    early, late = log.facts.choices_in_halves()
    moved = np.flatnonzero(_differ(_shares(early), _shares(late))).tolist()
    if moved:
        notes.append(
            f"the log changes: {_named(moved, log.choice_names)} was chosen much more often in one "
            "half than in the other"
        )
    return notes


def _shares(counts: Floats) -> Floats:
    """Events, the share of each choice, and its variance: (3, choices)."""
    share = counts / counts.sum()
    return np.stack([np.full(len(counts), counts.sum()), share, share * (1.0 - share)])


def _differ(first: Floats, second: Floats) -> Flags:
    """Whether means, of so many events with such variances, differ more than chance allows."""
    error = np.sqrt(first[2] / first[0] + second[2] / second[0])
    beyond: Flags = np.abs(first[1] - second[1]) > BEYOND_CHANCE * error + 1e-12
    return beyond


def _sums(log: Log) -> list[str]:
    """The inverse propensities of a choice add up to the number of events that offered it.

    The variance of one is its own inverse less 1. Where all probabilities are known, it is added
    up over all events, and choices that an event makes hardly ever are left out there: rare ones
    that did not come would look like wrong propensities.
    """
    if not log.has_propensities:
        return []
    facts = log.facts
    if facts.likely is not None:
        events, squares, sums = facts.likely
    else:
        events, (sums, squares) = np.full(len(facts.chosen), float(len(log))), facts.inverse[:2]
        # Some choices may be missing because they were rare: as rare as the rarest in the log.
        squares = squares + np.maximum(events - sums, 0.0) / facts.propensities[0]
    beyond = np.abs(sums - events) > BEYOND_CHANCE * np.sqrt(squares) + 1e-9
    wrong = np.flatnonzero(beyond & (facts.chosen > 0.0)).tolist()
    if not wrong:
        return []
    return [
        f"the propensities do not add up for {_named(wrong, log.choice_names)}: 1 / propensity "
        "over the events that chose an arm should sum to the number of events where it could be "
        "chosen"
    ]


def check_support(log: Log, share: float) -> float:
    """The `share` of a policy's choices that the log knows nothing of; refused if it is large.

    A log that followed a fixed rule says so before all else, and is not refused.
    """
    if share <= MOST_LOST or (log.of_items and fixed_rule(log)):
        return share
    never = log.unlogged_names
    shown = ", ".join(never[:5]) + (" and others" if never[5:] else "")
    rule = f"choices of logged arms for at least {1 - MOST_LOST:.0%} of the events"
    raise InvalidInput("policy", rule, Unquoted(f"{share:.1%} on what is never logged: {shown}"))


def _named(arms: Sequence[int], names: Sequence[str]) -> str:
    known = [names[arm] for arm in arms]
    shown = ", ".join(known[:MOST_NAMED])
    more = f" and {len(known) - MOST_NAMED} more" if len(known) > MOST_NAMED else ""
    return f"arm {shown}{more}" if len(known) == 1 else f"arms {shown}{more}"
