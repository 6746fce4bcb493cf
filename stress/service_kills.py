"""Kills `hybandit serve` under load, kill -9, and starts it again.

    python -m stress.service_kills                 # 100 kills: about an hour
    python -m stress.service_kills --kills 5       # a first look: some minutes

Clients rank and reward with ids of their own, and send every call again until it is answered, most
calls twice for good measure. In the end each answered call must be in the database once, and the
model must equal one that learned the journal without interruption. Ends with 1 if not.
"""

from __future__ import annotations

import argparse
import random
import sys
import tempfile
import threading
import time
from collections import Counter
from pathlib import Path

import httpx2 as httpx
from rich.console import Console

from benchmarks.service import servers
from hybandit.loop import Loops
from hybandit.reports.tables import TableView

LOOP, CLIENTS, PATIENCE = "tea", 4, 120.0
RANK, REWARD = f"/v1/loops/{LOOP}/rank", f"/v1/loops/{LOOP}/reward"


class Clients:
    """Threads that rank and reward, whatever happens to the server."""

    def __init__(self, seed):
        self.address = None
        self.done = threading.Event()
        self.answered, self.repeated, self.wrong = [], Counter(), []
        self.threads = [
            threading.Thread(target=self.run, args=(f"{seed}-{place}",)) for place in range(CLIENTS)
        ]

    def run(self, name):
        chance, number = random.Random(name), 0
        with httpx.Client(timeout=PATIENCE) as client:
            while not self.done.is_set():
                event = f"{name}-{number}"
                number += 1
                rank = {"event": event, "actions": ["a", "b"], "context": {"n": number % 5}}
                reward = {"event": event, "value": float(chance.random() < 0.5), "key": "once"}
                if self.sent(client, RANK, rank, chance) and self.sent(
                    client, REWARD, reward, chance
                ):
                    self.answered.append(event)

    def sent(self, client, path, body, chance):
        """Send it until it is answered; half the time once more, to the same answer."""
        left = 1 + (chance.random() < 0.5)
        while left and not self.done.is_set():
            try:
                status = client.post(f"{self.address}{path}", json=body).status_code
            except httpx.TransportError:
                self.repeated[path] += 1
                time.sleep(0.05)
                continue
            if status < 300:
                left -= 1
            elif status == 503:
                time.sleep(0.05)
            else:
                self.wrong.append(f"{status} for {path}")
                return False
        return not left


def checked(place, answered):
    """What is wrong in the database."""
    with Loops(place) as loops:
        loop = loops[LOOP]
        loop.wait_for(timeout=1e4)
        events = loop.events()
        counted = Counter(events.event)
        rewards = dict(zip(events.event, events.rewards, strict=True))
        for event in answered:
            if counted[event] != 1 or len(rewards[event]) != 1:
                yield f"{event}: {counted[event]} events, rewards {rewards.get(event)}"
        for version, apart in loop.verify():
            if apart != 0.0:
                yield f"the model of version {version} differs by {apart}"
        if loop.status().error is not None:
            yield loop.status().error


def killed(place, clients, kills, chance):
    """Start and kill the server so many times, once it answers."""
    for kill in range(kills + 1):
        with servers.running(servers.serving(place)) as (port, server):
            clients.address = f"http://127.0.0.1:{port}"
            seen, deadline = len(clients.answered), time.monotonic() + PATIENCE
            for thread in clients.threads if not kill else ():
                thread.start()
            while len(clients.answered) == seen and time.monotonic() < deadline:
                time.sleep(0.01)
            time.sleep(chance.uniform(0.0, 2.0))
            if kill < kills:
                server.kill()
            else:
                clients.done.set()


def main():
    parser = argparse.ArgumentParser(description="Kill the service under load.")
    parser.add_argument("--kills", type=int, default=100)
    parser.add_argument("--seed", type=int, default=0)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        place, clients = Path(name) / "loops", Clients(arguments.seed)
        with Loops(place, learn=False) as loops:
            loops.create(LOOP, wait=None)
        try:
            killed(place, clients, arguments.kills, random.Random(arguments.seed))
        finally:
            clients.done.set()
            for thread in clients.threads:
                thread.join(PATIENCE)
        wrong = [*clients.wrong, *checked(place, clients.answered)]
    lines = [
        ["kills", f"{arguments.kills}"],
        ["pairs answered", f"{len(clients.answered):,}"],
        ["calls sent again", f"{sum(clients.repeated.values()):,}"],
        ["wrong", f"{len(wrong)}"],
    ]
    Console().print(TableView("kills", "The service, killed under load", ["", ""], lines).rich())
    print(*wrong[:20], sep="\n")
    sys.exit(bool(wrong))


if __name__ == "__main__":
    main()
