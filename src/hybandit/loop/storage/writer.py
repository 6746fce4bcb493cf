"""Group commit: calls that arrive during a commit share the next transaction."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable
from contextlib import AbstractContextManager, suppress
from itertools import repeat
from operator import attrgetter
from threading import Condition, Lock, Thread
from typing import Any, Generic, TypeVar

import sqlalchemy as sql

from hybandit.errors import HybanditError, StoreError
from hybandit.loop.process.forks import GATE

T = TypeVar("T")
# A transaction takes at most so many calls, so that none of them waits long.
MOST = 256
# How often one is tried that another beside it may make fail; the last time it is alone.
TRIES = 4
# Seconds that the thread which commits for asyncio waits for more.
LINGER = 1.0


class Job(Generic[T]):
    """The work of one caller, and its result."""

    def __init__(self, work: Callable[..., T], arguments: tuple[Any, ...], alone: bool) -> None:
        self.work = work
        self.arguments = arguments
        self.alone = alone
        self.done = False
        self.result: T
        self.error: BaseException | None = None
        # Called when it is done, if the caller does not look by himself.
        self.tell: Callable[[], object] | None = None

    def run(self, connection: sql.Connection) -> None:
        """A refused call concerns its caller only; any other error fails the transaction."""
        self.error = None
        try:
            self.result = self.work(connection, *self.arguments)
        except HybanditError as refusal:
            self.error = refusal


class Writer:
    """Runs work in transactions, several callers' in one where they come at once.

    The caller that gets the lock does the work of all waiting callers and commits once, so
    there is no extra thread, and a single caller never waits. An asyncio loop must not wait for a
    disk: for its callers there is a thread, which ends soon after the last of them. Work that is
    refused must raise before it writes. Work may run twice: a transaction of several callers that
    fails is tried again for each of them alone, and one that another beside it has made fail is
    repeated.
    """

    def __init__(
        self,
        begin: Callable[..., AbstractContextManager[sql.Connection]],
        may_repeat: Callable[[Exception], bool] = lambda error: False,
    ) -> None:
        self._begin, self._may_repeat = begin, may_repeat
        self._lock = Lock()
        self._waiting: deque[Job[Any]] = deque()
        self._more, self._has_thread = Condition(), False

    def run(self, work: Callable[..., T], *arguments: Any, alone: bool = True) -> T:
        """The result of `work(connection, *arguments)`, once it is durable.

        If it need not be `alone`, such transactions of other processes may run beside it.
        """
        job = Job(work, arguments, alone)
        self._waiting.append(job)
        while not job.done:
            with self._lock:
                if not job.done:
                    self._commit_waiting()
        if job.error is not None:
            raise job.error
        return job.result

    async def soon(self, work: Callable[..., T], *arguments: Any, alone: bool = True) -> T:
        """`run` for asyncio, whose other tasks go on meanwhile.

        What a task has asked for is done, even if the task is cancelled.
        """
        job, loop = Job(work, arguments, alone), asyncio.get_running_loop()
        done = loop.create_future()

        def finish() -> None:
            if not done.done():
                done.set_result(None)

        def tell() -> None:
            with suppress(RuntimeError):  # The loop has ended.
                loop.call_soon_threadsafe(finish)

        job.tell = tell
        self._waiting.append(job)
        with self._more:
            if self._has_thread:
                self._more.notify()
            else:
                self._has_thread = True
                Thread(target=self._serve, name="hybandit-writer", daemon=True).start()
        await done
        if job.error is not None:
            raise job.error
        return job.result

    def _serve(self) -> None:
        while self._has_more():
            # An error is told to those whom it concerns.
            with suppress(Exception), GATE, self._lock:
                self._commit_waiting()

    def _has_more(self) -> bool:
        """Whether anybody waits, or soon does."""
        with self._more:
            self._has_thread = bool(self._more.wait_for(lambda: self._waiting, LINGER))
            return self._has_thread

    def _commit_waiting(self) -> None:
        count = min(MOST, len(self._waiting))
        if count:
            self._commit(list(map(deque.popleft, repeat(self._waiting, count))))

    def _commit(self, jobs: list[Job[Any]]) -> None:
        try:
            try:
                self._transact(jobs)
            except sql.exc.SQLAlchemyError:
                if len(jobs) == 1:
                    raise
                for job in jobs:
                    self._alone(job)
        except BaseException as error:
            for job in jobs:
                job.error = error if len(jobs) == 1 else StoreError(f"not written: {error}")
            raise
        finally:
            for job in jobs:
                job.done = True
                if job.tell is not None:
                    job.tell()

    def _alone(self, job: Job[Any]) -> None:
        try:
            self._transact([job])
        except sql.exc.SQLAlchemyError as error:
            job.error = error

    def _transact(self, jobs: list[Job[Any]]) -> None:
        alone = any(map(attrgetter("alone"), jobs))
        for turn in range(TRIES):
            try:
                with self._begin(alone=alone or turn == TRIES - 1) as connection:
                    for job in jobs:
                        job.run(connection)
                return
            except sql.exc.SQLAlchemyError as error:
                if turn == TRIES - 1 or not self._may_repeat(error):
                    raise
