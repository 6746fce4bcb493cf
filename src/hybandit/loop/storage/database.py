"""The storage of a loop in a database, through SQLAlchemy Core: SQLite and PostgreSQL alike."""

from __future__ import annotations

import json
import os
import socket
import sqlite3
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from traceback import format_exception
from typing import Any, TypeVar

import sqlalchemy as sql

from hybandit.errors import Conflict, StoreError
from hybandit.loop.process.forks import GATE
from hybandit.loop.storage import (
    arrivals,
    closings,
    forgetting,
    lookback,
    rows,
    stored_models,
    together,
)
from hybandit.loop.storage.backends import Backend, backend
from hybandit.loop.storage.contract import (
    Closing,
    Entry,
    Event,
    EventHistory,
    Marks,
    News,
    Reward,
    Storage,
)
from hybandit.loop.storage.forgetting import note, noted
from hybandit.loop.storage.tables import events, prepare
from hybandit.loop.storage.writer import Writer

T = TypeVar("T")
SETTINGS, TALLY = "settings", "tally"
CHUNK = 500

EVENT = events.select().where(events.c.id == sql.bindparam("id"))


class Database:
    """A `Storage` in the database that a path or an address names.

    `connect` makes the backend of an address.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     storage = Database(f"{folder}/loop.db")
    ...     storage.settings({"explore": 0.1}, {})
    ...     storage.head()
    ...     storage.close()
    {'explore': 0.1}
    0
    """

    def __init__(
        self,
        url: str | os.PathLike[str],
        connect: Callable[[str | os.PathLike[str]], Backend] = backend,
    ) -> None:
        self._address, self._connect = url, connect
        with GATE:
            self._backend = connect(url)
            GATE.watch(self._backend)
            self.url = self._backend.url
            self._writer = Writer(self._backend.begin, self._backend.may_repeat)
            self._known = rows.KnownActions()
            self._leads = False
            try:
                self._write(prepare, self.url)
            except BaseException:
                self._backend.close()
                raise

    def reopened(self) -> Database:
        """Another object for the same database, for a child of this process."""
        return Database(self._address, self._connect)

    def settings(self, defaults: dict[str, Any], given: dict[str, Any]) -> dict[str, Any]:
        def work(connection: sql.Connection) -> dict[str, Any]:
            made = noted(connection, SETTINGS)
            with rows.damage_of("the note 'settings'"):
                stored: dict[str, Any] = {**defaults, **(given if made is None else made)}
            for name, value in given.items():
                if name not in stored or stored[name] != value:
                    rule = f"{stored.get(name)!r}, as the loop {self.url} has it"
                    raise Conflict(name, rule, value)
            if made is None and stored:
                note(connection, SETTINGS, stored)
            return stored

        return self._write(work)

    def change(self, settings: dict[str, Any], at: float) -> int:
        def work(connection: sql.Connection) -> int:
            note(connection, SETTINGS, {**noted(connection, SETTINGS), **settings})
            return closings.append_change(connection, json.dumps(settings), at)

        return self._write(work)

    # Decisions and rewards

    def add_event(self, event: Event) -> Event:
        return self._kept(self._write(arrivals.put_event, self._known, event, alone=False))

    async def add_event_soon(self, event: Event) -> Event:
        """`add_event` for asyncio."""
        put = self._write_soon(arrivals.put_event, self._known, event, alone=False)
        return self._kept(await put)

    def add_reward(
        self, event: str, value: float, at: float, closing: Closing, key: str | None = None
    ) -> Reward:
        call = arrivals.RewardCall(event, value, at, closing, key)
        return self._write(arrivals.put_reward, self._backend, call, alone=call.closes)

    async def add_reward_soon(
        self, event: str, value: float, at: float, closing: Closing, key: str | None = None
    ) -> Reward:
        """`add_reward` for asyncio."""
        call = arrivals.RewardCall(event, value, at, closing, key)
        return await self._write_soon(arrivals.put_reward, self._backend, call, alone=call.closes)

    def add_rewarded(
        self, rewarded: Sequence[tuple[Event, float]], at: float, closing: Closing, key: str
    ) -> None:
        numbers, swept = self._write(together.put, self._known, rewarded, at, closing, key)
        self._known.keep(numbers, swept)

    def activate(self, event: str, at: float, closing: Closing) -> None:
        def work(connection: sql.Connection) -> None:
            found = arrivals.known_event(connection, event)
            if found.active:
                return
            due = None if closing.wait is None else at + closing.wait
            change = events.update().where(events.c.number == found.number)
            connection.execute(change.values(activated=at, due=due))
            if due is not None:
                arrivals.NEW_PENDING(connection, event=found.number, due=due)
            else:
                closings.close_rewarded(connection, found.number, closing, at)

        self._write(work)

    def close_due(self, now: float, closing: Closing, limit: int) -> int:
        if not self._read(closings.due, now, 1):
            return 0
        return self._write(closings.close_due, now, closing, limit)

    def next_due(self) -> float:
        return self._read(closings.next_due)

    def pulse(self) -> object:
        with self._told("read"), GATE:
            return self._backend.pulse()

    # The journal

    def append(
        self,
        kind: str,
        at: float,
        content: bytes,
        *,
        target: int | None = None,
        policy: str | None = None,
    ) -> int:
        return self._write(closings.append, Entry(0, kind, at, target, policy=policy), content)

    def head(self) -> int:
        return self._read(closings.head)

    def entries(self, after: int, limit: int) -> list[Entry]:
        return self._read(lookback.entries, after, limit)

    def jumps(self) -> list[Entry]:
        return self._read(lookback.jumps)

    # Snapshots

    def snapshots(self) -> list[int]:
        return self._read(stored_models.positions)

    def read_snapshot(self, position: int) -> bytes | None:
        return self._read(stored_models.read, position)

    def write_snapshot(self, position: int, content: bytes, at: float) -> None:
        count = stored_models.write(content, position, self._read, self._write)
        if count is not None:
            self._write(stored_models.finish, position, count, at)

    def delete_snapshots(self, positions: Sequence[int]) -> None:
        if positions:
            self._write(stored_models.delete, positions)
            stored_models.clear(self._write)

    # Forgetting

    def base(self) -> int:
        return self._read(forgetting.base)

    def last_before(self, moment: float) -> int:
        return self._read(forgetting.last_before, moment)

    def set_base(self, position: int, content: bytes, at: float) -> None:
        if position > self.base():
            count = stored_models.write(content, position, self._read, self._write)
            self._write(forgetting.set_base, position, count, content, at)
            stored_models.clear(self._write)

    def forget(self, moment: float, limit: int) -> Iterator[int]:
        yield from forgetting.forget(self._read, self._write, moment, limit)
        while self._write(self._backend.give_back):
            yield 0

    # The lease

    def take_lease(self, at: float) -> bool:
        with self._told("asked for its lease"), GATE:
            took = self._backend.take_lease()
        if took and not self._leads:
            holder = {"host": socket.gethostname(), "process": os.getpid(), "since": at}
            self._write(note, lookback.HOLDER, holder)
        self._leads = took
        return took

    def release_lease(self) -> None:
        self._leads = False
        with self._told("left"), GATE:
            self._backend.release_lease()

    # Looking back

    def event_history(self, event: str) -> EventHistory | None:
        query = EVENT.params(id=event)
        found = self._read(lookback.event_histories, query)
        return found[0] if found else None

    def event_histories(
        self, after: int = 0, limit: int | None = None, action: str | None = None
    ) -> Iterator[EventHistory]:
        left = sys.maxsize if limit is None else limit
        while left > 0:
            query = lookback.page_of_events(after, min(CHUNK, left), action)
            found = self._read(lookback.event_histories, query)
            yield from found
            if not found:
                return
            after, left = found[-1].number, left - len(found)

    def news(self, after: Marks, limit: int) -> News:
        return self._read(lookback.news, after, limit, alone=True)

    def tally(self) -> str | None:
        text = self._read(noted, TALLY)
        return text if isinstance(text, str) else None

    def keep_tally(self, text: str) -> None:
        self._write(note, TALLY, text)

    def curve(self, points: int) -> list[tuple[int, float]]:
        return self._read(lookback.curve, points)

    def counts(self) -> dict[str, int]:
        return self._read(lookback.counts)

    def facts(self, now: float) -> dict[str, Any]:
        found = self._read(lookback.facts, now)
        with self._told("measured"), GATE:
            return {**found, "bytes": self._backend.size()}

    def backup(self, path: Path) -> None:
        with self._told("copied"), GATE:
            self._backend.check()
            self._backend.backup(path)

    def close(self) -> None:
        with GATE:
            self._backend.close()

    def _write(self, work: Callable[..., T], *arguments: Any, alone: bool = True) -> T:
        with self._told("written"), GATE:
            return self._writer.run(work, *arguments, alone=alone)

    async def _write_soon(self, work: Callable[..., T], *arguments: Any, alone: bool) -> T:
        with self._told("written"):
            return await self._writer.soon(work, *arguments, alone=alone)

    def _kept(self, put: arrivals.Put) -> Event:
        self._known.keep(put.numbers, put.swept)
        return put.event

    def _read(self, work: Callable[..., T], *arguments: Any, alone: bool = False) -> T:
        with self._told("read"), GATE, self._backend.read(alone=alone) as connection:
            return work(connection, *arguments)

    @contextmanager
    def _told(self, doing: str) -> Iterator[None]:
        """Errors of the database become those of a loop."""
        try:
            yield
        except rows.Damaged as error:
            raise StoreError(f"the loop {self.url} is damaged: {error}") from None
        except (sql.exc.SQLAlchemyError, sqlite3.Error) as error:
            cause = str(getattr(error, "orig", None) or error)
            for secret in self._backend.secrets():
                cause = cause.replace(secret, "***")
            told = StoreError(f"the loop {self.url} cannot be {doing}: {cause}")
            raise told from self._shown(error)

    def _shown(self, error: BaseException) -> BaseException | None:
        """The cause of an error, unless a traceback of it would show a password."""
        text = "".join(format_exception(error))
        return None if any(secret in text for secret in self._backend.secrets()) else error


def opened(storage: Any) -> Storage:
    """A storage as it is, or the database that a path or an address names."""
    return storage if isinstance(storage, Storage) else Database(storage)


def is_missing(storage: Any) -> bool:
    """Whether this names a file that is not there."""
    if not isinstance(storage, (str, os.PathLike)):
        return False
    path = str(storage).removeprefix("sqlite+pysqlite:///").removeprefix("sqlite:///")
    return bool(path) and "://" not in path and "\0" not in path and not os.path.lexists(path)
