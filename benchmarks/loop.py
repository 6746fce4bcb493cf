"""How fast a loop is, beside bare SQLite inserts of the same rows in the same run.

    python benchmarks/loop.py [--learned N] [--rounds N] [--url URL] [--fold N]

Writes N events, learns them, then ranks 20 actions of 10 features while it learns on, then 4
threads of rank and reward; the size on disk, the fold's speed and the start of a new process
from a snapshot. Each rank is followed by one transaction of the same bytes into a bare table,
synchronised just so. With --url the loop stays: when the command is stopped and run again, it
goes on where it was, and the speed of learning is that of the rest.
"""

from __future__ import annotations

import os

for library in ("OMP", "OPENBLAS", "MKL", "NUMBA"):
    os.environ[f"{library}_NUM_THREADS"] = "1"

import argparse
import json
import random
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from concurrent.futures import ThreadPoolExecutor

import numpy as np
from rich.console import Console

from hybandit import Loop
from hybandit.loop.storage.contract import Closing, Event
from hybandit.loop.verbs.request import RankRequest
from hybandit.reports.tables import TableView

ACTIONS, FEATURES, DISTINCT = 20, 10, 500
BATCH = 1000
# Imports, then: open the loop and rank once; prints how long that took.
START = """
import json, sys, time
import hybandit, hybandit.loop.loop
url, context, actions = json.load(sys.stdin)
began = time.perf_counter()
with hybandit.Loop(url, learn=False) as loop:
    loop.rank(context, actions)
    print(time.perf_counter() - began)
"""


def made(chance, prefix):
    """Ten features, half numbers and half texts."""
    numbers = {f"{prefix}{place}": chance.random() for place in range(0, FEATURES, 2)}
    texts = {f"{prefix}{place}": f"value {chance.randrange(20)}" for place in range(1, FEATURES, 2)}
    return numbers | texts


class World:
    """500 actions, of which each request offers 20; `asked` seeds the requests alone."""

    def __init__(self, seed=0, asked=None):
        self._chance = random.Random(seed)
        self._actions = {f"action {n}": made(self._chance, "a") for n in range(DISTINCT)}
        if asked is not None:
            self._chance.seed(asked)

    def request(self):
        names = self._chance.sample(sorted(self._actions), ACTIONS)
        return made(self._chance, "c"), {name: self._actions[name] for name in names}


def fill(url, world, count):
    """Closed events, many in a transaction: only what is measured later is written one by one."""
    with FilledLoop(url, learn=False, wait=None) as loop, ThreadPoolExecutor(64) as pool:
        storage = loop._storage
        known = storage.counts()["closed"] // BATCH * BATCH
        for _ in range(known):
            world.request()
        for start in range(known, count, BATCH):
            events = [
                loop.filled(RankRequest.of(*world.request(), event=f"{number:032x}"))
                for number in range(start, min(count, start + BATCH))
            ]
            list(pool.map(storage.add_event, events))
            list(pool.map(lambda event: reward(storage, event), events))


def reward(storage, event):
    storage.add_reward(event.id, int(event.id, 16) % 7 / 7, event.at, Closing())


class FilledLoop(Loop):
    def filled(self, request):
        """A decision by chance, without asking the model."""
        size, number = len(request.names), int(request.event, 16)
        return Event(
            id=request.event, at=time.time(), context=request.context, names=request.names,
            features=request.features, excluded=(), probabilities=(1.0 / size,) * size,
            choice=number % size, preferred=0, baseline=0, version=0, seed=number,
            deferred=False, due=None,
        )  # fmt: skip


def bare(path):
    connection = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("PRAGMA synchronous = FULL")
    connection.execute("CREATE TABLE bare (number INTEGER PRIMARY KEY, id TEXT UNIQUE, row BLOB)")

    def insert(name, content):
        connection.execute("BEGIN IMMEDIATE")
        connection.execute("INSERT INTO bare (id, row) VALUES (?, ?)", (name, content))
        connection.execute("COMMIT")

    return insert


class Timer:
    """Wall seconds and CPU seconds of this thread, by the name of what was done."""

    def __init__(self):
        self.wall, self.cpu = defaultdict(list), defaultdict(list)

    def __call__(self, name, call, *arguments):
        wall, cpu = time.perf_counter(), time.thread_time()
        result = call(*arguments)
        self.cpu[name].append(time.thread_time() - cpu)
        self.wall[name].append(time.perf_counter() - wall)
        return result


def one_by_one(loop, world, insert, rounds):
    """Each rank, reward and bare insert, timed in turn while the loop learns."""
    timer = Timer()
    for number in range(rounds):
        context, actions = world.request()
        decision = timer("rank", loop.rank, context, actions)
        content = json.dumps(context).encode() + bytes(ACTIONS * 12 + 60)
        timer("bare insert", insert, decision.event, content)
        timer("reward", loop.reward, decision.event, float(number % 2))
    return timer


