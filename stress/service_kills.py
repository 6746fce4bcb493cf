"""Kills `hybandit serve`, its learner and its database under load, kill -9.

    python -m stress.service_kills                         # SQLite, 100 kills of the server
    python -m stress.service_kills --postgres --kills 200  # two workers, and a database to kill

On SQLite the server is the learner. On PostgreSQL the victim is drawn: the server with its two
workers, the worker that learns, or the database. Half of the times the next kill waits until calls
are answered again, so the other half may hit what is just starting.

Clients rank and reward, send every call again until it is answered, and half of the answered ones
once more. Half of the clients name their events; the others speak as Personalizer's clients do,
and only the id of the request, `x-ms-client-request-id`, says that it is the same again. In the
end each answered call must be in the database once, no call twice, and the model must equal one
that learned the journal without interruption. Ends with 1 if not. SIGTERM ends the killing early,
and what has happened by then is checked.
"""

from __future__ import annotations

import argparse
import os
import random
import signal
import sys
import tempfile
import threading
import time
from collections import Counter
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

import httpx2 as httpx
import psutil
from rich.console import Console

from benchmarks.service import servers
from hybandit.loop import Loops
from hybandit.reports.tables import TableView

LOOP, CLIENTS, PATIENCE = "tea", 4, 120.0
OWN, PERSONALIZERS = f"/v1/loops/{LOOP}", f"/loops/{LOOP}/personalizer/v1.0"
SERVER, LEARNER, DATABASE = "server", "learner", "database"
ACTIONS = [{"id": "a"}, {"id": "b"}]


class Clients:
    """Threads that rank and reward, whatever happens to the server."""

    def __init__(self, seed):
        self.address = None
        self.done = threading.Event()
        # Rewards by event, None until one is answered; every call that was ever sent.
        self.ranked, self.asked = {}, set()
        self.answered, self.repeated, self.wrong = 0, Counter(), []
        self.threads = [
            threading.Thread(target=self.run, args=(f"{seed}-{place}", place % 2))
            for place in range(CLIENTS)
        ]

    def run(self, name, is_personalizers):
        chance, number = random.Random(name), 0
        pair = self.as_personalizer if is_personalizers else self.by_name
        with httpx.Client(timeout=PATIENCE) as client:
            while not self.done.is_set():
                pair(client, f"{name}-{number}", {"n": number % 5}, chance)
                number += 1

    def by_name(self, client, event, context, chance):
        body = {"event": event, "actions": ["a", "b"], "context": context}
        value = float(chance.random() < 0.5)
        self.asked.add(event)
        if self.sent(client, f"{OWN}/rank", body, {}, chance):
            self.ranked[event] = None
            reward = {"event": event, "value": value, "key": "once"}
            if self.sent(client, f"{OWN}/reward", reward, {}, chance):
                self.ranked[event] = value

    def as_personalizer(self, client, request, context, chance):
        value, header = float(chance.random() < 0.5), "x-ms-client-request-id"
        self.asked.add(request)
        body = {"actions": ACTIONS, "contextFeatures": [context]}
        found = self.sent(client, f"{PERSONALIZERS}/rank", body, {header: request}, chance)
        if found:
            event = found.json()["eventId"]
            self.ranked[event] = None
            path, once = f"{PERSONALIZERS}/events/{event}/reward", {header: f"{request}-reward"}
            if self.sent(client, path, {"value": value}, once, chance):
                self.ranked[event] = value

    def sent(self, client, path, body, headers, chance):
        """Send it until it is answered; half the time once more, to the same answer."""
        left, first = 1 + (chance.random() < 0.5), None
        while left and not self.done.is_set():
            try:
                answer = client.post(f"{self.address}{path}", json=body, headers=headers)
            except httpx.TransportError:
                self.repeated[path.rpartition("/")[2]] += 1
                time.sleep(0.05)
                continue
            if answer.status_code < 300:
                if first is not None and answer.content != first.content:
                    self.wrong.append(f"{first.content} and {answer.content} for {path}")
                left, first = left - 1, answer
                self.answered += 1
            elif answer.status_code == 503:
                time.sleep(0.05)
            else:
                self.wrong.append(f"{answer.status_code} for {path}: {answer.content[:300]}")
                return None
        return first

    def wait(self, seen):
        """Until another call is answered."""
        deadline = time.monotonic() + PATIENCE
        while self.answered <= seen and time.monotonic() < deadline:
            time.sleep(0.01)
        if self.answered <= seen:
            self.wrong.append(f"nothing was answered for {PATIENCE:g} seconds")


