"""Comparisons of the paper's numbers, words and claims with ours."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

from scipy.special import stdtrit

from hybandit.paper.judgement.values import Published
from hybandit.reports.spread import Difference, Spread, paired

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
        as exact; one run of ours is taken to spread as the paper's do, and tells nothing
        where no deviation is printed either.
        """
        outcome = NO_DATA if ours is None else _outcome(published, ours)
        return cls(experiment, number, published, ours, outcome, follows)


def _outcome(published: Published, ours: Spread) -> str:
    mean = published.mean or 0.0
    rounding = 0.5 * 10.0**-published.digits if published.digits else 0.0
    gap, half, close = (
        abs(ours.mean - mean),
        _half(published, ours),
        max(0.05 * abs(mean), rounding),
    )
    if half is None:
        return CANNOT_TELL
    if gap + half <= close or (gap <= half < close):
        return REPRODUCED
    return CANNOT_TELL if gap <= half else NOT_REPRODUCED


def _half(published: Published, ours: Spread) -> float | None:
    """Half of Welch's 95 % interval of the difference; None if nothing tells how wide it is."""
    theirs = (published.sd or 0.0) ** 2 / PRINTED_RUNS
    freedom = PRINTED_RUNS - 1.0
    if ours.runs > 1:
        own = ours.sd**2 / ours.runs
        shares = own**2 / (ours.runs - 1) + theirs**2 / freedom
        freedom = (own + theirs) ** 2 / shares if shares else freedom
    elif published.sd is not None:
        own = published.sd**2
    else:
        return None
    return float(stdtrit(freedom, 0.975)) * math.sqrt(own + theirs)


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
    """A claim of the paper without a printed number, and what was found.

    `holds`: None where the runs cannot tell.
    """

    experiment: str
    claim: str
    found: str
    holds: bool | None

    @property
    def answer(self) -> str:
        return {None: CANNOT_TELL, True: "yes", False: "NO"}[self.holds]


def all_above(gaps: Iterable[Difference]) -> bool | None:
    """Whether every difference is above zero; None where chance leaves that open."""
    found = list(gaps)
    if any(gap.high <= 0.0 for gap in found):
        return False
    return True if all(gap.low > 0.0 for gap in found) else None


def all_within(gaps: Iterable[Difference], margin: float) -> bool | None:
    """Whether every difference is within a margin of zero; None where chance leaves that open."""
    found = list(gaps)
    if any(gap.low > margin or gap.high < -margin for gap in found):
        return False
    return True if all(max(gap.high, -gap.low) <= margin for gap in found) else None


# Values by seed of two models, by what is said of the pair.
Pairs = Mapping[str, tuple[Mapping[int, float], Mapping[int, float]]]


def claim_more(experiment: str, claim: str, pairs: Pairs) -> list[Claim]:
    """The claim that the first of every pair has more; nothing while runs are missing."""
    return _claimed(experiment, claim, pairs, all_above)


def claim_within(experiment: str, claim: str, pairs: Pairs, margin: float) -> list[Claim]:
    """The claim that the first of every pair is within a margin of the second."""
    return _claimed(experiment, claim, pairs, lambda gaps: all_within(gaps, margin))


def claims_more(experiment: str, claims: Mapping[str, Pairs]) -> list[Claim]:
    """Several such claims."""
    return [one for claim, pairs in claims.items() for one in claim_more(experiment, claim, pairs)]


def _claimed(
    experiment: str,
    claim: str,
    pairs: Pairs,
    judge: Callable[[Iterable[Difference]], bool | None],
) -> list[Claim]:
    gaps = differences(pairs)
    found = "; ".join(f"{what} {gap}" for what, gap in gaps.items())
    return [Claim(experiment, claim, found, judge(gaps.values()))] if gaps else []


def differences(pairs: Pairs) -> dict[str, Difference]:
    """All of them, with intervals that hold together; nothing while runs are missing."""
    found = {what: paired(*both, comparisons=len(pairs)) for what, both in pairs.items()}
    known = {what: gap for what, gap in found.items() if gap is not None}
    return known if len(known) == len(pairs) else {}


def ratios(values: Mapping[int, float], reference: Mapping[int, float]) -> Spread | None:
    """Values over the reference: at equal seeds, or over its mean if fewer than two are shared."""
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
