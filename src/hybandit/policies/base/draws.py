"""The distributions that arms draw their scores from: many independent ones of one kind."""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from typing import Self

import numpy as np
from scipy.special import betainc, betaincinv, ndtr, ndtri, stdtr, stdtrit

from hybandit.state import Array, Floats

# Hardly anything is drawn below the quantile LOW or above the quantile 1 - HIGH.
LOW, HIGH = 1e-15, 1e-9
# The smallest draw that is distinguished from 0.
SMALLEST = 1e-300


@dataclass(frozen=True)
class Draws:
    """Distributions by their parameters, one entry for each arm."""

    def __len__(self) -> int:
        return len(getattr(self, fields(self)[0].name))

    def of(self, arms: Array | slice) -> Self:
        """The distributions of some arms."""
        return replace(
            self, **{entry.name: getattr(self, entry.name)[arms] for entry in fields(self)}
        )

    def ends(self) -> tuple[Floats, Floats]:
        """The quantiles LOW and 1 - HIGH of each."""
        raise NotImplementedError

    def reach(self, at: float) -> Floats:
        """How far around `at` the logarithm of each density is nearly a parabola."""
        raise NotImplementedError

    def below(self, at: Floats) -> Floats:
        """The distribution functions: (arms, points)."""
        raise NotImplementedError

    def shape(self, at: Floats) -> Floats:
        """The logarithms of the densities up to a constant for each arm: (arms, points)."""
        raise NotImplementedError


@dataclass(frozen=True)
class Normal(Draws):
    centres: Floats
    scales: Floats

    def ends(self) -> tuple[Floats, Floats]:
        low, high = ndtri(LOW), -ndtri(HIGH)
        return self.centres + self.scales * low, self.centres + self.scales * high

    def reach(self, at: float) -> Floats:
        return self.scales

    def below(self, at: Floats) -> Floats:
        below: Floats = ndtr(self._standard(at))
        return below

    def shape(self, at: Floats) -> Floats:
        return -0.5 * self._standard(at) ** 2

    def _standard(self, at: Floats) -> Floats:
        return (at - self.centres[:, None]) / self.scales[:, None]


@dataclass(frozen=True)
class Student(Normal):
    """Student's t, moved and scaled."""

    freedoms: Floats

    def ends(self) -> tuple[Floats, Floats]:
        low, high = stdtrit(self.freedoms, LOW), -stdtrit(self.freedoms, HIGH)
        return self.centres + self.scales * low, self.centres + self.scales * high

    def reach(self, at: float) -> Floats:
        return np.hypot(self.scales, (at - self.centres) / np.sqrt(self.freedoms))

    def below(self, at: Floats) -> Floats:
        below: Floats = stdtr(self.freedoms[:, None], self._standard(at))
        return below

    def shape(self, at: Floats) -> Floats:
        freedoms = self.freedoms[:, None]
        return -0.5 * (freedoms + 1.0) * np.log1p(self._standard(at) ** 2 / freedoms)


@dataclass(frozen=True)
class Beta(Draws):
    """``offset + stretch * Beta(first, second)``."""

    first: Floats
    second: Floats
    offsets: Floats
    stretches: Floats
    slacks: Floats

    def ends(self) -> tuple[Floats, Floats]:
        low = np.maximum(betaincinv(self.first, self.second, LOW), SMALLEST)
        high = 1.0 - betaincinv(self.second, self.first, HIGH)
        return self.offsets + self.stretches * low, self.offsets + self.stretches * high

    def reach(self, at: float) -> Floats:
        draws = np.clip((at - self.offsets) / self.stretches, SMALLEST, 1.0)
        spread = draws * np.maximum(1.0 - draws, self.slacks)
        return self.stretches * spread / np.sqrt(1.5 + (self.first + self.second) * spread)

    def below(self, at: Floats) -> Floats:
        draws = np.clip(self._plain(at), 0.0, 1.0)
        # Rounding must not leave a share for places beyond the largest draw.
        draws[at >= (self.offsets + self.stretches)[:, None]] = 1.0
        below: Floats = betainc(self.first[:, None], self.second[:, None], draws)
        return below

    def shape(self, at: Floats) -> Floats:
        draws = np.clip(self._plain(at), SMALLEST, 1.0 - 1e-16)
        rising = (self.first[:, None] - 1.0) * np.log(draws)
        return rising + (self.second[:, None] - 1.0) * np.log1p(-draws)

    def _plain(self, at: Floats) -> Floats:
        return (at - self.offsets[:, None]) / self.stretches[:, None]