class Served:
    """A server that is started again when it was killed."""

    def __init__(self, place, options, database):
        self.command, self.database = servers.serving(place, *options), database
        self._running = ExitStack()
        self.address, self.process = None, None

    def __enter__(self):
        # In a session of its own, so that a signal to this program's group does not reach it.
        running = servers.running(self.command, start_new_session=True)
        port, self.process = self._running.enter_context(running)
        self.address = f"http://127.0.0.1:{port}"
        return self

    def __exit__(self, *_):
        self._running.close()

    def learner(self):
        """The process that learns, or None if it cannot be said now."""
        with suppress(httpx.HTTPError, KeyError, TypeError):
            found = httpx.get(f"{self.address}{OWN}/status", timeout=PATIENCE).json()
            return found["learner"]["process"]

    def kill(self, victim):
        """Whether it was there to be killed; what does not start again by itself is started."""
        if victim == SERVER:
            servers.killed(self.process)
            self._running.close()
            self.__enter__()
        elif victim == LEARNER:
            process = self.learner()
            if process not in [each.pid for each in servers.processes(self.process)[1:]]:
                return False
            with suppress(ProcessLookupError):
                os.kill(process, signal.SIGKILL)
        else:
            postmaster = psutil.Process(self.database.get_pid())
            children = postmaster.children()
            postmaster.kill()
            psutil.wait_procs([postmaster, *children], PATIENCE)
            self.database.ensure_postgres_running()
        return True


def killed(served, clients, kills, chance, enough):
    """Kill so many times, or until it is enough; how often each victim."""
    victims = [SERVER] if served.database is None else [SERVER, LEARNER, DATABASE]
    counts = Counter()
    clients.address = served.address
    for thread in clients.threads:
        thread.start()
    clients.wait(0)
    while counts.total() < kills and not enough.is_set():
        time.sleep(chance.uniform(0.0, 2.0))
        victim = chance.choice(victims)
        counts[victim] += served.kill(victim)
        clients.address, seen = served.address, clients.answered
        if chance.random() < 0.5:
            clients.wait(seen + CLIENTS)
    clients.wait(clients.answered + CLIENTS)
    clients.done.set()
    for thread in clients.threads:
        thread.join(PATIENCE)
    return counts


def checked(place, clients):
    """What is wrong in the database."""
    with Loops(place) as loops:
        loop = loops[LOOP]
        loop.wait_for(timeout=1e4)
        events = loop.events()
        if loop.status().error is not None:
            yield loop.status().error
    counted = Counter(events.event)
    rewards = dict(zip(events.event, events.rewards, strict=True))
    for event, value in list(clients.ranked.items()):
        if counted[event] != 1:
            yield f"{event}: ranked once, there {counted[event]} times"
        elif value is not None and rewards[event] != [value]:
            yield f"{event}: rewarded with {value}, there {rewards[event]}"
    for event, found in rewards.items():
        if event not in clients.asked or len(found) > 1:
            yield f"{event}: nobody asked for it, or it has too many rewards: {found}"
    # Closed and opened again, so that there is a model of the newest version.
    with Loops(place) as loops:
        found = dict(loops[LOOP].verify())
        if max(found, default=0) < loops[LOOP].status().version:
            yield f"the newest model is that of version {max(found, default=0)}"
        for version, apart in found.items():
            if apart != 0.0:
                yield f"the model of version {version} differs by {apart}"


@contextmanager
def places(folder, is_postgres):
    """Where the loops are, how they are served, and the database to kill, if there is one."""
    if not is_postgres:
        yield folder / "loops", [], None
        return
    with servers.postgresql(folder / "database") as database:
        yield database.get_uri(), ["--workers", "2"], database


def main():
    parser = argparse.ArgumentParser(description="Kill the service under load.")
    parser.add_argument("--kills", type=int, default=100)
    parser.add_argument("--postgres", action="store_true", help="on a PostgreSQL server")
    parser.add_argument("--seed", type=int, default=0)
    arguments = parser.parse_args()
    clients, chance = Clients(arguments.seed), random.Random(arguments.seed)
    enough = threading.Event()
    signal.signal(signal.SIGTERM, lambda *_: enough.set())
    with tempfile.TemporaryDirectory() as name, places(Path(name), arguments.postgres) as found:
        place, options, database = found
        with Loops(place, learn=False) as loops:
            loops.create(LOOP, wait=None)
        try:
            with Served(place, options, database) as served:
                counts = killed(served, clients, arguments.kills, chance, enough)
        finally:
            clients.done.set()
        wrong = [*clients.wrong, *checked(place, clients)]
    rewarded = sum(value is not None for value in clients.ranked.values())
    lines = [[f"killed: {victim}", f"{count}"] for victim, count in sorted(counts.items())]
    lines += [
        ["decisions answered", f"{len(clients.ranked):,}"],
        ["rewards answered", f"{rewarded:,}"],
        ["calls sent again after a lost connection", f"{clients.repeated.total():,}"],
        ["wrong", f"{len(wrong)}"],
    ]
    title = f"The service on {'PostgreSQL' if arguments.postgres else 'SQLite'}, killed under load"
    Console().print(TableView("kills", title, ["", ""], lines).rich())
    print(*wrong[:20], sep="\n")
    sys.exit(bool(wrong))


if __name__ == "__main__":
    main()
