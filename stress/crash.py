"""Kill -9 at random moments: nothing acknowledged may be lost, nothing counted twice.

    python -m stress.crash [--kills N] [--wait SECONDS] [--postgres] [--seed S]

A ranker, a rewarder and a learner work on one loop, each in a process of its own, beside one that
forks with the loop open, one that changes settings, and, on SQLite, one that makes backups. One of
them, drawn at random, is killed after a random time and started again, N times; half of the times
the next kill waits until it works again, so the other half may hit one that is just starting.
The one that forks is killed with its child, or without.
Whatever a call has returned is noted by the process that made it. At the end every note is held
against the database and the newest backups, and every model that any process had against one
uninterrupted fold of the journal, bit for bit. Ends with status 1 if anything is lost, doubled or
different.
"""

from __future__ import annotations

import os

for library in ("OMP", "OPENBLAS", "MKL", "NUMBA"):
    os.environ[f"{library}_NUM_THREADS"] = "1"

import argparse
import contextlib
import itertools
import json
import random
import signal
import sys
import tempfile
import time
from collections import Counter, defaultdict
from hashlib import blake2b
from pathlib import Path

from rich.console import Console

from hybandit import Loop
from hybandit.loop.learning.model import LoopModel
from hybandit.loop.learning.pace import Pace
from hybandit.loop.settings import checked
from hybandit.loop.storage.contract import LEARN, Entry
from hybandit.reports.tables import TableView
from stress.postgres import server_in

ACTIONS = {f"article {number}": {"topic": f"t{number % 3}", "age": number} for number in range(8)}
NAMES = ["red", "green", "blue"]
ROLES = ("ranker", "rewarder", "learner", "forker", "changer")
COPIER = "copier"
# The events of the one that forks have larger numbers; so many of the newest backups are examined.
FORKED, COPIES = 10_000_000, 5
# At most so many decisions a second, so that the end does not wait for a long journal.
PACE = 0.004
# Snapshots far more often than in earnest, so that kills hit their writing as well.
Loop._pace = Pace(spacing=100, pause=0.1, share=5.0)
# Counts that must be 0.
WRONG = (
    "events lost", "events changed", "rewards lost", "rewards doubled", "rewards not learned",
    "positions doubled", "positions missing", "models different", "changes lost",
    "copies lacking", "copies wrong",
)  # fmt: skip
# A signal asked this process to end: noted, since what a handler raises during a fork is dropped.
ASKED, END = [], "asked to end"


class Notes:
    """What a process has been told, line by line; lines outlive the process, not the machine."""

    def __init__(self, folder, role):
        self.path = folder / role
        self._file = os.open(self.path, os.O_WRONLY | os.O_CREAT | os.O_APPEND)

    def add(self, **note):
        os.write(self._file, (json.dumps(note) + "\n").encode())

    def size(self):
        return self.path.stat().st_size

    def read(self):
        return self.read_on()[0]

    def read_on(self, start=0):
        """Whole lines from a place on, and the place after them."""
        with self.path.open("rb") as file:
            file.seek(start)
            content = file.read()
        whole = content[: content.rfind(b"\n") + 1]
        return [json.loads(line) for line in whole.splitlines()], start + len(whole)


def digest(model):
    parts = blake2b(digest_size=16)
    for name, array in sorted(model.state().items()):
        parts.update(name.encode() + array.tobytes())
    return parts.hexdigest()


def note_model(loop, notes):
    """Which model this process has now."""
    here = loop._follower
    with here._lock:
        version, content = here.version, digest(here._model)
    notes.add(version=version, model=content)


def reward_of(event, action):
    return float((int(event) * 7 + len(action)) % 5)


def rank(loop, notes, number):
    context = {"hour": number % 24, "town": f"town {number % 5}"}
    offer = NAMES if number % 3 == 0 else ACTIONS
    decision = loop.rank(context, offer, event=str(number))
    notes.add(event=decision.event, action=decision.action, probability=decision.probability)
    return decision


