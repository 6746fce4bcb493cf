"""`hybandit demo`: the race by the clock, with the page to look at."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable
from typing import Any

from hybandit.errors import InvalidInput
from hybandit.loop import Loop
from hybandit.service.demo.race import WINDOW, Lead, Race
from hybandit.service.page.local import shown

NAME = "shop"
# Seconds after the last visitor in which the last windows close, and in which a browser hears so.
AFTER, FAREWELL = 2.0 * WINDOW, 3.0


class Told:
    """A race as the page shows it."""

    def __init__(self, race: Race, began: float) -> None:
        self._race, self._began = race, began
        self.is_over = False

    @property
    def total(self) -> int:
        return len(self._race)

    @property
    def scene(self) -> str:
        return self._race.scene

    @property
    def leads(self) -> list[Lead]:
        return self._race.leads

    def numbers(self) -> dict[str, Any]:
        return self._race.numbers(self._began)


def demo(seconds: float, rate: float, seed: int, tell: Callable[[str], None]) -> None:
    """Show a loop that learns from simulated visitors, and say how it ended."""
    visitors = int(seconds * rate)
    if visitors < 3:
        raise InvalidInput("seconds", "enough for at least 3 visitors", seconds)
    race = Race(visitors, rate, seed)
    with (
        tempfile.TemporaryDirectory(prefix="hybandit-demo-", ignore_cleanup_errors=True) as folder,
        Loop(f"{folder}/{NAME}.db", **race.settings()) as loop,
    ):
        told = Told(race, time.time())
        with shown(NAME, loop, race=told) as address:
            tell(f"Look at {address}")
            tell(f"{visitors:,} simulated visitors come to a shop, {rate:g} a second.")
            _visits(race, loop)
            told.is_over = True
            lines = race.summary(loop.verdict())
            time.sleep(FAREWELL)
        for line in lines:
            tell(line)


def _visits(race: Race, loop: Loop) -> None:
    """All visitors, by the clock, and the time until what they did is learned."""
    began = time.time()
    while race.done < len(race):
        wait = began + race.done / race.rate - time.time()
        if wait > 0.0:
            time.sleep(wait)
        race.visit(loop, time.time())
    ended = time.time()
    while time.time() < ended + AFTER:
        race.arrive(loop, time.time())
        time.sleep(0.1)
