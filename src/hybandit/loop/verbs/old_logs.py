"""Logs of other systems as the first events of a loop."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

from hybandit.datasets import open_log
from hybandit.datasets.dsjson import LoggedChoice, is_dsjson, read_choices
from hybandit.datasets.reading import Aside
from hybandit.errors import InvalidInput
from hybandit.loop.storage.contract import ELSEWHERE, Closing, Event, Storage
from hybandit.validation.settings import Rule

# A reward of an old log is reported once, however often the log is learned.
KEY = "old log"
# A transaction takes so many decisions and actions, so that nobody else waits long.
MOST_EVENTS, MOST_ACTIONS = 256, 4096


def choices_in(log: Any, aside: Aside, **columns: Any) -> Iterator[LoggedChoice]:
    """The decisions of a .dsjson file, or of any log that `open_log` reads, in order."""
    if isinstance(log, (str, os.PathLike)) and is_dsjson(os.fspath(log)):
        given = [name for name, value in columns.items() if value]
        if given:
            raise InvalidInput(given[0], "left out: it is for tables", columns[given[0]])
        yield from read_choices(Path(log), aside)
        return
    opened = open_log(log, **columns)
    aside.add(opened.reading.set_aside)
    yield from opened.choices()


def store(
    storage: Storage,
    choices: Iterator[LoggedChoice],
    *,
    name: str,
    now: Callable[[], float],
    closing: Closing,
    rewards: Rule,
    tick: Callable[[int], None] | None = None,
) -> int:
    """Write decisions and their rewards as closed events of a loop; returns how many."""
    at_once = replace(closing, wait=None)
    count = actions = 0
    waiting: list[tuple[Event, float]] = []

    def write() -> None:
        storage.add_rewarded(waiting, now(), at_once, KEY)
        if tick is not None:
            tick(len(waiting))

    for count, each in enumerate(choices, start=1):
        if not rewards.holds(each.reward):
            raise InvalidInput("reward", rewards.text, each.reward)
        event = Event(
            id=f"{name}:{each.id or count}", at=now(), context=each.context, names=each.names,
            features=each.features, excluded=(), probabilities=tuple(each.probabilities.tolist()),
            choice=each.choice, preferred=each.choice, baseline=0, version=ELSEWHERE, seed=0,
            deferred=False, due=None,
        )  # fmt: skip
        waiting.append((event, each.reward))
        actions += len(each.names)
        if len(waiting) == MOST_EVENTS or actions >= MOST_ACTIONS:
            write()
            waiting, actions = [], 0
    if waiting:
        write()
    return count
