"""The life of an open loop: its database, its thread, forks and its end."""

from __future__ import annotations

import os
import time
import warnings
from _thread import start_new_thread
from contextlib import suppress
from threading import Lock
from typing import Any, Self
from weakref import finalize, ref

from hybandit.errors import Conflict, HybanditError, InvalidInput, StoreError, Unquoted
from hybandit.loop import settings as rules
from hybandit.loop.counts.status import stopped
from hybandit.loop.counts.tally import Counting
from hybandit.loop.learning.follower import JournalFollower
from hybandit.loop.learning.model import LoopModel
from hybandit.loop.learning.pace import Pace
from hybandit.loop.learning.versions import Versions
from hybandit.loop.process.forks import GATE
from hybandit.loop.process.signals import uninterrupted
from hybandit.loop.storage.contract import Storage
from hybandit.loop.storage.database import is_missing, opened
from hybandit.validation.settings import is_whole


class OpenLoop:
    """A loop that is open in this process, and opens again by itself in a forked child."""

    _pace = Pace()
    settings: dict[str, Any]
    _may_lead: bool
    _storage: Storage
    _versions: Versions
    _follower: JournalFollower

    def __init__(
        self,
        storage: str | os.PathLike[str] | Storage,
        defaults: dict[str, Any],
        given: dict[str, Any],
        learn: bool,
    ) -> None:
        self._may_lead = learn
        self._closed = False
        self._warned: set[str] = set()
        # One lock for each process, since a fork copies one that is held as it is.
        self._turns: dict[int, Lock] = {}
        self._open(storage, defaults, given)

    @uninterrupted
    def close(self) -> None:
        """Learn what is closed by now, if this object leads, and close the database.

        A forked child closes what it has opened itself, and leaves its parent's alone.
        """
        with self._turn():
            if self._closed:
                return
            self._closed = True
            self._at_end.detach()
            if self._process == os.getpid():
                _end(self._follower, self._storage)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __reduce__(self) -> Any:
        raise TypeError("a Loop cannot be copied or pickled: open it in the other process")

    @uninterrupted
    def _open(
        self,
        storage: str | os.PathLike[str] | Storage,
        defaults: dict[str, Any],
        given: dict[str, Any],
    ) -> None:
        wanted = given.pop("policy", None)
        if "wait" not in given and is_missing(storage):
            raise InvalidInput("wait", rules.WAIT_IS_MISSING, Unquoted("nothing"))
        with GATE:
            self._storage = opened(storage)
            try:
                if "wait" not in given and not self._storage.settings({}, {}):
                    raise InvalidInput("wait", rules.WAIT_IS_MISSING, Unquoted("nothing"))
                made_with = defaults if wanted is None else defaults | {"policy": wanted}
                stored = self._storage.settings(made_with, given)
                self.settings = rules.from_storage(stored, self._storage.url)
                self._versions = Versions(self._storage, self.settings)
                model = self._versions.unlearned(self._storage.head())
                if wanted is not None and wanted != model.policy:
                    rule = f"{model.policy!r}, which the loop {self._storage.url} has now"
                    raise Conflict("policy", rule, wanted)
                self._follower = self._followed(model, may_lead=self._may_lead)
            except BaseException:
                self._storage.close()
                raise
            self._process = os.getpid()
            self._at_end = finalize(self, _abandon, self._process, self._follower, self._storage)
            self._at_end.atexit = False

    def _reopen(self) -> None:
        """In a forked child: its own connections and thread, for what it got is its parent's."""
        with self._turn():
            if self._process == os.getpid() or self._closed:
                return
            self._open(self._storage.reopened(), rules.checked({})[0], {})

    def _turn(self) -> Lock:
        return self._turns.setdefault(os.getpid(), Lock())

    def _followed(self, model: LoopModel, *, may_lead: bool) -> JournalFollower:
        here, storage, lock = ref(self), self._storage, Lock()

        def terms() -> rules.Terms:
            """Take over settings that may have changed; must not keep a dropped loop alive."""
            # Under a lock, or a thread that has read the old ones could put them back.
            with GATE, lock:
                stored = storage.settings({}, {})
                settings = rules.from_storage(rules.DEFAULTS | stored, storage.url)
                loop = here()
                if loop is not None:
                    loop.settings = settings
                return rules.Terms.of(settings)

        self._terms = terms
        return JournalFollower(
            self._storage,
            self._versions,
            model,
            terms=terms,
            clock=self._now,
            may_lead=may_lead,
            counting=Counting(storage, self.settings["control"], self.settings["reward_range"]),
            pace=self._pace,
        )

    @staticmethod
    def _now() -> float:
        return time.time()

    def _checked_version(self, version: Any) -> int:
        oldest, head = self._storage.base(), self._storage.head()
        if not is_whole(version) or not oldest <= version <= head:
            rule = f"a whole number from {oldest} to {head}, the newest"
            raise InvalidInput("version", rule, version)
        return int(version)

    def _append(self, kind: str, content: bytes, **jump: Any) -> int:
        position = self._storage.append(kind, self._now(), content, **jump)
        self._follower.wake()
        return position

    def _warn_if_stopped(self) -> None:
        if (error := self._follower.stopped) is not None:
            self._warn("stopped", stopped(error))

    def _warn(self, kind: str, told: str) -> None:
        """Warn once of each kind of thing."""
        if kind not in self._warned:
            self._warned.add(kind)
            warnings.warn(f"the loop {self._storage.url}: {told}", UserWarning, stacklevel=2)

    def _check_open(self) -> None:
        if self._process != os.getpid():
            self._reopen()
        if self._closed:
            raise StoreError(f"the loop {self._storage.url} is closed")


def _end(follower: JournalFollower, storage: Storage) -> None:
    try:
        follower.stop()
    finally:
        storage.close()


def _end_alone(follower: JournalFollower, storage: Storage) -> None:
    """The same where nobody hears an error; who opens the loop again is told it."""
    with suppress(HybanditError):
        _end(follower, storage)


def _abandon(process: int, follower: JournalFollower, storage: Storage) -> None:
    """End what a loop that was collected without `close` has left in this process.

    In a thread, since this one may be anywhere, and hold the very locks that are needed.
    """
    if process == os.getpid():
        with suppress(RuntimeError):  # The interpreter ends, and everything with it.
            start_new_thread(_end_alone, (follower, storage))
        told = f"the loop {storage.url} was not closed: call close(), or use `with`"
        warnings.warn(told, ResourceWarning, stacklevel=2)
