"""Replay of a log of decisions."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import ClassVar, TypeVar

from hybandit.datasets import check_arms
from hybandit.environments.rounds import LoggedItemRound, LoggedRound
from hybandit.errors import InvalidInput
from hybandit.estimators.item_table import ItemId
from hybandit.state import Floats, Integers
from hybandit.validation.settings import whole

Event = TypeVar("Event", bound=LoggedRound)


class Replay:
    """Offline evaluation by replay: only events whose logged arm is chosen count.

    On a match the policy learns and the round counts; any other event is skipped, with no
    learning and no round. Unbiased where the logged arms were uniformly random.

    Parameters
    ----------
    features
        (events, n_arms, d): every arm's features in every event.
    contexts
        ``arm``: each arm has its own row. ``shared``: all features for every arm.
    matches
        The replay stops after this many matches.

    References
    ----------
    Li, Chu, Langford, Wang (2011). Unbiased offline evaluation of contextual-bandit-based
    news article recommendation algorithms. WSDM.

    Examples
    --------
    >>> import numpy as np
    >>> log = Replay(np.array([0, 1]), np.array([1.0, 0.5]), np.zeros((2, 2, 1)), matches=5)
    >>> [turn.reward(1) for turn in log]
    [None, 0.5]
    """

    results_version: ClassVar[int] = 1

    def __init__(
        self,
        arms: Integers,
        rewards: Floats,
        features: Floats,
        *,
        contexts: str = "arm",
        matches: int = 800,
    ) -> None:
        if contexts not in ("arm", "shared"):
            raise InvalidInput("contexts", "'arm' or 'shared'", contexts)
        whole(1).check("matches", matches)
        check_arms(arms, features.shape[1])
        _check_lengths(len(arms), rewards=rewards, features=features)
        self.arms = arms
        self.rewards = rewards
        self.contexts = features if contexts == "arm" else features.reshape(len(arms), -1)
        self.matches = matches
        self.n_arms = features.shape[1]
        self.n_features = self.contexts.shape[-1]

    def __len__(self) -> int:
        return self.matches

    def __iter__(self) -> Iterator[LoggedRound]:
        log = zip(self.arms, self.rewards, self.contexts, strict=True)
        return _until(
            self.matches,
            (LoggedRound(context, int(arm), float(reward)) for arm, reward, context in log),
        )


class ItemReplay:
    """Replay of a log of items; the logged choice is a place among the candidates.

    Parameters
    ----------
    shown
        The place of the candidate that was shown in every event.
    contexts
        (events, n_context).
    items
        (events, n, n_item): every candidate's features in every event.
    ids
        The candidates' ids, the same in every event.

    Examples
    --------
    >>> import numpy as np
    >>> log = ItemReplay(
    ...     np.array([0, 1]), np.array([1.0, 0.5]), np.ones((2, 1)), np.zeros((2, 2, 3)), ids="ab"
    ... )
    >>> [turn.reward(1) for turn in log]
    [None, 0.5]
    """

    results_version: ClassVar[int] = 1

    def __init__(
        self,
        shown: Integers,
        rewards: Floats,
        contexts: Floats,
        items: Floats,
        *,
        ids: Sequence[ItemId],
        matches: int = 800,
    ) -> None:
        whole(1).check("matches", matches)
        check_arms(shown, items.shape[1], "shown")
        _check_lengths(len(shown), rewards=rewards, contexts=contexts, items=items)
        if len(ids) != items.shape[1]:
            raise InvalidInput("ids", f"as many as the {items.shape[1]} candidates", len(ids))
        self.shown = shown
        self.rewards = rewards
        self.contexts = contexts
        self.items = items
        self.ids = list(ids)
        self.matches = matches
        self.n_context = contexts.shape[1]
        self.n_item = items.shape[2]

    def __len__(self) -> int:
        return self.matches

    def __iter__(self) -> Iterator[LoggedItemRound]:
        log = zip(self.shown, self.rewards, self.contexts, self.items, strict=True)
        return _until(
            self.matches,
            (
                LoggedItemRound(context, int(shown), float(reward), items=items, ids=self.ids)
                for shown, reward, context, items in log
            ),
        )


def _until(matches: int, events: Iterable[Event]) -> Iterator[Event]:
    """The events until this many have matched."""
    for event in events:
        yield event
        matches -= event.matched
        if not matches:
            return


def _check_lengths(events: int, **columns: Floats) -> None:
    for name, column in columns.items():
        if len(column) != events:
            raise InvalidInput(name, f"as many as the {events} events", len(column))
