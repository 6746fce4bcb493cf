"""Logs of decisions among items, which differ from one event to the next."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import ClassVar, NamedTuple

import numpy as np

from hybandit.datasets import EventLog, Facts, Log
from hybandit.datasets.log import BATCH, WHOLE, spans
from hybandit.errors import InvalidInput, Unquoted
from hybandit.evaluation import checks
from hybandit.state import Floats, Integers

# Probabilities that were added up may miss 1 by rounding.
ROUNDING = 1e-6


class Offer(NamedTuple):
    """What could be chosen in one event: (n_context,), (n, n_item) and n names."""

    context: Floats
    items: Floats
    names: tuple[str, ...]


@dataclass(frozen=True)
class ItemLog(Log):
    """Logged decisions among items: what was offered, what was chosen, and its reward.

    `features`, `arms` and the propensities can be read as those of an `EventLog`, where an
    arm is a place in the offer.

    Attributes
    ----------
    contexts
        (events, n_context).
    items, names
        For each event, the items that could be chosen: (n, n_item), and their names.
    choices
        The place of the one that was chosen among them.
    propensities
        For each event, the probability of every one of them.

    Examples
    --------
    >>> items, names = [np.eye(2), np.eye(2)[:1]], [("tea", "beer"), ("tea",)]
    >>> even = [np.array([0.5, 0.5]), np.array([1.0])]
    >>> log = ItemLog(np.ones((2, 1)), items, names, np.array([1, 0]), np.ones(2), even)
    >>> len(log), log.sizes, log.logged_propensities
    (2, (1, 2), array([0.5, 1. ]))
    """

    of_items: ClassVar[bool] = True

    contexts: Floats
    items: Sequence[Floats]
    names: Sequence[tuple[str, ...]]
    choices: Integers
    rewards: Floats
    propensities: Sequence[Floats]

    def __len__(self) -> int:
        return len(self.choices)

    @property
    def sizes(self) -> tuple[int, int]:
        """The lengths of a context and of an item, as a policy is made for."""
        return self.contexts.shape[1], self.items[0].shape[1]

    @property
    def arms(self) -> Integers:
        return self.choices

    @cached_property
    def features(self) -> list[Offer]:
        return [Offer(*each) for each in zip(self.contexts, self.items, self.names, strict=True)]

    @property
    def every_propensity(self) -> Sequence[Floats]:
        return self.propensities

    @cached_property
    def logged_propensities(self) -> Floats:
        chosen = zip(self.propensities, self.choices.tolist(), strict=True)
        return np.array([chances[choice] for chances, choice in chosen])

    @property
    def has_propensities(self) -> bool:
        return True

    @property
    def has_every_propensity(self) -> bool:
        return True

    @cached_property
    def facts(self) -> Facts:
        facts = Facts()
        facts.add(*self.numbered({}))
        return facts

    @cached_property
    def choice_names(self) -> list[str]:
        """Every item that was offered, in the order of the facts' numbers."""
        numbers: dict[str, int] = {}
        self.numbered(numbers)
        return list(numbers)

    def numbered(
        self, numbers: dict[str, int]
    ) -> tuple[Integers, Floats, Floats, Integers, Floats]:
        """What `Facts` counts; `numbers` are those of the items by name, and get the new ones."""
        offers = [[numbers.setdefault(name, len(numbers)) for name in each] for each in self.names]
        chosen = [
            offer[choice] for offer, choice in zip(offers, self.choices.tolist(), strict=True)
        ]
        return (
            np.array(chosen, np.int64), self.rewards, self.logged_propensities,
            np.concatenate(offers), np.concatenate(self.propensities),
        )  # fmt: skip

    def batches(self, rows: int = BATCH, part: slice = WHOLE) -> Iterator[ItemLog]:
        for each in spans(len(self), rows, part):
            yield self.part(each)

    def part(self, wanted: slice) -> ItemLog:
        """Some consecutive events."""
        return replace(
            self, contexts=self.contexts[wanted], items=self.items[wanted],
            names=self.names[wanted], choices=self.choices[wanted],
            rewards=self.rewards[wanted], propensities=self.propensities[wanted],
        )  # fmt: skip

    def of_arms(self) -> EventLog | None:
        """The same as a log of fixed arms, if every event offered the same items by name."""
        names = sorted(self.names[0])
        if any(len(each) != len(names) or set(each) != set(names) for each in self.names):
            return None
        numbers = {name: number for number, name in enumerate(names)}
        chances = np.zeros((len(self), len(names)))
        for row, (offer, given) in enumerate(zip(self.names, self.propensities, strict=True)):
            chances[row, [numbers[name] for name in offer]] = given
        chosen = zip(self.names, self.choices.tolist(), strict=True)
        arms = np.array([numbers[offer[choice]] for offer, choice in chosen], np.int64)
        return EventLog(arms, self.rewards, self.contexts, chances, tuple(names))

    @property
    def unlogged_names(self) -> list[str]:
        """The items that at times could not have been chosen."""
        offers = zip(self.names, self.propensities, strict=True)
        never = {name for names, chances in offers
                 for name, chance in zip(names, chances, strict=True) if chance == 0.0}  # fmt: skip
        return sorted(never)

    @cached_property
    def fingerprint(self) -> str:
        """Equal for equal logs: the sha256 of all they hold."""
        digest = hashlib.sha256(repr((self.sizes, list(self.names))).encode())
        for part in (self.contexts, self.choices, self.rewards, *self.items, *self.propensities):
            digest.update(np.ascontiguousarray(part).tobytes())
        return digest.hexdigest()

    def check(self) -> None:
        """Refuse columns that do not fit together, or hold what they should not."""
        count = len(self)
        if count < checks.FEWEST:
            raise InvalidInput("log", f"at least {checks.FEWEST} events", count)
        checks.numbers("rewards", self.rewards, count)
        for name in ("contexts", "items", "names", "propensities"):
            if len(getattr(self, name)) != count:
                rule = f"as many as the {count} choices"
                raise InvalidInput(name, rule, len(getattr(self, name)))
        checks.features(self.contexts, count, "contexts")
        for row, (offer, chances, choice) in enumerate(
            zip(self.features, self.propensities, self.choices.tolist(), strict=True)
        ):
            self._check_offer(row, offer, chances, choice)
        checks.features(np.concatenate(self.items), None, "items")

    def _check_offer(self, row: int, offer: Offer, chances: Floats, choice: int) -> None:
        offered = len(offer.names)
        if offer.items.shape != (offered, self.sizes[1]):
            rule = f"a row of {self.sizes[1]} numbers for each name"
            raise _at(row, "items", rule, f"shape {offer.items.shape}")
        if not 0 <= choice < offered:
            raise _at(row, "choices", f"from 0 to {offered - 1}, a place in the offer", choice)
        if chances.shape != (offered,) or not (chances >= 0.0).all():
            raise _at(row, "propensities", "a probability for each name", chances.tolist())
        if abs(chances.sum() - 1.0) > ROUNDING:
            raise _at(row, "propensities", "1 in sum over an offer", f"{chances.sum():g}")
        if not chances[choice]:
            raise _at(row, "propensities", "above 0 for the item that was chosen", 0)


def _at(row: int, parameter: str, rule: str, given: object) -> InvalidInput:
    return InvalidInput(parameter, rule, Unquoted(f"{given} at row {row}"))
