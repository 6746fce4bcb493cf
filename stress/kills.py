"""Kills `compare` and `reproduce --quick` at random moments, kill -9, and starts them again.

    python -m stress.kills                              # 50 kills of each: most of an hour
    python -m stress.kills --kills 5 --commands compare   # a first look: a minute or two
    python -m stress.kills --folder kills               # in parts: goes on where it stopped
    python -m stress.kills --kills 10 --commands whole --life 120   # all experiments: long

Every kill falls after the first finished run is stored, at any moment of work, start or report.
"Lost" counts runs that were stored before a kill and afterwards are not, or are not the same;
"repeated" counts runs that came to be stored twice, by a trigger in the store; "left" counts
processes that live on 2 s after the kill. In the end the numbers must be those of a run that
nobody killed. Looks for processes in /proc, so it is for Linux. Ends with 1 if anything is wrong.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
import uuid
from collections import Counter
from contextlib import closing, contextmanager, suppress
from pathlib import Path

from rich.console import Console
from rich.progress import Progress

from hybandit.experiments import Store
from hybandit.reports.tables import TableView

POLICIES = "ucb,lin-ucb,lnucb-ta,stacked-hybrid"
COMMANDS = {
    "compare": ["compare", "--policies", POLICIES, "--rounds", "1000", "--runs", "20"],
    # Experiments of many short runs, so that kills fall between, in and after many of them.
    "reproduce": ["reproduce", "drift", "news", "stability", "--quick"],
    "whole": ["reproduce", "--quick"],
}
USUAL = ["compare", "reproduce"]
# Seconds from a start to the kill at most, and from the kill to the end of all processes.
LIFE, GRACE = 9.0, 2.0
# The exit code of `reproduce` where a data file is not here.
SKIPPED = 3
COUNTS = """
CREATE TABLE IF NOT EXISTS storings (key TEXT NOT NULL);
CREATE TRIGGER IF NOT EXISTS counted BEFORE INSERT ON runs
BEGIN INSERT INTO storings VALUES (new.key); END;
"""


class Trial:
    """One folder of results, and the processes at work on it."""

    def __init__(self, command, folder):
        self.command, self.folder = command, folder
        self.store = folder / "results.sqlite"
        self.mark = f"HYBANDIT_KILLS={uuid.uuid4().hex}"
        Store(self.store)
        with closing(sqlite3.connect(self.store, timeout=30)) as connection:
            connection.executescript(COUNTS)

    @contextmanager
    def running(self):
        """The command at work; killed at the end of the block if it still is."""
        name, value = self.mark.split("=")
        program = "from hybandit.cli import main; main()"
        process = subprocess.Popen(
            [sys.executable, "-c", program, *COMMANDS[self.command], "--workers", "2",
             "--out", str(self.folder)],
            env={**os.environ, name: value},
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )  # fmt: skip
        try:
            yield process
        finally:
            process.kill()
            process.wait()

    def finish(self):
        with self.running() as process:
            self.ended(process.wait())

    def ended(self, code):
        if code not in (0, SKIPPED):
            raise SystemExit(f"{self.command} ended with {code}")
        return True

    def query(self, text):
        with closing(sqlite3.connect(self.store, timeout=30)) as connection:
            return connection.execute(text).fetchall()

    def rows(self):
        """All that is stored of each run, by key."""
        return {row[0]: row for row in self.query("SELECT * FROM runs")}

    def numbers(self):
        """What each run gave, by key, but for the time it took."""
        found = {key: json.loads(row[3]) for key, row in self.rows().items()}
        return {key: {**run, "seconds": None} for key, run in found.items()}

    def repeated(self):
        """How often a run came to be stored that was there."""
        ((storings, runs),) = self.query("SELECT count(*), count(DISTINCT key) FROM storings")
        return storings - runs

    def processes(self):
        found = []
        for folder in Path("/proc").iterdir():
            with suppress(OSError):
                marked = self.mark.encode() in (folder / "environ").read_bytes().split(b"\0")
                if marked and folder.name.isdigit():
                    found.append(int(folder.name))
        return found

    def left(self):
        """Processes that outlive the grace; they are then ended."""
        deadline = time.monotonic() + GRACE
        while (alive := self.processes()) and time.monotonic() < deadline:
            time.sleep(0.05)
        for process in alive:
            with suppress(ProcessLookupError):
                os.kill(process, signal.SIGKILL)
        return len(alive)


class Tally(Counter):
    """Counts that a file keeps from one call of this program to the next."""

    def __init__(self, path):
        super().__init__(json.loads(path.read_text()) if path.exists() else {})
        self.path = path

    def save(self):
        self.path.write_text(json.dumps(self))


def kill_once(trial, life, chance, tally):
    """Start, wait for a first stored run, and kill within a life; whether it ended before."""
    stored = trial.rows()
    with trial.running() as process:
        while process.poll() is None and not trial.rows():
            time.sleep(0.05)
        try:
            code = process.wait(chance.uniform(0.0, life))
        except subprocess.TimeoutExpired:
            code = None
            stored |= trial.rows()
            process.kill()
            process.wait()
            tally["kills"] += 1
            tally["left"] += trial.left()
    now = trial.rows()
    tally["lost"] += sum(now.get(key) != row for key, row in stored.items())
    return code is not None and trial.ended(code)


def settle(trial, expected, tally):
    """Count what a trial that came to its end shows, and remove it."""
    numbers = trial.numbers()
    tally["trials"] += 1
    tally["runs"] += len(numbers)
    tally["repeated"] += trial.repeated()
    tally["lost"] += len(expected.keys() - numbers.keys())
    tally["unequal"] += sum(numbers.get(key) != run for key, run in expected.items())
    tally.save()
    shutil.rmtree(trial.folder)


def kill_many(command, folder, kills, life, chance, progress):
    """Kill so often, in as many trials as it takes, and let the last one end."""
    task = progress.add_task(f"{command}, undisturbed", total=kills)
    undisturbed = Trial(command, folder / command)
    undisturbed.finish()
    expected = undisturbed.numbers()
    progress.update(task, description=command)
    tally = Tally(folder / f"{command}.json")
    while True:
        trial = Trial(command, folder / f"{command}-killed")
        ended = False
        while not ended and tally["kills"] < kills:
            ended = kill_once(trial, life, chance, tally)
            tally.save()
            progress.update(task, completed=tally["kills"])
        if not ended:
            trial.finish()
        settle(trial, expected, tally)
        if tally["kills"] >= kills:
            return tally


def main():
    parser = argparse.ArgumentParser(description="Kill -9 of commands at random moments.")
    parser.add_argument("--kills", type=int, default=50, help="of each command")
    parser.add_argument("--commands", nargs="+", choices=COMMANDS, default=USUAL)
    parser.add_argument("--folder", type=Path, help="where to go on; default: one that is removed")
    parser.add_argument("--life", type=float, default=LIFE, help="seconds to a kill at most")
    parser.add_argument("--seed", type=int, default=None, help="of the moments")
    given = parser.parse_args()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit("stopped"))
    console, rows, chance = Console(), [], random.Random(given.seed)
    columns = ["command", "kills", "trials", "runs", "lost", "repeated", "left", "unequal"]
    with tempfile.TemporaryDirectory() as scratch, Progress(console=console) as progress:
        for command in given.commands:
            folder = given.folder or Path(scratch)
            tally = kill_many(command, folder, given.kills, given.life, chance, progress)
            rows.append([command, *(f"{tally[column]:,}" for column in columns[1:])])
    console.print(TableView("kills", "Kill -9 at random moments", columns, rows, left=1).rich())
    sys.exit(any(number != "0" for row in rows for number in row[4:]))


if __name__ == "__main__":
    main()
