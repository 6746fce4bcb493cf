"""What a loop does in the background: it follows the journal, learns, and closes events."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from copy import copy
from threading import Condition, Event, Lock

from hybandit.errors import HybanditError, LearningError, StoreError
from hybandit.loop.counts.tally import Counting
from hybandit.loop.learning.model import LoopModel, teach
from hybandit.loop.learning.pace import Pace
from hybandit.loop.learning.snapshots import packed
from hybandit.loop.learning.versions import LostModel, Versions
from hybandit.loop.newcomers import EVERYONE, NEWCOMERS
from hybandit.loop.process import turns
from hybandit.loop.process.forks import GATE
from hybandit.loop.settings import Terms
from hybandit.loop.storage.contract import CHANGE, LEARN, LOG, Entry, Storage
from hybandit.state import Flags, Floats
from hybandit.validation.settings import Rule

# What is stored in place of a model that is lost.
LOST = b"lost"


class JournalFollower:
    """A replica of the model that follows the journal, in turns of the background thread.

    `version` is the position up to which it has learned. The process that holds the lease also
    closes events whose window is over and writes snapshots; all others only follow. `model` is
    there until the journal has been read.

    One entry at a time is learned under the lock, so that a ranker waits for at most one;
    the thread pauses between entries while anyone is ranking. While nothing is written to the
    database, a turn only asks whether that is still so.
    """

    def __init__(
        self,
        storage: Storage,
        versions: Versions,
        model: LoopModel,
        *,
        terms: Callable[[], Terms],
        clock: Callable[[], float],
        may_lead: bool,
        counting: Counting,
        pace: Pace,
    ) -> None:
        self.version = 0
        self.counting = counting
        self._count_after = 0.0
        self.leads = False
        self.error: HybanditError | None = None
        self.versions = versions
        self._storage = storage
        self._read_terms, self._terms = terms, terms()
        self._clock, self._pace = clock, pace
        self._may_lead = may_lead
        self._model = model
        self._lock = Lock()
        self._moved = Condition()
        # How often somebody has asked for another try, and how many of these have failed.
        self._asked = self._refused = 0
        # One entry for each call of `rank` in progress.
        self.rankers: list[None] = []
        self._goal = 0
        self._half_learned = False
        self._forgetting: Iterator[object] | None = None
        self._forgot_at, self._forget_until = -float("inf"), float("inf")
        self._saved, self._save_after = 0, time.monotonic() + pace.pause
        # What the database said when there was nothing to do, and when the next window ends.
        self._seen: object = None
        self._next_due = -float("inf")
        self._begun, self._failures, self._pause_until = False, 0, -float("inf")
        self._stopped, self._ready = Event(), Event()
        self._turns = turns.here()
        self._turns.add(self)

    @property
    def ready(self) -> bool:
        """Whether what the journal had when it was opened has been learned."""
        return self._ready.is_set()

    def has_started(self) -> bool:
        """Whether it is `ready`; raises what keeps it from that."""
        if self._ready.is_set():
            return True
        error = self.error
        if error is not None:
            raise _again(error)
        if self._stopped.is_set():
            raise StoreError("the loop is closed")
        return False

    @property
    def policy(self) -> str:
        """The policy of the model that ranks now."""
        return self._model.policy

    @property
    def rewards(self) -> Rule:
        """The rewards that this policy takes."""
        return self._model.rewards

    @property
    def changed(self) -> int | None:
        """So many rewards ago tastes seem to have changed; None: they do not."""
        return self._model.changed

    def probabilities(
        self,
        context: str,
        names: Sequence[str],
        features: Sequence[str],
        newcomers: float = NEWCOMERS,
        judged: Flags = EVERYONE,
    ) -> tuple[Floats, int]:
        """The probability of each action by the model, and the version of the model."""
        self._await_start()
        with GATE, self._lock:
            told = self._model.probabilities(context, names, features, newcomers, judged)
            return told, self.version

    def values(self, context: str, names: Sequence[str], features: Sequence[str]) -> Floats:
        """What the model thinks of each action."""
        self._await_start()
        with GATE, self._lock:
            return self._model.values(context, names, features)

    def explained(
        self, context: str, features: str, name: str
    ) -> list[tuple[str, str, int | None, float]]:
        """Part, feature, column and value for everything in a context and an action."""
        self._await_start()
        with GATE, self._lock:
            return self._model.explained(context, features, name)

    def wake(self) -> None:
        """Tell that there is something new in the journal."""
        self._turns.hurry(self, self._pace.gather)

    def wait_for(self, position: int, timeout: float) -> bool:
        """Wait until this position has been learned here; returns False after the timeout.

        If an entry cannot be learned, that is tried again at once, and raised if it fails again:
        nobody has to wait for what will not come.
        """
        with self._moved:
            self._asked += 1
            asked, self._pause_until = self._asked, -float("inf")
        self._turns.hurry(self)

        def failed() -> LearningError | None:
            # One that began before may not have seen what this waits for.
            return None if self._refused < asked else self.stopped

        with self._moved:
            self._moved.wait_for(lambda: self.version >= position or failed(), timeout)
        error = failed()
        if self.version < position and error is not None:
            raise _again(error)
        return self.version >= position

    @property
    def stopped(self) -> LearningError | None:
        """Why nothing is learned any more, if that will not pass by itself."""
        return self.error if isinstance(self.error, LearningError) else None

    def stop(self) -> None:
        """Take no more turns; if it leads, learn what is closed by now and write a snapshot."""
        self._forget_until = time.monotonic() + self._pace.forget_closing
        self._stopped.set()
        self._turns.remove(self)
        had_no_turn = self._may_lead and not self._begun and self.error is None
        if not self.leads and not had_no_turn:
            return
        self._next_due = -float("inf")
        try:
            with GATE:
                while self._work():
                    pass
                if self.leads:
                    self._save()
        finally:
            self.leads = False
            self._storage.release_lease()

    def turn(self) -> float:
        """Work for a moment; returns the seconds until there may be more to do."""
        asked, left = self._asked, self._pause_until - time.monotonic()
        if left > 0.0:
            return left
        try:
            with GATE:
                busy = self._work()
            self.error, self._failures = None, 0
        except Exception as error:
            # Whatever it is, those who rank must learn of it.
            return self._failed(_told(error, self.version), asked)
        if self._begun and self.version >= self._goal:
            self._ready.set()
        return 0.0 if busy else self._terms.poll

    def _failed(self, error: HybanditError, asked: int) -> float:
        """Note what went wrong; returns the seconds until the next try."""
        pace = self._pace
        pause = min(pace.recovery * 2.0**self._failures, pace.longest_recovery)
        with self._moved:
            self.error, self._refused = error, asked
            self._failures += 1
            if asked == self._asked:
                self._pause_until = time.monotonic() + pause
            self._moved.notify_all()
        return pause

    def _work(self) -> bool:
        """Do some of what there is to do; returns whether there may be more."""
        return self._step() if self._begun else self._begin()

    def _begin(self) -> bool:
        """Close what is due, then start from the newest snapshot on the way to its end."""
        self.leads = self._may_lead and self._storage.take_lease(self._clock())
        if self.leads and self._close_due() == self._pace.chunk:
            return True
        self._goal = self._storage.head()
        model, version = self.versions.nearest(self._goal)
        with self._lock:
            self._model, self.version = model, version
        self._saved, self._begun = version, True
        self.counting.catch_up()
        self._tell()
        return True

    def _step(self) -> bool:
        """Look whether there is anything to do, and do some of it."""
        self.leads = self._may_lead and self._storage.take_lease(self._clock())
        if self._half_learned and not self._leap():
            self._restore()
        seen = self._storage.pulse()
        is_due = self.leads and self._clock() >= self._next_due
        more = (seen != self._seen or is_due) and self._go_on(seen)
        if self.leads and self._snapshot_is_due():
            self._save()
        return (self.leads and self._forget_some()) or more

    def _go_on(self, seen: object) -> bool:
        """Close and learn some events; `seen` is what the database said before."""
        closed = 0
        if self.leads and self._clock() >= self._next_due:
            closed = self._close_due()
        entries = self._storage.entries(self.version, self._pace.chunk)
        self._model.prepare()
        try:
            for entry in entries:
                self._take(entry)
                self._breathe()
        except LearningError:
            if self._leap():
                return True
            if self._half_learned:
                self._restore()
            raise
        if entries:
            self._tell()
        if time.monotonic() >= self._count_after:
            self.counting.catch_up(self._breathe)
            self._count_after = time.monotonic() + self._terms.poll
            self._next_due = self._storage.next_due()
            if not entries and not closed:
                self._seen = seen
        return self._pace.chunk in (len(entries), closed)

    def _breathe(self) -> None:
        # Those who wait for the start would only wait longer.
        if self.rankers and self._ready.is_set():
            time.sleep(self._pace.breath)

    def _tell(self) -> None:
        """Wake those who wait for a version."""
        with self._moved:
            self._moved.notify_all()

    def _close_due(self) -> int:
        now = self._clock()
        # A change made before this moment counts, though its entry may not have been read yet.
        self._terms = self._read_terms()
        return self._storage.close_due(now, self._terms.closing, self._pace.chunk)

    def _take(self, entry: Entry) -> None:
        if entry.kind == CHANGE or entry.position != self.version + 1:
            self._terms = self._read_terms()
        if entry.kind not in (LEARN, LOG, CHANGE) or entry.position != self.version + 1:
            # A jump, or the entries in between have been removed.
            model = self.versions.at(entry.position)
            with self._lock:
                self._model, self.version = model, entry.position
            return
        try:
            with self._lock:
                if entry.kind == LEARN:
                    teach(self._model, entry)
                self.version = entry.position
        except LearningError:
            self._half_learned = True
            raise

    def _restore(self) -> None:
        """Replace a model that has learned half an entry by one that has not."""
        version = max(self.version, self._storage.base())
        model = self.versions.at(version)
        with self._lock:
            self._model, self.version = model, version
        self._half_learned = False
        self._tell()

    def _leap(self) -> bool:
        """Go on after the last jump, such as a switch, if it passes what cannot be learned."""
        last = max((jump.position for jump in self._storage.jumps()), default=0)
        if last <= self.version:
            return False
        model, self._terms = self.versions.at(last), self._read_terms()
        with self._lock:
            self._model, self.version = model, last
        self._half_learned, self.error, self._failures = False, None, 0
        self._tell()
        return True

    def _forget_some(self) -> bool:
        """Remove a part of what is older than the loop keeps; returns whether there is more."""
        now, clock, keep = time.monotonic(), self._clock(), self._terms.keep
        just_did = 0.0 <= clock - self._forgot_at < self._pace.forget_every
        if keep is None or just_did or now > self._forget_until:
            return False
        forgetting = self._forgetting or self._forgotten(clock - keep)
        self._forgetting = None
        for _ in forgetting:
            self._breathe()
            if time.monotonic() > now + self._pace.forget_part:
                self._forgetting = forgetting
                return True
        self._forgot_at = clock
        return False

    def _forgotten(self, moment: float) -> Iterator[object]:
        """Remove events that closed before a moment, after saving the model that learned them."""
        position = min(self.version, self.versions.last_to_forget(moment))
        if position > self._storage.base():
            model, content = self._model, LOST
            with suppress(LostModel):  # Only a reset has led on from what was lost.
                for model in self.versions.learning(position):
                    yield model
                content = packed(model.state(), position, model.policy)
            self.counting.catch_up()
            self.counting.save()
            self._storage.set_base(position, content, self._clock())
        yield from self._storage.forget(moment, self._pace.chunk)

    def _snapshot_is_due(self) -> bool:
        return (
            self.version - self._saved >= self._pace.spacing
            and time.monotonic() >= self._save_after
        )

    def _save(self) -> None:
        if self.version == self._saved:
            return
        version, began = self.version, time.monotonic()
        content = packed(self._model.state(), version, self._model.policy)
        self._storage.write_snapshot(version, content, self._clock())
        self.counting.save()
        ended = time.monotonic()
        self._saved, self._save_after = (
            version,
            ended + max(self._pace.pause, self._pace.share * (ended - began)),
        )
        self._storage.delete_snapshots(self._storage.snapshots()[: -self._pace.kept])

    def _await_start(self) -> None:
        while not self._ready.wait(self._terms.poll):
            self.has_started()


def _again(error: HybanditError) -> HybanditError:
    """An error to raise: one that is kept would hold on to every caller to whom it was raised."""
    told = copy(error).with_traceback(error.__traceback__)
    told.__cause__ = error.__cause__
    return told


def _told(error: Exception, version: int) -> HybanditError:
    if isinstance(error, HybanditError):
        return error
    told = StoreError(f"cannot go on from version {version}: {error!r}")
    told.__cause__ = error
    return told
