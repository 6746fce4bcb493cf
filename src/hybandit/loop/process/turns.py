"""One thread for all loops of a process: each gets a turn, a piece of work, when it is due."""

from __future__ import annotations

import math
import os
import time
from threading import Condition, Lock, Thread, get_ident
from typing import Protocol

# Another thread takes over if a turn takes longer than so many seconds.
SLOW = 1.0


class Worker(Protocol):
    """Something that works in turns."""

    def turn(self) -> float:
        """Work for a moment; returns after how many seconds it wants its next turn."""


class Turns:
    """Gives workers their turns, the one first that has been due for longest.

    So one that always has work gets every second turn at most, as long as others are due. One
    thread does it all, and a second one stands by: if a turn takes long, it goes on with the
    others. They end when there is nobody left to work for.

    Examples
    --------
    >>> from threading import Event
    >>> class Once:
    ...     done = Event()
    ...     def turn(self):
    ...         self.done.set()
    ...         return 60.0
    >>> turns, worker = Turns(), Once()
    >>> turns.add(worker)
    >>> worker.done.wait()
    True
    >>> turns.remove(worker)
    """

    def __init__(self, slow: float = SLOW) -> None:
        self._slow, lock = slow, Lock()
        self._changed, self._taken_over, self._ended = (Condition(lock) for _ in range(3))
        self._due: dict[Worker, float] = {}
        # Who has a turn now.
        self._working: set[Worker] = set()
        # How many threads there are, the one that gives turns, and since when it has been working.
        self._threads = 0
        self._leader: int | None = None
        self._since = math.inf

    def add(self, worker: Worker) -> None:
        """Give turns to a worker from now on."""
        with self._changed:
            self._due[worker] = time.monotonic()
            if self._threads < min(2, len(self._due)):
                self._threads += 1
                Thread(target=self._run, name="hybandit-loop", daemon=True).start()
            self._changed.notify()

    def hurry(self, worker: Worker, within: float = 0.0) -> None:
        """Let a worker have its next turn within so many seconds, or as soon as may be."""
        due = time.monotonic() + within
        # Looked at without the lock first: mostly it was hurried just before.
        if self._due.get(worker, 0.0) > due:
            with self._changed:
                if self._due.get(worker, 0.0) > due:
                    self._due[worker] = due
                    self._changed.notify()

    def remove(self, worker: Worker) -> None:
        """Give a worker no more turns; returns when its last one is over."""
        with self._changed:
            self._due.pop(worker, None)
            self._changed.notify()
            self._ended.wait_for(lambda: worker not in self._working)

    def _run(self) -> None:
        while (worker := self._next()) is not None:
            pause = worker.turn()
            with self._changed:
                if self._leader == get_ident():
                    self._since = math.inf
                self._working.remove(worker)
                if worker in self._due:
                    self._due[worker] = min(self._due[worker], time.monotonic() + pause)
                self._ended.notify_all()
                self._changed.notify()
            del worker

    def _next(self) -> Worker | None:
        """Wait until somebody is due; None if this thread is not needed any more."""
        me = get_ident()
        with self._changed:
            while self._due:
                if not self._leads(me):
                    self._taken_over.wait(self._slow)
                    continue
                free = {each: due for each, due in self._due.items() if each not in self._working}
                worker = min(free, key=free.__getitem__, default=None)
                left = math.inf if worker is None else free[worker] - time.monotonic()
                if worker is None or left > 0.0:
                    self._changed.wait(None if left == math.inf else left)
                    continue
                # What comes during the turn calls for another.
                self._due[worker], self._since = math.inf, time.monotonic()
                self._working.add(worker)
                return worker
            self._threads -= 1
            if self._leader == me:
                self._leader = None
            self._taken_over.notify_all()
            return None

    def _leads(self, me: int) -> bool:
        """Whether this thread gives the turns; it begins to if nobody does, or one is stuck."""
        is_stuck = time.monotonic() - self._since > self._slow
        if self._leader is None or (is_stuck and self._leader != me):
            self._leader, self._since = me, math.inf
        return self._leader == me


_of_process: dict[int, Turns] = {}


def here() -> Turns:
    """The turns of this process; those that a fork has copied have no threads."""
    return _of_process.setdefault(os.getpid(), Turns())
