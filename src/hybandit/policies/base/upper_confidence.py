"""Policies that play the largest estimate plus rate times width."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import field
from typing import ClassVar, Protocol

import numpy as np

from hybandit.policies.base.contextual import ContextualPolicy
from hybandit.state import Flags, Floats, Integers, row_of

CHUNK = 512
# Scores of BLAS and of the kernels differ by rounding; closer calls are made one by one.
CLOSE = 1e-9


class Estimate(Protocol):
    """What an upper confidence policy learns with."""

    def upper(
        self, contexts: Floats, rates: Floats, allowed: Flags, exact: bool = True
    ) -> Floats: ...
    def values_and_widths(self, contexts: Floats, /) -> tuple[Floats, Floats]: ...
    def learn(self, contexts: Floats, arm: int, reward: float, /) -> None: ...


class Rate(Protocol):
    """How much an upper confidence policy explores."""

    def rates(self, counts: Floats, means: Floats, /) -> Floats: ...


class UpperConfidencePolicy(ContextualPolicy):
    """An estimate plus an exploration rate, and the argmax of ``value + rate * width``."""

    _children: ClassVar[tuple[str, ...]] = ("_estimate",)

    _estimate: Estimate = field(init=False, repr=False)
    _rate: Rate = field(init=False, repr=False)

    def _parts(self) -> tuple[Estimate, Rate]:
        raise NotImplementedError

    def _start(self) -> None:
        self._estimate, self._rate = self._parts()

    def _scores(self, contexts: Floats, allowed: Flags, exact: bool) -> Floats:
        return self._estimate.upper(contexts, self._rates(), allowed, exact)

    def _rates(self) -> Floats:
        return self._rate.rates(self.statistics.counts, self.statistics.means)

    def _learn(self, contexts: Floats, arm: int, reward: float) -> None:
        self._estimate.learn(contexts, arm, reward)

    def _at_once(self, rows: Sequence[Floats] | Floats) -> bool:
        """Whether all rows can be decided at once: each is one context for all arms."""
        return not len(rows) or len(rows[0]) == 1

    def _score_many(self, rows: Sequence[Floats] | Floats) -> Floats:
        if not self._at_once(rows):
            return super()._score_many(rows)
        values, widths = self._estimate.values_and_widths(np.asarray(rows)[:, 0])
        scores: Floats = values + self._rates() * widths
        return scores

    def _choose_many(self, rows: Sequence[Floats] | Floats, allowed: Flags) -> Integers:
        if not self._at_once(rows):
            return super()._choose_many(rows, allowed)
        arms = np.empty(len(rows), np.int64)
        for start in range(0, len(rows), CHUNK):
            part = slice(start, start + CHUNK)
            masks = allowed if len(allowed) == 1 else allowed[part]
            arms[part] = self._choose_chunk(np.asarray(rows[part])[:, 0], masks)
        return arms

    def _probabilities_many(self, rows: Sequence[Floats] | Floats) -> Floats:
        if not self._at_once(rows):
            return super()._probabilities_many(rows)
        found = np.zeros((len(rows), self._n_live))
        for start in range(0, len(rows), CHUNK):
            part = np.asarray(rows[start : start + CHUNK])[:, 0]
            scores, clear = self._scored_chunk(part, self._everyone[None])
            places = start + np.arange(len(part))
            found[places, scores.argmax(axis=1)] = 1.0 - self.explore
            found[places] += self.explore / self._n_live
            for row in np.flatnonzero(~clear).tolist():
                found[start + row] = self._probabilities_of(part[row : row + 1])
        return found

    @np.errstate(over="ignore", invalid="ignore")
    def _scored_chunk(self, contexts: Floats, allowed: Flags) -> tuple[Floats, Flags]:
        """Scores of shared contexts, and where the largest is beyond rounding."""
        values, widths = self._estimate.values_and_widths(contexts)
        scores = np.where(allowed, values + self._rates() * widths, -np.inf)
        clear = np.ones(len(contexts), bool)
        if self._n_live > 1:
            second, first = np.partition(scores, -2, axis=1)[:, -2:].T
            # Written as not greater, so that a NaN from extreme inputs counts as close.
            clear = first - second > CLOSE * (1.0 + np.abs(first))
        return scores, clear

    def _choose_chunk(self, contexts: Floats, allowed: Flags) -> Integers:
        scores, clear = self._scored_chunk(contexts, allowed)
        arms: Integers = scores.argmax(axis=1)
        rates = self._rates()
        drawn = np.arange(len(arms)) if self.explore else np.flatnonzero(~clear)
        for row in drawn.tolist():
            mask = row_of(allowed, row)
            found = scores[row]
            if not clear[row]:
                found = self._estimate.upper(contexts[row : row + 1], rates, mask, exact=False)
            arms[row] = self._pick(found, mask)
        return arms
