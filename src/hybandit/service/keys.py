"""Keys: who may do what with which loops. The file has hashes only."""

from __future__ import annotations

import hashlib
import hmac
import os
import secrets
from collections.abc import Iterable
from datetime import UTC, datetime
from pathlib import Path
from threading import Lock
from typing import Final

import msgspec

from hybandit.atomic import atomic_write
from hybandit.errors import Conflict, DataFileError, InvalidInput

RANK, REWARD, READ, ADMINISTER = "rank", "reward", "read", "administer"
RIGHTS: Final = (RANK, REWARD, READ, ADMINISTER)
# What every key that is valid may do.
ANY: Final = "any"
ALL = "*"
# Random enough that a fast hash keeps it secret.
BYTES = 32
START = "hyb_"


class Key(msgspec.Struct, frozen=True, kw_only=True):
    """A key as it is stored.

    `loops` are names, or ``*`` for all; `hash` is SHA-256; `end` is when it ends, None for never.
    """

    name: str
    hash: str
    loops: list[str]
    rights: list[str]
    end: datetime | None = None

    def may(self, right: str, loop: str | None) -> bool:
        """Whether it has a right for a loop; without a loop, for any at all."""
        is_given = right == ANY or right in self.rights
        return is_given and (loop is None or ALL in self.loops or loop in self.loops)


class KeyFile(msgspec.Struct):
    """All keys."""

    keys: list[Key]


class Keys:
    """The keys of a file, read again when the file changes, so that a key can be withdrawn.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     keys = Keys(f"{folder}/keys.json")
    ...     secret = keys.add("shop", loops=["articles"], rights=["rank", "reward"])
    ...     found = keys.find(secret)
    >>> found.may("rank", "articles"), found.may("rank", "other"), found.may("read", "articles")
    (True, False, False)
    """

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self._path = Path(path)
        self._lock = Lock()
        self._seen: tuple[int, int, int] | None = None
        self._keys: list[Key] = []

    def add(
        self,
        name: str,
        *,
        loops: Iterable[str] = (ALL,),
        rights: Iterable[str] = RIGHTS,
        end: datetime | None = None,
    ) -> str:
        """Make a key and store its hash; the key itself is told once, here."""
        wanted = list(dict.fromkeys(rights))
        if not wanted or not set(wanted) <= set(RIGHTS):
            raise InvalidInput("rights", f"some of {', '.join(RIGHTS)}", wanted)
        if end is not None and (end.tzinfo is None or end <= datetime.now(UTC)):
            raise InvalidInput("end", "a moment in the future, with its time zone", end)
        known = self._read() if self._path.exists() else []
        if not name or name in [key.name for key in known]:
            raise Conflict("name", "a name that no other key has", name)
        secret = START + secrets.token_urlsafe(BYTES)
        key = Key(name=name, hash=_hash(secret), loops=list(loops), rights=wanted, end=end)
        with atomic_write(self._path) as file:
            os.chmod(file.name, 0o600)
            file.write(msgspec.json.format(msgspec.json.encode(KeyFile([*known, key]))))
        return secret

    def find(self, secret: str) -> Key | None:
        """The key that this is, unless it has ended. Takes the same time whichever it is."""
        given, found = _hash(secret), None
        for key in self._current():
            if hmac.compare_digest(key.hash, given):
                found = key
        ended = found is not None and found.end is not None and found.end <= datetime.now(UTC)
        return None if ended else found

    def _current(self) -> list[Key]:
        with self._lock:
            try:
                about = self._path.stat()
            except OSError as error:
                raise DataFileError(f"the keys {self._path} cannot be read: {error}") from error
            seen = (about.st_mtime_ns, about.st_ino, about.st_size)
            if seen != self._seen:
                self._keys, self._seen = self._read(), seen
            return self._keys

    def _read(self) -> list[Key]:
        try:
            return msgspec.json.decode(self._path.read_bytes(), type=KeyFile).keys
        except (OSError, msgspec.MsgspecError) as error:
            raise DataFileError(f"the keys {self._path} cannot be read: {error}") from error


def _hash(secret: str) -> str:
    return hashlib.sha256(secret.encode("utf-8", "surrogatepass")).hexdigest()
