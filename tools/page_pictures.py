"""`python -m tools.page_pictures`: the pictures of docs/page.md and README, from the demo.

The race is run by a clock of its own, so that the pictures are the same on a slow machine. Needs
playwright and Debian's chromium.
"""

from __future__ import annotations

import shutil
import tempfile
import time
from datetime import datetime, tzinfo
from pathlib import Path
from unittest.mock import patch

from playwright.sync_api import Browser, sync_playwright

from hybandit.loop import Loop
from hybandit.service.demo.race import WINDOW, Race
from hybandit.service.demo.run import NAME, Told
from hybandit.service.page import view
from hybandit.service.page.local import shown

FIGURES = Path(__file__).parents[1] / "docs" / "figures"
SECONDS, RATE, SEED = 120, 60.0, 1
# When most has happened.
MOMENT = 0.92
# So many visitors come between two times at which the loop learns what is final.
STEP = 100
# Name, width, height, colours.
WINDOWS = (
    ("page", 1280, 1120, "light"),
    ("page-phone", 390, 844, "dark"),
)
PATIENCE = 120_000


class ClockedLoop(Loop):
    """A loop whose time is set."""

    time = 0.0

    @classmethod
    def _now(cls) -> float:
        return cls.time


class Clock(datetime):
    """The same time for the page."""

    @classmethod
    def now(cls, tz: tzinfo | None = None) -> Clock:
        return cls.fromtimestamp(ClockedLoop.time, tz)


def main() -> None:
    program = shutil.which("chromium") or shutil.which("chromium-browser")
    race, began = Race(int(SECONDS * RATE), RATE, SEED), time.time()
    ClockedLoop.time = began
    with (
        tempfile.TemporaryDirectory() as folder,
        ClockedLoop(f"{folder}/{NAME}.db", **race.settings()) as loop,
    ):
        play(race, loop, began)
        with (
            patch.object(view, "datetime", Clock),
            shown(NAME, loop, race=Told(race, began)) as address,
            sync_playwright() as engine,
        ):
            browser = engine.chromium.launch(executable_path=program, args=["--no-sandbox"])
            for name, width, height, scheme in WINDOWS:
                photograph(browser, address, name, (width, height), scheme)


def play(race: Race, loop: Loop, began: float) -> None:
    """Let most visitors come; the loop has learned all whose window was over a step before."""
    while race.done < MOMENT * len(race):
        ClockedLoop.time = began + race.done / RATE
        race.visit(loop, ClockedLoop.time)
        if race.done % STEP == 0:
            loop.wait_for(max(0, race.done - STEP - int(WINDOW * RATE)), timeout=600.0)


def photograph(
    browser: Browser, address: str, name: str, size: tuple[int, int], scheme: str
) -> None:
    """The first screen of the page, and one event: the newest that was shown to compare."""
    context = browser.new_context(
        viewport={"width": size[0], "height": size[1]},
        color_scheme="dark" if scheme == "dark" else "light",
    )
    page = context.new_page()
    page.goto(address, timeout=PATIENCE)
    page.locator("#chart-exploring canvas").first.wait_for(timeout=PATIENCE)
    page.wait_for_timeout(3000)
    page.screenshot(path=FIGURES / f"{name}.png")
    if name == "page":
        tried = page.locator("#events tr").filter(has_text="10.0").locator("a")
        (tried if tried.count() else page.locator("#events a")).first.click()
        page.locator(".life").wait_for(timeout=PATIENCE)
        page.screenshot(path=FIGURES / "page-event.png")
    context.close()


if __name__ == "__main__":
    main()
