"""`python -m benchmarks.page`: how fast the page of a long loop is there, and what it costs.

Makes a loop by copying the rows of a short one that has really decided, as events that are not
learned (log-only): what a look costs does not depend on the model. A server opens it in a process
of its own. Chromium opens the page three times, each time with an empty cache, and leaves it open
the fourth time. Prints when the first numbers and the first chart were there, and the server's
share of a processor while the page was open.
"""

from __future__ import annotations

import argparse
import re
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from playwright.sync_api import Browser, sync_playwright

from hybandit.loop import Loop

SHORT, NAME = 1_000, "long"
# Seconds for which the page is left open.
OPEN = 30.0


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--events", type=int, default=1_000_000)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "loops" / f"{NAME}.db"
        make(path, options.events)
        began = time.perf_counter()
        with Loop(path) as loop:
            loop.wait_for(timeout=3600.0)
            events = loop.status().events
        print(f"{events:,} events, counted in {time.perf_counter() - began:.0f} s", flush=True)
        served(Path(folder))


def make(path: Path, events: int) -> None:
    """A loop that has decided a little, and copies of its rows."""
    path.parent.mkdir()
    with Loop(path, wait=None, control=0.1) as loop:
        for number in range(SHORT):
            decided = loop.rank({"hour": number % 24}, list("abcdefgh"), event=f"e{number}")
            loop.reward(decided.event, float(number % 7 == 0))
        loop.wait_for(timeout=600.0)
    with sqlite3.connect(path) as database:
        database.execute("DELETE FROM loop_snapshots")
        database.execute("DELETE FROM loop_snapshot_parts")
        database.execute("DELETE FROM loop_meta WHERE name = 'tally'")
        database.execute("UPDATE loop_journal SET kind = 'log'")
        step = database.execute("SELECT max(number) FROM loop_events").fetchone()[0]
        span = database.execute("SELECT max(at) - min(at) + 1 FROM loop_events").fetchone()[0]
        for turn in range(1, events // SHORT):
            values = {"n": turn * step, "p": turn * SHORT, "t": turn * span, "turn": turn}
            database.execute(
                "INSERT INTO loop_events SELECT number + :n, id || '-' || :turn, at + :t, context, "
                "actions, probabilities, excluded, choice, preferred, action, version, seed, "
                "deferred, activated, due, baseline FROM loop_events WHERE number <= :step",
                values | {"step": step},
            )
            database.execute(
                "INSERT INTO loop_rewards (event, value, at, late, key) SELECT event + :n, value, "
                "at + :t, late, key FROM loop_rewards WHERE event <= :step",
                values | {"step": step},
            )
            database.execute(
                "INSERT INTO loop_journal SELECT position + :p, kind, at + :t, event + :n, reward, "
                "target, policy, settings FROM loop_journal WHERE position <= :short",
                values | {"short": SHORT},
            )


def served(folder: Path) -> None:
    log = folder / "server.log"
    command = [sys.executable, "-m", "hybandit", "serve", "--port", "0"]
    with (
        log.open("w") as file,
        subprocess.Popen(command, cwd=folder, stdout=file, stderr=file) as server,
    ):
        try:
            while not (found := re.search(r"http://127\.0\.0\.1:\d+", log.read_text())):
                time.sleep(0.2)
            program = shutil.which("chromium") or shutil.which("chromium-browser")
            with sync_playwright() as engine:
                browser = engine.chromium.launch(executable_path=program, args=["--no-sandbox"])
                for _ in range(3):
                    looked(browser, f"{found[0]}/loops/{NAME}", server.pid, 0.0)
                looked(browser, f"{found[0]}/loops/{NAME}", server.pid, OPEN)
        finally:
            server.terminate()


def looked(browser: Browser, address: str, process: int, seconds: float) -> None:
    """Open the page, and leave it open for so long."""
    context = browser.new_context(viewport={"width": 1280, "height": 900})
    page = context.new_page()
    began = time.perf_counter()
    page.goto(address, wait_until="commit")
    page.locator("#figures dd").first.wait_for()
    numbers = time.perf_counter() - began
    page.locator("#chart-reward canvas").first.wait_for(timeout=60_000)
    chart = time.perf_counter() - began
    print(f"numbers after {numbers:.2f} s, the first chart after {chart:.2f} s", flush=True)
    if seconds:
        before = used(process)
        page.wait_for_timeout(1000.0 * seconds)
        share = (used(process) - before) / seconds
        print(f"open for {seconds:.0f} s: the server took {share:.1%} of a processor")
    context.close()


def used(process: int) -> float:
    """Seconds of processors that a process has used."""
    fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / 100.0


if __name__ == "__main__":
    main()