def in_main_thread(loop, world, rounds):
    """Calls of the main thread, in turn by its helper and without, while the loop learns."""
    timer = Timer()
    for number in range(rounds):
        for name, rank in (("by its helper", Loop.rank), ("without", Loop.rank.__wrapped__)):
            decision = timer(name, rank, loop, *world.request())
            loop.reward(decision.event, float(number % 2))
    for name, times in timer.wall.items():
        quartiles = np.quantile(times, [0.25, 0.5, 0.75]) * 1e3
        told = "{1:.3f} ms ({0:.3f} to {2:.3f})".format(*quartiles)
        yield f"rank in the main thread, {name}, median and quartiles", told


def four_threads(loop, rounds):
    """Pairs a second, and how far the learner is behind at the end."""
    worlds = [World(seed) for seed in range(1, 5)]

    def pairs(world):
        for number in range(rounds):
            decision = loop.rank(*world.request())
            loop.reward(decision.event, float(number % 2))

    began = time.perf_counter()
    with ThreadPoolExecutor(4) as pool:
        list(pool.map(pairs, worlds))
    seconds = time.perf_counter() - began
    began = time.perf_counter()
    loop.wait_for(timeout=60.0)
    return 4 * rounds / seconds, time.perf_counter() - began


def learned(url):
    """How many entries there were to learn, and how many seconds the loop took."""
    with Loop(url, learn=False) as loop:
        start, head = max([0, *loop._storage.snapshots()]), loop.version
    began = time.perf_counter()
    with Loop(url, wait=None) as loop:
        loop.wait_for(head, timeout=1e6)
        return head - start, time.perf_counter() - began


def folded(loop, most):
    """Entries a second, from nothing."""
    head = min(loop.version, most)
    began = time.perf_counter()
    loop._versions.at(head, use_snapshots=False)
    return head / (time.perf_counter() - began)


def started(url, request):
    """Seconds that a new process takes to open the loop and rank, after imports."""
    found = subprocess.run(
        [sys.executable, "-c", START], input=json.dumps([url, *request]), text=True,
        capture_output=True, check=True,
    )  # fmt: skip
    return float(found.stdout)


def measured(url, folder, arguments):
    """Lines of the table."""
    world = World()
    fill(url, world, arguments.learned)
    count, seconds = learned(url)
    if count:
        told = f"{count / seconds:,.0f} ({count:,} in {seconds:,.0f} s)"
        yield "learned a second by the loop, at first", told
    with Loop(url, wait=None) as loop:
        loop.rank(*world.request())
        insert = bare(f"{folder}/bare.db")
        # In a thread: the main thread lets another make its calls, whose time it cannot see.
        with ThreadPoolExecutor(1) as pool:
            timer = pool.submit(one_by_one, loop, world, insert, arguments.rounds).result()
        floor = np.median(timer.wall["bare insert"])
        for name, times in timer.wall.items():
            middle, high = np.median(times), np.quantile(times, 0.99)
            yield f"{name}, median", f"{middle * 1e3:.2f} ms"
            yield f"{name}, 99 %", f"{high * 1e3:.2f} ms"
            yield f"{name}, CPU median", f"{np.median(timer.cpu[name]) * 1e3:.2f} ms"
            yield f"{name}, bare insert = 1", f"{middle / floor:.2f}"
        yield from in_main_thread(loop, world, arguments.rounds)
        speed, behind = four_threads(loop, arguments.rounds // 4)
        yield "pairs a second, 4 threads", f"{speed:,.0f}"
        yield "seconds until all of them are learned", f"{behind:.2f}"
        yield "entries folded a second", f"{folded(loop, arguments.fold):,.0f}"
    yield "seconds to open and rank, new process", f"{started(url, world.request()):.2f}"
    with Loop(url, learn=False) as loop:
        status = loop.status()
        size = sum(len(loop._storage.read_snapshot(place)) for place in loop._storage.snapshots())
    yield "events", f"{status.events:,}"
    yield "bytes on disk", f"{status.bytes:,}, an event {status.bytes / status.events:,.0f}"
    yield "bytes of snapshots among them", f"{size:,}, {status.snapshots} of them"


def main():
    parser = argparse.ArgumentParser(description="How fast a loop is.")
    parser.add_argument("--learned", type=int, default=100_000, help="events learned before")
    parser.add_argument("--rounds", type=int, default=2000)
    parser.add_argument("--fold", type=int, default=20_000, help="events to fold again")
    parser.add_argument("--url", default=None, help="default: a SQLite file that is deleted")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        url = arguments.url or f"{folder}/loop.db"
        table = [list(line) for line in measured(url, folder, arguments)]
    Console().print(TableView("loop", f"A loop at {url}", ["", ""], table).rich())


if __name__ == "__main__":
    main()
