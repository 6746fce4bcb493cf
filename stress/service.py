"""Requests that nobody should send to `hybandit serve`, over all routes, to a real server.

    python -m stress.service                       # 10,000 requests: some minutes
    python -m stress.service --requests 500 --seed 7

Every answer must come, be no 5xx, and if it refuses, nothing in the database may have changed: the
counts of events and rewards, the journal and the settings are read after each request. Besides:
a body of 100 MB, JSON 10,000 deep, and heads that never end; after the first 1,000 requests the
memory of the server must not grow by more than 100 MB in all. Ends with 1 if anything is wrong.
"""

from __future__ import annotations

import argparse
import json
import random
import socket
import sqlite3
import sys
import tempfile
from collections import Counter
from contextlib import closing, suppress
from pathlib import Path
from urllib.parse import quote

import psutil
from rich.console import Console

from benchmarks.service import servers
from hybandit.loop import Loops
from hybandit.reports.tables import TableView
from hybandit.service.operations import OPERATIONS

LOOP, PATIENCE, MOST_GROWTH = "tea", 60.0, 100e6
# After so many requests all that is imported or compiled when it is first needed is there.
WARM = 1_000
STATE = """
SELECT (SELECT count(*) FROM loop_events), (SELECT count(*) FROM loop_rewards),
       (SELECT max(position) FROM loop_journal),
       (SELECT value FROM loop_meta WHERE name = 'settings')
"""
# JSON text: what a body may have in any place.
ODD = [
    "NaN", "-Infinity", "1e999", "-1e308", "0", "-1", "1.5", "true", "null", '""', '"a"', "[]",
    "{}",
    '"\\ud800"', '"\\u0000"', '"' + "x" * 300 + '"', "1" + "0" * 400, str(2**63), "[[[[1]]]]",
    '{"a": {"a": null}}', '["a", "a"]', '[null]', '"../../etc/passwd"', '{"": 1}', "{", '"', "",
]  # fmt: skip
FIELDS = [
    "actions", "context", "event", "exclude", "baseline", "defer", "value", "key", "calls",
    "settings", "version", "policy", "contextFeatures", "excludedActions", "eventId", "strange",
]  # fmt: skip
GOOD = {
    "actions": '["a", "b"]', "context": '{"age": 3}', "event": '"known"', "value": "1",
    "settings": '{"control": 0.05}', "version": "0", "policy": '"item-lin-ucb"',
    "calls": '[{"event": "known"}]', "contextFeatures": "[{}]", "eventId": '"known"',
}  # fmt: skip
NAMES = ["tea", "tea", "tea", "nobody", "..", "%2e%2e%2f", "tea%00", "TEA", "a" * 300, "%ff", "%"]
EVENTS = ["known", "%2e%2e/%2e%2e", "a/b//c", "%00", "%ed%a0%80", "x" * 400, "%F0%9F%8D%B5", ""]
HEADERS = [
    "Content-Type: text/plain", "Content-Encoding: gzip", "Origin: http://evil.example",
    "Authorization: Bearer \xff\xfe", "Authorization: Basic eDp5", "Idempotency-Key: " + "k" * 999,
    "Ocp-Apim-Subscription-Key: x", "Expect: 100-continue", "X-Request-Id: <script>",
]  # fmt: skip


def body_of(chance):
    """A body that is nearly right, or not at all."""
    if chance.random() < 0.1:
        return chance.choice([chance.randbytes(50), b"", b"[" * 10_000, b"\xff\xfe{}", b"null"])
    fields = chance.sample(FIELDS, chance.randrange(5))
    pairs = [
        f'"{field}": {GOOD.get(field, "1") if chance.random() < 0.6 else chance.choice(ODD)}'
        for field in fields
    ]
    return ("{" + ", ".join(pairs) + "}").encode()


def request_of(chance):
    """A request as bytes."""
    operation = chance.choice(OPERATIONS)
    path = operation.path.replace("{name}", chance.choice(NAMES))
    path = path.replace("{event:path}", chance.choice(EVENTS))
    path = path.replace("{version}", chance.choice(["0", "-1", "x", "9" * 99, "1e3"]))
    if chance.random() < 0.3:
        value = quote(chance.choice(ODD)[:200])
        path += f"?{chance.choice(['after', 'limit', 'action', 'points', 'x'])}={value}"
    method = operation.method if chance.random() < 0.9 else chance.choice(["PUT", "GET", "BREW"])
    body = body_of(chance) if method not in ("GET", "DELETE") or chance.random() < 0.1 else b""
    lines = [f"{method} {path} HTTP/1.1", "Host: localhost", "Connection: close"]
    lines.append(f"Content-Length: {len(body)}")
    odd = chance.sample(HEADERS, 1) if chance.random() < 0.3 else []
    if not any(each.startswith("Content-Type") for each in odd):
        lines.append("Content-Type: application/json")
    return "\r\n".join([*lines, *odd, "", ""]).encode("latin-1") + body