def ranker(url, folder, settings):
    notes = Notes(folder, "ranker")
    told = [note for note in notes.read() if "event" in note]
    with Loop(url, learn=False, **settings) as loop:
        number = int(told[-1]["event"]) if told else 0
        while not (folder / "stop").exists():
            rank(loop, notes, number)
            if number % 50 == 0:
                note_model(loop, notes)
            number += 1
            time.sleep(PACE)


def rewarder(url, folder, settings):
    notes = Notes(folder, "rewarder")
    done = {note["event"] for note in notes.read()}
    ranked, place = Notes(folder, "ranker"), 0
    with Loop(url, learn=False, **settings) as loop:
        while True:
            last = (folder / "stop").exists()
            new, place = ranked.read_on(place)
            for note in new:
                if "event" not in note or note["event"] in done:
                    continue
                loop.reward(
                    note["event"], reward_of(note["event"], note["action"]), key=note["event"]
                )
                notes.add(event=note["event"])
                done.add(note["event"])
            if last:
                return
            time.sleep(PACE)


def learner(url, folder, settings):
    notes = Notes(folder, "learner")
    with Loop(url, **settings) as loop:
        while not (folder / "stop learning").exists():
            loop.wait_for(loop.version, 1.0)
            note_model(loop, notes)
            time.sleep(0.02)


def forker(url, folder, settings):
    """Parent and child rank and reward with the loop that the parent opened."""
    notes = Notes(folder, "forker")
    told = [int(note["event"]) for note in notes.read() if "event" in note]
    pair = (max(told) - FORKED) // 2 if told else 0

    def play(number):
        decision = rank(loop, notes, number)
        loop.reward(decision.event, reward_of(decision.event, decision.action), key=decision.event)
        notes.add(rewarded=decision.event)

    with Loop(url, **settings) as loop:
        while not (folder / "stop").exists():
            child = forked(lambda pair=pair: play(FORKED + 2 * pair + 1))
            play(FORKED + 2 * pair)
            if os.waitpid(child, 0)[1] != 0:
                raise SystemExit("a forked child failed")
            pair += 1
            time.sleep(PACE)


def copier(url, folder, settings):
    notes = Notes(folder, COPIER)
    (folder / "copies").mkdir(exist_ok=True)
    ranked, kept = Notes(folder, "ranker"), []
    with Loop(url, learn=False, **settings) as loop:
        while not (folder / "stop").exists():
            path = folder / "copies" / f"{os.getpid()}-{time.monotonic_ns()}.db"
            place = ranked.size()
            loop.backup(path)
            notes.add(copy=str(path), place=place)
            kept.append(path)
            if len(kept) > COPIES:
                kept.pop(0).unlink()
            time.sleep(0.1)


def changer(url, folder, settings):
    """Sets `explore` to one value after another, each larger than those before."""
    notes = Notes(folder, "changer")
    told = [note["explore"] for note in notes.read()]
    value = told[-1] if told else 0.05
    with Loop(url, learn=False, **settings) as loop:
        while not (folder / "stop").exists():
            value += 1e-6
            loop.change(explore=value)
            notes.add(explore=value)
            time.sleep(0.1)


def start(role, url, folder, settings):
    """A process made from this one, which has everything imported and no database open."""
    child = forked(lambda: globals()[role](url, folder, settings), alone=True)
    with contextlib.suppress(OSError):  # It does so itself as well: one of both is the first.
        os.setpgid(child, child)
    return child


def forked(work, *, alone=False):
    """A child that does this and ends; one that is alone leads a group of its own."""
    child = os.fork()
    if child:
        return child
    try:
        if alone:
            os.setpgid(0, 0)
        work()
        os._exit(0)
    except BaseException:
        import traceback

        traceback.print_exc()
        os._exit(1)


