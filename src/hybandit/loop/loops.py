"""Many loops by name, in one place: a folder of SQLite files, or one PostgreSQL database."""

from __future__ import annotations

import os
import re
from pathlib import Path
from threading import Lock
from typing import Any, Protocol, Self

import sqlalchemy as sql

from hybandit.errors import InvalidInput, StoreError, UnknownName, without_passwords
from hybandit.loop.loop import Loop
from hybandit.loop.settings import RULES
from hybandit.loop.storage.backends import Backend
from hybandit.loop.storage.database import Database
from hybandit.loop.storage.postgresql import Pool, PostgreSQL, postgresql_address

# Lower case, since some disks do not tell cases apart; never a path.
NAME = re.compile(r"[a-z0-9][a-z0-9_-]{0,47}", re.ASCII)
NAME_RULE = "1 to 48 of the signs a-z, 0-9, _ and -, a letter or digit first"
SCHEMA = "hybandit_"


class Place(Protocol):
    """Where loops are."""

    def names(self) -> list[str]:
        """The loops that are there."""

    def has(self, name: str) -> bool:
        """Whether there is a loop of this name."""

    def opened(self, name: str, **settings: Any) -> Loop:
        """The loop, opened; a new one is made."""

    def make(self, name: str) -> None:
        """Prepare the place for a new loop."""

    def remove(self, name: str) -> None:
        """Delete a loop that is closed."""

    def close(self) -> None:
        """Leave the place."""


class Loops:
    """Loops by name, each opened once in this process.

    Any number of threads may use it, and other processes the same loops.

    Parameters
    ----------
    place
        A folder, made if absent, in which each loop is a file ``NAME.db``; or
        ``postgresql://...``, where each is a schema ``hybandit_NAME``.
    learn
        Whether these loops may close events and write snapshots, as for `Loop`.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder, Loops(folder) as loops:
    ...     loop = loops.create("articles", wait=None)
    ...     loops.names(), loops["articles"] is loop
    (['articles'], True)
    """

    def __init__(self, place: str | os.PathLike[str], *, learn: bool = True) -> None:
        is_address = isinstance(place, str) and "://" in place
        self._place: Place = Schemas(str(place)) if is_address else Folder(Path(place))
        self._learn = learn
        self._lock = Lock()
        self._open: dict[str, Loop] = {}
        self._closed = False

    def names(self) -> list[str]:
        """The names of all loops, sorted."""
        return sorted(name for name in self._place.names() if NAME.fullmatch(name))

    def __getitem__(self, name: str) -> Loop:
        """The loop of this name, opened if it is not yet."""
        found = self._open.get(name)
        if found is not None:
            return found
        with self._lock:
            self._check_open()
            if not isinstance(name, str) or not NAME.fullmatch(name) or not self._place.has(name):
                raise UnknownName(f"no loop is called {name!r}")
            if name not in self._open:
                self._open[name] = self._place.opened(name, learn=self._learn)
            return self._open[name]

    def opened(self, name: str) -> Loop | None:
        """The loop of this name if it is open; this takes no time."""
        return self._open.get(name)

    def create(self, name: str, **settings: Any) -> Loop:
        """Make a loop, or open the one of this name if its settings agree with those given."""
        if not isinstance(name, str) or not NAME.fullmatch(name):
            raise InvalidInput("name", NAME_RULE, name)
        strange = sorted(settings.keys() - RULES.keys())
        if strange:
            raise InvalidInput("settings", f"some of {', '.join(sorted(RULES))}", strange)
        with self._lock:
            self._check_open()
            is_new = not self._place.has(name)
            try:
                if is_new:
                    self._place.make(name)
                loop = self._place.opened(name, learn=self._learn, **settings)
            except BaseException:
                if is_new:
                    self._place.remove(name)
                raise
            if name in self._open:
                loop.close()
            return self._open.setdefault(name, loop)

    def delete(self, name: str) -> None:
        """Delete a loop with all its events; there is no way back."""
        loop = self[name]
        with self._lock:
            self._open.pop(name, None)
            loop.close()
            self._place.remove(name)

    def close(self) -> None:
        """Close all loops."""
        with self._lock:
            self._closed = True
            try:
                while self._open:
                    self._open.popitem()[1].close()
            finally:
                self._place.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _check_open(self) -> None:
        if self._closed:
            raise StoreError("the loops are closed")


class Folder:
    """A folder of SQLite files."""

    # What SQLite and the lease keep beside a file.
    beside = ("", "-wal", "-shm", "-journal", "-lease", "-lease-journal")

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        folder.mkdir(parents=True, exist_ok=True)

    def names(self) -> list[str]:
        return [path.stem for path in self._folder.glob("*.db")]

    def has(self, name: str) -> bool:
        return self._file(name).exists()

    def opened(self, name: str, **settings: Any) -> Loop:
        return Loop(str(self._file(name)), **settings)

    def make(self, name: str) -> None:
        """A file is made when it is opened."""

    def remove(self, name: str) -> None:
        file = self._file(name)
        for end in self.beside:
            file.with_name(file.name + end).unlink(missing_ok=True)

    def close(self) -> None:
        """Nothing is open here."""

    def _file(self, name: str) -> Path:
        return self._folder / f"{name}.db"


class Schemas:
    """Schemas of a PostgreSQL database, which share their connections."""

    def __init__(self, url: str) -> None:
        self._address, self._pool = postgresql_address(url), Pool(url)

    def names(self) -> list[str]:
        query = "SELECT nspname FROM pg_namespace WHERE starts_with(nspname, :start)"
        found = self._run(query, start=SCHEMA)
        return [str(name).removeprefix(SCHEMA) for (name,) in found]

    def has(self, name: str) -> bool:
        query = "SELECT 1 FROM pg_namespace WHERE nspname = :schema"
        return bool(self._run(query, schema=SCHEMA + name))

    def opened(self, name: str, **settings: Any) -> Loop:
        given, path = self._address.query.get("options", ""), f'-csearch_path="{SCHEMA}{name}"'
        url = self._address.update_query_dict({"options": f"{given} {path}".strip()})
        address = url.set(drivername="postgresql").render_as_string(hide_password=False)

        def connect(address: str | os.PathLike[str]) -> Backend:
            return PostgreSQL(str(address), self._pool, SCHEMA + name)

        return Loop(Database(address, connect), **settings)

    def make(self, name: str) -> None:
        self._run(f'CREATE SCHEMA IF NOT EXISTS "{SCHEMA}{name}"')

    def remove(self, name: str) -> None:
        self._run(f'DROP SCHEMA IF EXISTS "{SCHEMA}{name}" CASCADE')

    def close(self) -> None:
        self._pool.close()

    def _run(self, statement: str, **values: str) -> list[Any]:
        try:
            with self._pool.engine.begin() as connection:
                found = connection.execute(sql.text(statement), values)
                return list(found) if found.returns_rows else []
        except sql.exc.SQLAlchemyError as error:
            cause = without_passwords(str(getattr(error, "orig", None) or error))
            where = self._address.render_as_string()
            raise StoreError(f"the loops in {where} cannot be listed: {cause}") from None
