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
from hybandit.loop.storage import Closing, Event, Storage
from hybandit.validation.settings import Rule

# A reward of an old log is reported once, however often the log is learned.
KEY = "old log"


def choices_in(
    log: Any, aside: Aside, *, tick: Callable[[int], None] | None = None, **columns: Any
) -> Iterator[LoggedChoice]:
    """The decisions of a .dsjson file, or of any log that `open_log` reads, in order."""
    if isinstance(log, (str, os.PathLike)) and is_dsjson(os.fspath(log)):
        given = [name for name, value in columns.items() if value]
        if given:
            raise InvalidInput(given[0], "left out: it is for tables", columns[given[0]])
        yield from read_choices(Path(log), aside)
        return
    opened = open_log(log, tick=tick, **columns)
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
) -> int:
    """Write decisions and their rewards as closed events of a loop; returns how many."""
    at_once = replace(closing, wait=None)
    count = 0
    for count, each in enumerate(choices, start=1):
        if not rewards.holds(each.reward):
            raise InvalidInput("reward", rewards.text, each.reward)
        event = f"{name}:{each.id or count}"
        chances = tuple(each.probabilities.tolist())
        storage.add_event(
            Event(
                id=event, at=now(), context=each.context, names=each.names,
                features=each.features, excluded=(), probabilities=chances, choice=each.choice,
                preferred=each.choice, baseline=0, version=0, seed=0, deferred=False, due=None,
            )
        )  # fmt: skip
        storage.add_reward(event, each.reward, now(), at_once, KEY)
    return count
