"""The arguments of `rank`, checked, and the decision, drawn."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import blake2b
from typing import Any
from uuid import uuid4

import numpy as np

from hybandit.errors import InvalidInput, Unquoted
from hybandit.features.records import canonical
from hybandit.loop.storage.contract import MOST_ACTIONS, NO_FEATURES, Event, checked_name
from hybandit.notebook import card
from hybandit.state import Floats, Integers
from hybandit.validation.settings import boolean

SEEDS = 2**63
TRUE_OR_FALSE = boolean()
Features = Mapping[str, Any]


@dataclass(frozen=True)
class RankRequest:
    """What `rank` was asked for: a context and actions, in the caller's order, as text."""

    event: str
    context: str
    names: tuple[str, ...]
    features: tuple[str, ...]
    excluded: tuple[int, ...]
    # The places of the actions that may be chosen.
    eligible: Integers = field(compare=False)
    baseline: int
    defer: bool

    @classmethod
    def of(
        cls,
        context: Any,
        actions: Any,
        *,
        event: Any = None,
        exclude: Any = (),
        baseline: Any = None,
        defer: Any = False,
    ) -> RankRequest:
        """Check what the caller gave."""
        names, features = [], []
        for name, entry in _named(actions).items():
            names.append(checked_name("actions", name))
            features.append(
                NO_FEATURES if entry is None else canonical(f"actions[{name!r}]", entry)
            )
        excluded = _excluded(exclude, names)
        eligible = np.arange(len(names))
        if excluded:
            eligible = np.delete(eligible, excluded)
        shown = _baseline(baseline, names, eligible)
        text = canonical("context", context)
        name = uuid4().hex if event is None else checked_name("event", event)
        TRUE_OR_FALSE.check("defer", defer)
        return cls(name, text, tuple(names), tuple(features), excluded, eligible, shown, defer)

    def offered(self) -> tuple[Sequence[str], Sequence[str]]:
        """Names and features of the actions that may be chosen."""
        if not self.excluded:
            return self.names, self.features
        places = self.eligible.tolist()
        return [self.names[place] for place in places], [self.features[place] for place in places]


@dataclass(frozen=True, repr=False)
class RankedDecision:
    """The chosen action and its probability.

    Attributes
    ----------
    action
        The name of the action chosen.
    probability
        How likely it was.
    event
        The id to send the reward to.
    ranking
        All actions with their probabilities: the one chosen first, the others by
        probability; those excluded keep their place, with probability 0.
    version
        The model that decided, a position in the journal.
    """

    action: str
    probability: float
    event: str
    ranking: tuple[tuple[str, float], ...]
    version: int

    def __repr__(self) -> str:
        told = f"probability={self.probability:.4g}, event={self.event!r}, version={self.version}"
        return f"RankedDecision({self.action!r}, {told})"

    def _repr_html_(self) -> str:
        rows = [(name, f"{chance:.4f}") for name, chance in self.ranking]
        facts = [("event", self.event), ("model version", f"{self.version:,}")]
        return card(f"Decision: {self.action}", facts, heads=["action", "probability"], rows=rows)

    @classmethod
    def of(cls, event: Event) -> RankedDecision:
        """The decision that is stored in an event."""
        chances = np.array(event.probabilities)
        shown = np.ones(len(chances), bool)
        shown[list(event.excluded)] = False
        by_chance = np.argsort(-chances, kind="stable")
        others = by_chance[shown[by_chance] & (by_chance != event.choice)]
        places = np.arange(len(chances))
        places[shown] = np.append(event.choice, others)
        names = map(event.names.__getitem__, places.tolist())
        ranking = tuple(zip(names, chances[places].tolist(), strict=True))
        chance = event.probabilities[event.choice]
        return cls(event.names[event.choice], chance, event.id, ranking, event.version)