def roles(url):
    """Who takes part: PostgreSQL makes its own backups, and settings must be changeable."""
    able = [role for role in ROLES if role != "changer" or hasattr(Loop, "change")]
    return able if "://" in url else [*able, COPIER]


def kill_many(url, folder, settings, kills, chance):
    """How often each role was killed, and how many seconds each took to work again."""
    playing = roles(url)
    before = signal.signal(signal.SIGTERM, lambda *_: ASKED.append(END))
    running = {role: start(role, url, folder, settings) for role in playing}
    try:
        found = kill_some(running, url, folder, settings, kills, chance)
        for role in sorted(playing, key="learner".__eq__):
            (folder / ("stop learning" if role == "learner" else "stop")).touch()
            if role == "learner" and settings.get("wait"):
                time.sleep(settings["wait"])
            status = os.waitpid(running[role], 0)[1]
            del running[role]
            if status != 0:
                raise SystemExit(f"the {role} failed")
        return found
    finally:
        for process in running.values():
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process, signal.SIGKILL)
        signal.signal(signal.SIGTERM, before)


def kill_some(running, url, folder, settings, kills, chance):
    """Kill processes at random and start them again; `running` is kept up."""
    notes = {role: Notes(folder, role) for role in running}
    killed, recoveries = Counter(), []
    for _ in range(kills):
        time.sleep(chance.uniform(0.02, 0.25))
        if ASKED:
            raise SystemExit(END)
        role = chance.choice(list(running))
        chance.choice((os.kill, os.killpg))(running[role], signal.SIGKILL)
        _, status = os.waitpid(running[role], 0)
        if not os.WIFSIGNALED(status):
            raise SystemExit(f"the {role} ended by itself")
        before = notes[role].size()
        began = time.perf_counter()
        running[role] = start(role, url, folder, settings)
        killed[role] += 1
        if role != "rewarder" and chance.random() < 0.5:
            while notes[role].size() == before and not ASKED:
                time.sleep(0.005)
            recoveries.append(time.perf_counter() - began)
    return killed, recoveries


def examine(url, folder, settings):
    """Counts of what is there, and of what is wrong."""
    found = Counter(dict.fromkeys(WRONG, 0))
    notes = {role: Notes(folder, role).read() for role in (*ROLES, COPIER)}
    told = {note["event"]: note for note in notes["ranker"] + notes["forker"] if "event" in note}
    rewarded = {note["event"] for note in notes["rewarder"]}
    rewarded |= {note["rewarded"] for note in notes["forker"] if "rewarded" in note}
    models = defaultdict(set)
    for note in itertools.chain(*notes.values()):
        if "model" in note:
            models[note["version"]].add(note["model"])
    examine_copies(folder, notes[COPIER], found)
    with Loop(url, **settings) as loop:
        if settings.get("wait"):
            time.sleep(settings["wait"] + 0.1)
        histories = {history.event.id: history for history in loop._storage.event_histories()}
        closed = Counter(
            history.closing.position
            for history in histories.values()
            if history.closing is not None
        )
        for event, note in told.items():
            history = histories.get(event)
            if history is None:
                found["events lost"] += 1
                continue
            decided = history.event.names[history.event.choice]
            chance = history.event.probabilities[history.event.choice]
            found["events changed"] += (decided, chance) != (note["action"], note["probability"])
        for event in rewarded:
            rewards = histories[event].rewards if event in histories else ()
            found["rewards lost"] += not rewards
            found["rewards doubled"] += len(rewards) > 1
            closing = histories[event].closing if event in histories else None
            due = bool(rewards) and not rewards[0].late
            if due and (closing is None or closing.reward != rewards[0].value):
                found["rewards not learned"] += 1
        found["positions doubled"] += sum(count > 1 for count in closed.values())
        loop.wait_for(loop.version, 60.0)
        head = loop.version
        models[loop._follower.version].add(digest(loop._follower._model))
        changes = [note["explore"] for note in notes["changer"]]
        found["changes"] = len(changes)
        found["changes lost"] += bool(changes) and loop.settings["explore"] < changes[-1]
        fresh = LoopModel(loop.settings)
        for version in range(head + 1):
            if version:
                (entry,) = loop._storage.entries(version - 1, 1)
                found["positions missing"] += entry.position != version
                found["positions missing"] += (version in closed) != (entry.kind == LEARN)
                if entry.kind == LEARN:
                    fresh.learn(entry)
            if version in models:
                found["models different"] += models[version] != {digest(fresh)}
                found["models compared"] += len(models[version])
    found["events acknowledged"], found["rewards acknowledged"] = len(told), len(rewarded)
    found["positions"] = head
    return found


