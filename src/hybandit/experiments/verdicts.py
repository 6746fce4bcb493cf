"""What a report says of policies that were judged on a log, in sentences."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from hybandit.evaluation import ValueEstimate, gap
from hybandit.evaluation.watch import SMALL_SAMPLE
from hybandit.reports.spread import compared, digits_of


class Standing(NamedTuple):
    """What policies, constant choices and the log itself earned; the best of each first."""

    policies: dict[str, ValueEstimate]
    constants: dict[str, ValueEstimate]
    logged: ValueEstimate


def verdict(standing: Standing) -> str:
    """Which policy won, by how much and how certainly, and what choosing by context adds."""
    (label, first), *others = standing.policies.items()
    logged = standing.logged
    digits = digits_of([first.value, logged.value])
    told = (
        f"{label} would have earned {first.value:,.{digits}f} per event "
        f"[{first.bootstrap.low:,.{digits}f}, {first.bootstrap.high:,.{digits}f}] by "
        f"{first.estimator}. That is {_compared(first, logged, digits)} than the log's own choices "
        f"({logged.value:,.{digits}f})"
    )
    if others:
        other, second = others[0]
        told = f"{told}, and {_compared(first, second, digits)} than {other}, the next"
    constants = [pair for pair in standing.constants.items() if pair[0] != label]
    if constants:
        choice, constant = constants[0]
        told = (
            f"{told}. It would have earned {_compared(first, constant, digits)} than {choice}, the "
            "best constant choice"
        )
    return f"{told}."


def advice(standing: Standing) -> str:
    """Whether to put the winner in the place of what made the log."""
    label, first = next(iter(standing.policies.items()))
    for choice, constant in standing.constants.items():
        over = gap(constant.course, first.course)
        if choice != label and over.value > 0.0 and over.sure:
            return f"Nothing speaks for a switch to {label}: {choice} is simpler and better."
    lead = gap(first.course, standing.logged.course)
    if lead.value <= 0.0:
        return "Nothing speaks for a switch."
    if lead.sure and first.effective_sample_size >= SMALL_SAMPLE:
        return f"This speaks for a switch to {label}."
    return "Whether a switch pays is open: more events will tell."


def unjudged(logged: ValueEstimate) -> str:
    """What is left to say of a log that cannot judge other choices."""
    return (
        f"Its own choices earned {logged.value:,.{digits_of([logged.value])}f} per event; what "
        "policies would have earned in their place is guesswork until some of the choices are "
        "made at random."
    )


def unsure(best: dict[str, ValueEstimate], deciding: Sequence[str] = ()) -> str:
    """How the verdict begins where a column may have decided, or the winner stands on few events.

    `deciding` has a note on such columns, or none.
    """
    first = next(iter(best.values()))
    few = first.effective_sample_size < SMALL_SAMPLE
    told = "the log says too little about this policy to be sure: " if few else ""
    if deciding:
        return f"{capital(deciding[0])}; if not, {told}"
    return capital(told)


def capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def _compared(first: ValueEstimate, second: ValueEstimate, digits: int) -> str:
    found = gap(first.course, second.course)
    return compared(found.value, *found.interval, digits)