def seed_of(event: str, version: int) -> int:
    """The seed of the draw, which depends only on the event's id and the model's version."""
    digest = blake2b(f"{version}/{event}".encode(), digest_size=8).digest()
    return int.from_bytes(digest, "little") % SEEDS


def draw(probabilities: Floats, seed: int) -> int:
    """The place that a seed draws with these probabilities.

    Examples
    --------
    >>> [draw(np.array([0.25, 0.0, 0.75]), seed) for seed in (0, 2**61, 2**62)]
    [0, 2, 2]
    """
    sums = np.cumsum(probabilities)
    place = int(np.searchsorted(sums, seed / SEEDS * sums[-1], side="right"))
    return min(place, int(np.flatnonzero(probabilities)[-1]))


def held_back(probabilities: Floats, answered: Sequence[float]) -> Floats:
    """Less for actions whose decisions are not followed by rewards, and more for those whose are.

    Examples
    --------
    >>> held_back(np.array([0.0, 1.0]), [1.0, 0.25])
    array([0.6, 0.4])
    """
    if min(answered) == 1.0:
        return probabilities
    shares = np.array(answered)
    kept: Floats = shares * probabilities
    kept += (1.0 - kept.sum()) * shares / shares.sum()
    return kept


def explored(
    probabilities: Floats, eligible: Integers, baseline: int, *, explore: float, control: float
) -> None:
    """Give every eligible action at least ``explore / n``, and the baseline at least `control`.

    All others give for it alike. Where both cannot be had, `explore` is lowered.

    Examples
    --------
    >>> chances = np.array([0.0, 0.5, 0.5])
    >>> explored(chances, np.arange(3), 0, explore=0.03, control=0.1)
    >>> chances.round(3)
    array([0.1 , 0.45, 0.45])
    """
    explore = min(explore, 1.0 - control)
    least = explore / len(eligible)
    if probabilities[baseline] * (1.0 - explore) + least < control:
        rest = 1.0 - probabilities[baseline]
        probabilities *= (1.0 - explore - control + least) / rest
        probabilities[baseline] = control - least
    else:
        probabilities *= 1.0 - explore
    probabilities[eligible] += least


def _named(actions: Any) -> Mapping[Any, Any]:
    """Actions by name; plain names have no features."""
    if not isinstance(actions, Mapping):
        if isinstance(actions, str) or not isinstance(actions, Sequence):
            raise InvalidInput("actions", "a dict of features by name, or a list of names", actions)
        for name in actions:
            checked_name("actions", name)
        if len(set(actions)) < len(actions):
            twice = next(name for name in actions if actions.count(name) > 1)
            raise InvalidInput("actions", "all different", Unquoted(f"{twice!r} twice"))
        actions = dict.fromkeys(actions)
    named: Mapping[Any, Any] = actions
    if not 0 < len(actions) <= MOST_ACTIONS:
        raise InvalidInput("actions", f"1 to {MOST_ACTIONS:,} actions", Unquoted(f"{len(actions)}"))
    return named


def _baseline(name: Any, names: Sequence[str], eligible: Integers) -> int:
    if name is None:
        return int(eligible[0])
    if name not in names or names.index(name) not in eligible:
        raise InvalidInput("baseline", "an action of this call that is not excluded", name)
    return names.index(name)


def _excluded(exclude: Any, names: Sequence[str]) -> tuple[int, ...]:
    rule = "a list of names of actions"
    if isinstance(exclude, (str, bytes)):
        raise InvalidInput("exclude", rule, exclude)
    try:
        listed = list(exclude)
    except Exception:
        raise InvalidInput("exclude", rule, exclude) from None
    if not listed:
        return ()
    places = {name: place for place, name in enumerate(names)}
    out = set()
    for name in listed:
        if not isinstance(name, str) or name not in places:
            raise InvalidInput("exclude", "names of actions of this call", name)
        out.add(places[name])
    if len(out) == len(names):
        raise InvalidInput("exclude", "less than all actions", sorted(names))
    return tuple(sorted(out))
