"""Forks: a process forks only while no loop is at work and none of its connections is open.

SQLite keeps its locks of a file in the memory of the process, and a child would believe that it
holds those of its parent. A connection to PostgreSQL would be used by two processes at once. A
lock that another thread holds at that moment is never released in the child. So a fork waits
until all are outside the gate, and closes the connections: they open again when they are used.
"""

from __future__ import annotations

import os
import time
from contextlib import suppress
from threading import Lock, local
from typing import Protocol
from weakref import WeakSet

# Seconds that a fork waits for those inside, and between two looks.
PATIENCE, STEP = 30.0, 5e-4


class Connected(Protocol):
    """Something with connections that can be closed, and open again when they are used."""

    url: str

    def close(self) -> None: ...


class Gate:
    """Who is inside (``with GATE:``, any number of threads, and within itself) delays a fork.

    Nobody may wait inside for a thread that has still to come in.
    """

    def __init__(self) -> None:
        self._own = local()
        self._lock, self._fork = Lock(), Lock()
        self._inside = 0
        self._shut = self._empty = False
        self._connected: WeakSet[Connected] = WeakSet()
        # What a child got of its parent, open: to collect it would close the parent's.
        self._inherited: list[Connected] = []

    def __enter__(self) -> None:
        depth = getattr(self._own, "depth", 0)
        if not depth:
            self._come_in()
        self._own.depth = depth + 1

    def __exit__(self, *_: object) -> None:
        self._own.depth -= 1
        if not self._own.depth:
            with self._lock:
                self._inside -= 1

    def watch(self, connected: Connected) -> None:
        """Close this before every fork."""
        self._connected.add(connected)

    def has_inherited(self, url: str) -> bool:
        """Whether this process got connections to this database from its parent, still open."""
        return any(each.url == url for each in self._inherited)

    def _come_in(self) -> None:
        while True:
            with self._lock:
                if not self._shut:
                    self._inside += 1
                    return
            time.sleep(STEP)

    # Around a fork

    def before(self) -> None:
        deadline = time.monotonic() + PATIENCE
        if not self._fork.acquire(timeout=PATIENCE):
            return
        self._own.forks = True
        with self._lock:
            self._shut = True
        while self._inside > bool(getattr(self._own, "depth", 0)):
            if time.monotonic() > deadline:
                return
            time.sleep(STEP)
        for each in list(self._connected):
            with suppress(Exception):  # One that is broken is closed as well.
                each.close()
        self._empty = True

    def in_parent(self) -> None:
        if getattr(self._own, "forks", False):
            self._own.forks = self._shut = self._empty = False
            self._fork.release()

    def in_child(self) -> None:
        if not (self._empty and getattr(self._own, "forks", False)):
            self._inherited += self._connected
        self._own.forks = self._shut = self._empty = False
        self._connected = WeakSet()
        self._lock, self._fork = Lock(), Lock()
        self._inside = int(bool(getattr(self._own, "depth", 0)))


GATE = Gate()
if hasattr(os, "register_at_fork"):
    os.register_at_fork(
        before=GATE.before, after_in_parent=GATE.in_parent, after_in_child=GATE.in_child
    )
