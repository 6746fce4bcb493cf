"""The storage of a loop in a database, through SQLAlchemy Core: SQLite and PostgreSQL alike."""

from __future__ import annotations

import json
import os
import socket
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, TypeVar

import sqlalchemy as sql

from hybandit.errors import InvalidInput, StoreError
from hybandit.loop import closings, forgetting, lookback, rows
from hybandit.loop.backends import backend
from hybandit.loop.forgetting import note
from hybandit.loop.storage import (
    IMPORT,
    ROLLBACK,
    Closing,
    Entry,
    Event,
    EventHistory,
    Outcome,
    Reward,
)
from hybandit.loop.tables import actions, events, journal, meta, parts, pending, prepare, rewards
from hybandit.loop.tables import snapshots as models
from hybandit.loop.writer import Writer

T = TypeVar("T")
SETTINGS = "settings"
# Bytes of a snapshot that one transaction writes.
PIECE = 2**19
CHUNK = 500

# Statements of every call, made once: making one takes longer than running it.
EVENT = events.select().where(events.c.id == sql.bindparam("id"))
PLACE = (
    sql.select(
        events.c.number,
        events.c.due,
        (~events.c.deferred | events.c.activated.is_not(None)).label("active"),
        journal.c.position.is_not(None).label("closed"),
    )
    .outerjoin(journal, journal.c.event == events.c.number)
    .where(events.c.id == sql.bindparam("id"))
)
NEW_EVENT, NEW_PENDING, NEW_REWARD = events.insert(), pending.insert(), rewards.insert()
ENTRIES = (
    sql.select(journal, events.c.context, actions.c.name, actions.c.features)
    .outerjoin(events, events.c.number == journal.c.event)
    .outerjoin(actions, actions.c.number == events.c.action)
    .where(journal.c.position > sql.bindparam("after"))
    .order_by(journal.c.position)
    .limit(sql.bindparam("most"))
)