def examine_copies(folder, notes, found):
    """The newest backups: each has all that was confirmed before, and models that are right."""
    for note in [note for note in notes if Path(note["copy"]).exists()][-COPIES:]:
        ranked = Notes(folder, "ranker").path.read_bytes()[: note["place"]].splitlines()
        told = {line["event"] for line in map(json.loads, ranked) if "event" in line}
        with Loop(note["copy"]) as copy:
            copy.wait_for()
            there = {history.event.id for history in copy._storage.event_histories()}
            verified = copy.verify()
        right = all(difference == 0.0 for _, difference in verified)
        if not right:
            print(f"{note['copy']}: {verified}", file=sys.stderr)
        found["copies compared"] += 1
        found["copies lacking"] += not told <= there
        found["copies wrong"] += not right
    found["copies"] = len(notes)


def run(url, kills, wait, seed):
    """Play, kill and examine: who was killed, seconds to recover, what there is, what is wrong."""
    settings = {"wait": None} if wait is None else {"wait": wait, "aggregate": "sum"}
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        address = url or str(folder / "loop.db")
        killed, recoveries = kill_many(address, folder, settings, kills, random.Random(seed))
        found = examine(address, folder, settings)
    wrong = {name: found[name] for name in WRONG if found[name]}
    return killed, recoveries, found, wrong


def warm_up():
    """Compile and import all there is, in this process, and leave no thread or connection."""
    model = LoopModel(checked({})[0])
    for number, features in enumerate(["{}", '{"c":1}'] * 4):
        context = f'{{"a":{number}}}'
        model.learn(Entry(number, LEARN, 0.0, None, context, "b", features, 1.0))
    model.probabilities("{}", ["a", "b"], ["{}", '{"c":1}'])


def main():
    parser = argparse.ArgumentParser(description="Kill -9 at random moments.")
    parser.add_argument("--kills", type=int, default=100)
    parser.add_argument("--wait", type=float, default=None, help="seconds of the reward window")
    parser.add_argument("--postgres", action="store_true", help="on a PostgreSQL server")
    parser.add_argument("--seed", type=int, default=0)
    arguments = parser.parse_args()
    warm_up()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(END))
    url, server = None, None
    if arguments.postgres:
        server = server_in(tempfile.mkdtemp(), cleanup_mode="delete")
        url = server.get_uri()
    try:
        killed, recoveries, found, wrong = run(url, arguments.kills, arguments.wait, arguments.seed)
    finally:
        if server is not None:
            server.cleanup()
    recoveries.sort()
    rows = [["killed", f"{sum(killed.values())}"]]
    rows += [[f"killed: {role}", f"{count}"] for role, count in sorted(killed.items())]
    rows += [[name, f"{count:,}"] for name, count in sorted(found.items())]
    if recoveries:
        rows.append(["seconds to work again, median", f"{recoveries[len(recoveries) // 2]:.2f}"])
        rows.append(["seconds to work again, longest", f"{recoveries[-1]:.2f}"])
    console = Console()
    title = f"Kill -9 on {'PostgreSQL' if arguments.postgres else 'SQLite'}, wait {arguments.wait}"
    console.print(TableView("crash", title, ["", ""], rows).rich())
    for name, count in wrong.items():
        console.print(f"BROKEN: {name}: {count}", style="bold red")
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
