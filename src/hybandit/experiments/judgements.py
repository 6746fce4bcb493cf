"""Comparisons of the paper's numbers, words and claims with ours."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

from scipy.special import stdtrit

from hybandit.experiments.section import Published
from hybandit.experiments.spread import Spread

# The number of runs behind the paper's means and deviations.
PRINTED_RUNS = 20
REPRODUCED, CANNOT_TELL, NOT_REPRODUCED = "reproduced", "cannot tell", "not reproduced"
NO_DATA = "no data"


@dataclass(frozen=True)
class Verdict:
    """A printed number and ours, and whether ours reproduces it.

    `follows` names the printed numbers that this one follows from: it is then shown, but not
    counted.
    """

    experiment: str
    number: str
    published: Published
    ours: Spread | None
    outcome: str
    follows: str = ""

    @classmethod
    def of(
        cls,
        experiment: str,
        number: str,
        published: Published,
        ours: Spread | None,
        follows: str = "",
    ) -> Verdict:
        """By the 95 % interval of ours less the printed mean, which weighs both spreads.

        Reproduced: the interval lies within 5 % of the printed mean (or within its rounding,
        if that is more), or holds zero and reaches less than that to either side. Where it
        holds zero and is wider nobody can tell. A number printed without a deviation counts
        as exact.
        """
        outcome = NO_DATA if ours is None else _outcome(published, ours)
        return cls(experiment, number, published, ours, outcome, follows)


def _outcome(published: Published, ours: Spread) -> str:
    mean = published.mean or 0.0
    rounding = 0.5 * 10.0**-published.digits if published.digits else 0.0
    gap, half, close = abs(ours.mean - mean), 0.0, max(0.05 * abs(mean), rounding)
    if ours.runs > 1:
        of_theirs = (published.sd or 0.0) ** 2 / PRINTED_RUNS
        error = math.sqrt(ours.sd**2 / ours.runs + of_theirs)
        half = float(stdtrit(ours.runs - 1, 0.975)) * error
    if gap + half <= close or (gap <= half < close):
        return REPRODUCED
    return CANNOT_TELL if gap <= half else NOT_REPRODUCED


@dataclass(frozen=True)
class Word:
    """A printed word, such as the best setting of a model, and ours."""

    experiment: str
    what: str
    published: str
    ours: str
    outcome: str


@dataclass(frozen=True)
class Claim:
    """A claim of the paper without a printed number, and what was found."""

    experiment: str
    claim: str
    found: str
    holds: bool


def ratios(values: Mapping[int, float], reference: Mapping[int, float]) -> Spread | None:
    """Values over the reference: at equal seeds, or over its mean if fewer than two are shared.

    Examples
    --------
    >>> ratios({0: 3.0, 1: 6.0}, {0: 1.0, 1: 3.0}).mean
    2.5
    >>> ratios({0: 3.0, 1: 6.0}, {0: 1.5}).mean
    3.0
    """
    if not values or not reference:
        return None
    mean = sum(reference.values()) / len(reference)
    paired = len(values.keys() & reference.keys()) > 1
    if paired:
        values = {seed: value for seed, value in values.items() if seed in reference}
    below = [reference[seed] if paired else mean for seed in values]
    if not all(below):
        return None
    return Spread.of([value / under for value, under in zip(values.values(), below, strict=True)])


def percent(ratio: Spread | None) -> Spread | None:
    """A ratio as a gain in percent."""
    if ratio is None:
        return None
    return Spread(100.0 * (ratio.mean - 1.0), 100.0 * ratio.sd, ratio.runs)
