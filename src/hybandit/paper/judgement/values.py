"""Values that only the audit's tables have: printed numbers, gains in percent, parts of a whole."""

from __future__ import annotations

from dataclasses import dataclass, field

from hybandit.reports.spread import FOR_PEOPLE, Difference, Numbers, Spread


@dataclass(frozen=True)
class Published(Numbers):
    """A printed number, with its standard deviation where one is printed, too.

    `digits` is how many the paper prints after the point, where there is no deviation.
    """

    mean: float | None
    sd: float | None = None
    digits: int = field(default=0, metadata=FOR_PEOPLE)

    def __str__(self) -> str:
        if self.sd is None:
            return "?" if self.mean is None else f"{self.mean:,.{self.digits}f}"
        if self.mean is None:
            return f"? ± {self.sd:.2f}"
        return str(Spread(self.mean, self.sd, 2))


@dataclass(frozen=True)
class PublishedShare(Numbers):
    """A printed mean reward, which the paper gives to two digits, and its deviation."""

    mean: float | None
    sd: float | None

    def __str__(self) -> str:
        mean, sd = ("?" if each is None else f"{each:.2f}" for each in (self.mean, self.sd))
        return f"{mean} ± {sd}"


@dataclass(frozen=True)
class PublishedRun(Numbers):
    """A printed reward and the seconds it took."""

    reward: float
    seconds: float

    def __str__(self) -> str:
        return f"{self.reward:,} / {self.seconds:,.0f} s"


@dataclass(frozen=True)
class Gain(Numbers):
    """How much more one model earns: in percent, and by pairs if both have equal seeds."""

    percent: float
    mean: float | None = None
    low: float | None = None
    high: float | None = None
    runs: int | None = None

    def __str__(self) -> str:
        shown = f"{self.percent:+.0f} %"
        if self.mean is None or self.low is None or self.high is None:
            return shown
        return f"{shown}, {Difference(self.mean, self.low, self.high, self.runs or 0)}"


@dataclass(frozen=True)
class Share(Numbers):
    """A part of a whole, such as 3 of 5."""

    part: int
    whole: int

    def __str__(self) -> str:
        return f"{self.part} of {self.whole}"