class Database:
    """A `Storage` in the database that a path or an address names.

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

    def __init__(self, url: str | os.PathLike[str]) -> None:
        self._backend = backend(url)
        self.url = self._backend.url
        self._writer = Writer(self._backend.begin)
        self._known = rows.KnownActions()
        self._leads = False
        try:
            self._write(prepare, self.url)
        except BaseException:
            self._backend.close()
            raise

    def settings(self, defaults: dict[str, Any], given: dict[str, Any]) -> dict[str, Any]:
        def work(connection: sql.Connection) -> dict[str, Any]:
            text = connection.scalar(sql.select(meta.c.value).where(meta.c.name == SETTINGS))
            stored: dict[str, Any] = {**defaults, **(json.loads(text) if text else given)}
            for name, value in given.items():
                if stored[name] != value:
                    rule = f"{stored[name]!r}, as the loop {self.url} was made with"
                    raise InvalidInput(name, rule, value)
            if not text:
                note(connection, SETTINGS, stored)
            return stored

        return self._write(work)

    # Decisions and rewards

    def add_event(self, event: Event) -> Event:
        def work(connection: sql.Connection) -> tuple[Event, dict[tuple[str, str], int]]:
            row = connection.execute(EVENT, {"id": event.id}).first()
            if row is not None:
                stored = rows.event_of(row, self._known.read(connection, [row]))
                if not stored.asks_the_same(event):
                    rule = "an id of its own: this one was ranked with other content"
                    raise InvalidInput("event", rule, event.id)
                return stored, {}
            numbers = self._known.write(connection, event)
            written = connection.execute(NEW_EVENT, rows.row_of(event, list(numbers.values())))
            if event.due is not None:
                (number,) = written.inserted_primary_key or (None,)
                connection.execute(NEW_PENDING, {"event": number, "due": event.due})
            return event, numbers

        stored, numbers = self._write(work)
        self._known.keep(numbers)
        return stored

    def add_reward(
        self, event: str, value: float, at: float, closing: Closing, key: str | None = None
    ) -> Reward:
        def work(connection: sql.Connection) -> Reward:
            found = _known_event(connection, event)
            if key is not None:
                again = connection.execute(rewards.select().where(rewards.c.key == key)).first()
                if again is not None:
                    if (again.event, again.value) != (found.number, value):
                        rule = "a key of its own: this one came with another reward"
                        raise InvalidInput("key", rule, key)
                    return rows.reward_of(again)
            late = found.closed or (found.due is not None and at > found.due)
            reward = Reward(value, at, late)
            connection.execute(
                NEW_REWARD,
                {"event": found.number, "value": value, "at": at, "late": late, "key": key},
            )
            if closing.wait is None and not late and found.active:
                closings.write(connection, [(found.number, value)], closing.kind, at)
            return reward

        return self._write(work)

    def activate(self, event: str, at: float, closing: Closing) -> None:
        def work(connection: sql.Connection) -> None:
            found = _known_event(connection, event)
            if found.active:
                return
            due = None if closing.wait is None else at + closing.wait
            change = events.update().where(events.c.number == found.number)
            connection.execute(change.values(activated=at, due=due))
            if due is not None:
                connection.execute(NEW_PENDING, {"event": found.number, "due": due})
            else:
                closings.close_rewarded(connection, found.number, closing, at)

        self._write(work)

    def close_due(self, now: float, closing: Closing, limit: int) -> int:
        if not self._read(closings.due, now, 1):
            return 0
        return self._write(closings.close_due, now, closing, limit)

    # The journal

    def append(self, kind: str, at: float, target: int | None, content: bytes) -> int:
        def work(connection: sql.Connection) -> int:
            head = closings.head(connection)
            oldest = forgetting.base(connection)
            if kind == ROLLBACK and (target is None or not oldest <= target <= head):
                raise InvalidInput("version", f"from {oldest} to {head}, the newest", target)
            line = {"position": head + 1, "kind": kind, "at": at, "target": target}
            connection.execute(journal.insert().values(line))
            _put_model(connection, head + 1, content, at, pinned=kind == IMPORT)
            return head + 1

        return self._write(work)

    def head(self) -> int:
        return self._read(closings.head)

    def entries(self, after: int, limit: int) -> list[Entry]:
        wanted = {"after": after, "most": limit}
        found = self._read(lambda connection: connection.execute(ENTRIES, wanted).all())
        return [rows.entry_of(row) for row in found]

    def jumps(self) -> list[Entry]:
        query = journal.select().where(journal.c.event.is_(None)).order_by(journal.c.position)
        found = self._read(lambda connection: connection.execute(query).all())
        return [Entry(row.position, row.kind, row.at, row.target) for row in found]

    # Snapshots

    def snapshots(self) -> list[int]:
        query = sql.select(models.c.position).order_by(models.c.position)
        return self._read(lambda connection: list(connection.scalars(query)))

    def read_snapshot(self, position: int) -> bytes | None:
        def work(connection: sql.Connection) -> bytes | None:
            count = connection.scalar(
                sql.select(models.c.parts).where(models.c.position == position)
            )
            query = sql.select(parts.c.content).where(parts.c.position == position)
            pieces = list(connection.scalars(query.order_by(parts.c.part)))
            return b"".join(pieces) if count == len(pieces) else None

        return self._read(work)

    def write_snapshot(self, position: int, content: bytes, at: float) -> None:
        def start(connection: sql.Connection) -> bool:
            if connection.scalar(sql.select(models.c.position).filter_by(position=position)):
                return False
            unfinished = parts.c.position.not_in(sql.select(models.c.position))
            connection.execute(parts.delete().where(unfinished))
            return True

        if not self._write(start):
            return
        pieces = _pieces(position, content)
        for piece in pieces:
            self._write(_put_piece, piece)
        header = {"position": position, "at": at, "parts": len(pieces), "pinned": False}
        self._write(_put_header, header)

    def delete_snapshots(self, positions: Sequence[int]) -> None:
        def work(connection: sql.Connection) -> None:
            these = models.c.position.in_(list(positions)) & ~models.c.pinned
            gone = list(connection.scalars(sql.select(models.c.position).where(these)))
            connection.execute(models.delete().where(models.c.position.in_(gone)))
            connection.execute(parts.delete().where(parts.c.position.in_(gone)))

        if positions:
            self._write(work)

    # Forgetting

    def base(self) -> int:
        return self._read(forgetting.base)

    def last_before(self, moment: float) -> int:
        return self._read(forgetting.last_before, moment)

    def set_base(self, position: int, content: bytes, at: float) -> None:
        def work(connection: sql.Connection) -> None:
            if position <= forgetting.base(connection):
                return
            for table in (models, parts):
                connection.execute(table.delete().where(table.c.position <= position))
            _put_model(connection, position, content, at, pinned=True)
            note(connection, forgetting.BASE, position)

        self._write(work)

    def forget(self, moment: float, limit: int) -> int:
        return self._write(forgetting.forget, moment, limit)

    # The lease

    def take_lease(self, at: float) -> bool:
        with self._errors("asked for its lease"):
            took = self._backend.take_lease()
        if took and not self._leads:
            holder = {"host": socket.gethostname(), "process": os.getpid(), "since": at}
            self._write(note, lookback.HOLDER, holder)
        self._leads = took
        return took

    def release_lease(self) -> None:
        self._leads = False
        with self._errors("left"):
            self._backend.release_lease()

    # Looking back

    def event_history(self, event: str) -> EventHistory | None:
        query = EVENT.params(id=event)
        found = self._read(lookback.event_histories, query)
        return found[0][1] if found else None

    def event_histories(self) -> Iterator[EventHistory]:
        after = 0
        while True:
            query = events.select().where(events.c.number > after)
            query = query.order_by(events.c.number).limit(CHUNK)
            found = self._read(lookback.event_histories, query)
            if not found:
                return
            after = found[-1][0]
            yield from (history for _, history in found)

    def outcomes(self, limit: int) -> list[Outcome]:
        return self._read(lookback.outcomes, limit)

    def curve(self, points: int) -> list[tuple[int, float]]:
        return self._read(lookback.curve, points)

    def counts(self) -> dict[str, Any]:
        counted = self._read(lookback.counts)
        with self._errors("measured"):
            return {**counted, "bytes": self._backend.size()}

    def close(self) -> None:
        self._backend.close()

    def _write(self, work: Callable[..., T], *arguments: Any) -> T:
        with self._errors("written"):
            return self._writer.run(work, *arguments)

    def _read(self, work: Callable[..., T], *arguments: Any) -> T:
        with self._errors("read"), self._backend.readers.connect() as connection:
            return work(connection, *arguments)

    @contextmanager
    def _errors(self, doing: str) -> Iterator[None]:
        try:
            yield
        except sql.exc.SQLAlchemyError as error:
            cause = getattr(error, "orig", None) or error
            raise StoreError(f"the loop {self.url} cannot be {doing}: {cause}") from error


def _known_event(connection: sql.Connection, event: str) -> Any:
    found = connection.execute(PLACE, {"id": event}).first()
    if found is None:
        raise InvalidInput("event", "the id of a decision of this loop", event)
    return found


def _pieces(position: int, content: bytes) -> list[dict[str, Any]]:
    return [
        {"position": position, "part": part, "content": content[start : start + PIECE]}
        for part, start in enumerate(range(0, len(content), PIECE))
    ]


def _put_piece(connection: sql.Connection, piece: dict[str, Any]) -> None:
    connection.execute(parts.insert().values(piece))


def _put_header(connection: sql.Connection, header: dict[str, Any]) -> None:
    connection.execute(models.insert().values(header))


def _put_model(
    connection: sql.Connection, position: int, content: bytes, at: float, *, pinned: bool
) -> None:
    pieces = _pieces(position, content)
    connection.execute(parts.insert(), pieces)
    _put_header(
        connection, {"position": position, "at": at, "parts": len(pieces), "pinned": pinned}
    )
