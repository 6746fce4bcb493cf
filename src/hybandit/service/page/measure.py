"""The unit in which a page tells rewards."""

from __future__ import annotations

from dataclasses import dataclass

NOTHING, MINUS = "-", "\N{MINUS SIGN}"


@dataclass(frozen=True)
class Measure:
    """Mean rewards in one unit; `scale` of it is a reward of 1 in every decision.

    Without `digits` after the point, as many as it takes.

    Examples
    --------
    >>> REWARD(0.18234), REWARD(12.3456), REWARD(None), REWARD.signed(0.5)
    ('0.1823', '12.35', '-', '+0.5000')
    >>> CLICKS(0.18234), CLICKS.signed(0.0986), CLICKS.unit
    ('18.2', '+9.9', 'clicks per 100 visitors')
    """

    unit: str
    less: str = "less"
    scale: float = 1.0
    digits: int | None = None

    def __call__(self, value: float | None) -> str:
        if value is None:
            return NOTHING
        scaled = self.scale * value
        digits = (4 if abs(scaled) < 1.0 else 2) if self.digits is None else self.digits
        return f"{scaled:,.{digits}f}".replace("-", MINUS)

    def signed(self, value: float | None) -> str:
        """A difference, with its sign."""
        plus = "+" if value is not None and value >= 0.0 else ""
        return f"{plus}{self(value)}"

    @property
    def title(self) -> str:
        """The unit as the head of a column."""
        return f"{self.unit[:1].upper()}{self.unit[1:]}"


REWARD = Measure("reward per decision")
CLICKS = Measure("clicks per 100 visitors", "fewer", 100.0, 1)