def answered(port, request):
    """The status of the answer; 0 if the connection was closed without one."""
    found = b""
    with closing(socket.create_connection(("127.0.0.1", port), PATIENCE)) as connection:
        with suppress(ConnectionError):
            connection.sendall(request)
        with suppress(ConnectionError):
            while part := connection.recv(65536):
                found += part
    if found.startswith(b"HTTP/1.1 100 "):
        found = found.partition(b"\r\n\r\n")[2]
    return int(found[9:12]) if found.startswith(b"HTTP/1.1 ") else 0


class Attack:
    """A server, its database seen from outside, and what was found wrong."""

    def __init__(self, port, folder):
        self.port, self.folder = port, folder
        self.statuses, self.wrong = Counter(), []
        self.prepare()

    def prepare(self):
        """The loop and its event, which a request may have deleted."""
        self.post("PUT", f"/v1/loops/{LOOP}", b'{"settings": {"wait": null}}')
        self.post("POST", f"/v1/loops/{LOOP}/rank", b'{"actions": ["a", "b"], "event": "known"}')

    def post(self, method, path, body):
        head = f"{method} {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n"
        head += f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n"
        return answered(self.port, head.encode() + body)

    def state(self):
        path = self.folder / "loops" / f"{LOOP}.db"
        if not path.exists():
            return None
        with closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True)) as connection:
            return connection.execute(STATE).fetchone()

    def send(self, request):
        before = self.state()
        if before is None:
            self.prepare()
            before = self.state()
        status = answered(self.port, request)
        self.statuses[status] += 1
        if status == 0 or status >= 500:
            self.wrong.append(f"{status}: {request[:300]!r}")
        elif status >= 400 and self.state() != before:
            self.wrong.append(f"{status}, and it changed something: {request[:300]!r}")

    def send_too_much(self):
        """Bodies that are too large or too deep; each must be refused or cut off."""
        path, deep = f"/v1/loops/{LOOP}/rank", b'{"context": ' + b'{"a":' * 10_000
        for body in (b"x" * 100_000_000, deep + b"1" + b"}" * 10_001):
            status = self.post("POST", path, body)
            self.statuses[status] += 1
            if not (status == 0 or 400 <= status < 500):
                self.wrong.append(f"{status} for a body of {len(body):,} bytes")

    def leave_heads_open(self, count=200):
        """Connections that never end their head; another client must be answered meanwhile."""
        stuck = [socket.create_connection(("127.0.0.1", self.port)) for _ in range(count)]
        for connection in stuck:
            connection.sendall(b"POST /v1/loops HTTP/1.1\r\nHost:")
        if (
            answered(
                self.port, b"GET /health HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
            )
            != 200
        ):
            self.wrong.append("nobody was answered while heads were open")
        for connection in stuck:
            connection.close()


def main():
    parser = argparse.ArgumentParser(description="Fuzz the service.")
    parser.add_argument("--requests", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=0)
    arguments = parser.parse_args()
    chance = random.Random(arguments.seed)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        with Loops(folder / "loops", learn=False) as loops:
            loops.create(LOOP, wait=None)
        with servers.running(servers.serving(folder / "loops")) as (port, server):
            attack, process = Attack(port, folder), psutil.Process(server.pid)
            for _ in range(min(WARM, arguments.requests)):
                attack.send(request_of(chance))
            before = process.memory_info().rss
            for _ in range(max(0, arguments.requests - WARM)):
                attack.send(request_of(chance))
            attack.send_too_much()
            attack.leave_heads_open()
            grown = process.memory_info().rss - before
    if grown > MOST_GROWTH:
        attack.wrong.append(f"its memory grew by {grown / 1e6:,.0f} MB")
    lines = [[f"{status}", f"{count:,}"] for status, count in sorted(attack.statuses.items())]
    lines += [["memory grew by", f"{grown / 1e6:,.1f} MB"], ["wrong", f"{len(attack.wrong)}"]]
    Console().print(TableView("fuzz", f"{arguments.requests:,} requests", ["", ""], lines).rich())
    print(json.dumps(attack.wrong[:20], indent=1))
    sys.exit(bool(attack.wrong))


if __name__ == "__main__":
    main()
