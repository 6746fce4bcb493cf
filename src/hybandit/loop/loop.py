"""A live bandit: decisions today, rewards next week, nothing lost in between."""

from __future__ import annotations

import os
import time
import warnings
from _thread import start_new_thread
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from datetime import timedelta
from threading import TIMEOUT_MAX, Lock
from typing import TYPE_CHECKING, Any
from uuid import uuid4
from weakref import finalize, ref

import numpy as np

from hybandit.atomic import atomic_write
from hybandit.errors import InvalidInput, ModelFileError, StoreError
from hybandit.features import HashingEncoder
from hybandit.loop import journal
from hybandit.loop import settings as rules
from hybandit.loop.database import opened
from hybandit.loop.follower import JournalFollower
from hybandit.loop.forks import GATE
from hybandit.loop.model import LoopModel
from hybandit.loop.request import RankedDecision, RankRequest, checked_name, draw, floored, seed_of
from hybandit.loop.settings import LOG_ONLY, ONLINE, STORED
from hybandit.loop.signals import uninterrupted
from hybandit.loop.snapshots import packed
from hybandit.loop.status import RECENT, Explanation, Status, explanation, rates
from hybandit.loop.storage import IMPORT, RESET, ROLLBACK, SWITCH, Event, Storage
from hybandit.loop.versions import Versions
from hybandit.validation import checks
from hybandit.validation.settings import boolean, is_whole, size

if TYPE_CHECKING:
    import pandas as pd

    from hybandit.evaluation import ItemLog

Features = Mapping[str, Any]
MOST_POINTS = 10_000
# In bytes: far more than any model has.
LARGEST_MODEL = 2**30
TRUE_OR_FALSE = boolean()


class Loop:
    """Decides, remembers, learns: a bandit kept in a database.

    Any number of threads, processes and machines may open the same loop; one of them
    learns at a time. A forked child opens it again by itself. In asyncio, call it through
    ``asyncio.to_thread``.

    Settings other than `learn` are stored with the loop when it is made. Later they can be
    left out; one that differs from what is stored is refused.

    Parameters
    ----------
    storage
        A path, for a SQLite file that is made if absent, ``postgresql://...``, or an object of
        your own (`hybandit.loop.Storage`), which the loop closes with itself.
    policy
        Which policy decides: the name of one for items or for arms, with settings, such as
        ``"item-lin-ucb:alpha=0.3"``, or one of your own, ``"module:Class"``. Default: names
        without features are arms of `StackedHybrid`, other actions items of `ItemHybrid`.
    explore
        Every action that may be chosen has a probability of at least ``explore / n``.
    newcomers
        The most that an action gets, besides that, until its first reward is learned, where
        others have rewards.
    wait
        None: an event closes, and is learned, when its first reward comes. A timedelta: it
        closes after that time; rewards in that window are aggregated, and an event without
        any gets `default_reward`.
    aggregate
        ``earliest``, ``sum`` or ``last`` of the rewards in the window.
    mode
        ``online``; ``apprentice``: serve the caller's first action, learn, and report how
        often the model agrees; ``log-only``: serve the caller's first action, learn nothing.
    keep
        For how many days events are kept. Default: for ever.
    staleness
        The largest delay of the model that ranks, in seconds.
    context_width, action_width
        Lengths of the vectors that features become.
    memory
        ``window(M)`` or ``reservoir(M)``: which contexts of each action without features are
        kept as neighbours, if the policy has neighbours.
    forget
        The factor by which the weight of the past falls with every reward, such as 0.9998 if
        preferences change. Default: nothing is forgotten.
    learn
        Whether this object may close events and write snapshots. It learns in any case.

    Examples
    --------
    >>> import hybandit, tempfile
    >>> folder = tempfile.TemporaryDirectory()
    >>> with hybandit.Loop(f"{folder.name}/articles.db") as loop:
    ...     d = loop.rank({"age": 34}, {"cup-final": {"topic": "sport"}, "budget": {}})
    ...     reward = loop.reward(d.event, 1.0)
    >>> d.probability
    0.5
    >>> folder.cleanup()
    """

    def __init__(
        self,
        storage: str | os.PathLike[str] | Storage,
        *,
        explore: float = STORED,
        newcomers: float = STORED,
        wait: timedelta | None = STORED,
        aggregate: str = STORED,
        default_reward: float = STORED,
        mode: str = STORED,
        keep: float | None = STORED,
        staleness: float = STORED,
        context_width: int = STORED,
        action_width: int = STORED,
        memory: str = STORED,
        forget: float | None = STORED,
        policy: str = STORED,
        learn: bool = True,
    ) -> None:
        TRUE_OR_FALSE.check("learn", learn)
        defaults, given = rules.checked(
            {
                "explore": explore, "newcomers": newcomers, "wait": wait, "aggregate": aggregate,
                "default_reward": default_reward, "mode": mode, "keep": keep,
                "staleness": staleness, "context_width": context_width,
                "action_width": action_width, "memory": memory, "forget": forget,
                "policy": policy,
            }
        )  # fmt: skip
        self._may_lead = learn
        self._closed = False
        # One lock for each process, since a fork copies one that is held as it is.
        self._turns: dict[int, Lock] = {}
        self._open(storage, defaults, given)

    # The verbs

    @uninterrupted
    def rank(
        self,
        context: Features,
        actions: Mapping[str, Features | None] | Sequence[str],
        *,
        event: str | None = None,
        exclude: Iterable[str] = (),
        defer: bool = False,
    ) -> RankedDecision:
        """Choose an action; returns once the decision is stored durably.

        If a signal ends the call with an exception, it may have been written all the same:
        repeat it with the same `event`.

        Parameters
        ----------
        context
            The features of the situation as a dict, which may be nested.
        actions
            Features by name, or a list of names. The first that is not excluded is the
            baseline: the action that you would choose without a loop.
        event
            An id of your own. Repeating the call gives the same answer and counts once.
        exclude
            Names that may not be chosen now.
        defer
            The event cannot close until `activate`.
        """
        self._check_open()
        request = RankRequest.of(context, actions, exclude)
        name = uuid4().hex if event is None else checked_name("event", event)
        TRUE_OR_FALSE.check("defer", defer)
        self._follower.rankers.append(None)
        try:
            return RankedDecision.of(self._storage.add_event(self._decided(request, name, defer)))
        finally:
            self._follower.rankers.pop()

    @uninterrupted
    def reward(self, event: str, value: float, *, key: str | None = None) -> None:
        """Report the reward of a decision; returns once it is stored durably.

        `key` identifies this call among those for the event: a second call with the same key
        and value changes nothing, and one with another value is refused. If a signal ends the
        call with an exception, it may have been written all the same: repeat it with the same
        `key`.
        """
        self._check_open()
        checked_name("event", event)
        if key is not None:
            checked_name("key", key)
        if isinstance(value, Mapping):
            one = "one number, such as a weighted sum of what each is worth to you"
            raise InvalidInput("value", one, value)
        amount, rule = checks.real(value), self._follower.rewards
        if not rule.holds(amount):
            raise InvalidInput("value", rule.text, value)
        self._storage.add_reward(event, amount, self._now(), rules.closing(self.settings), key)
        self._follower.wake()

    @uninterrupted
    def activate(self, event: str) -> None:
        """Start the window of a deferred event: the chosen action has now been shown."""
        self._check_open()
        name, closing = checked_name("event", event), rules.closing(self.settings)
        self._storage.activate(name, self._now(), closing)
        self._follower.wake()

    # Looking in

    @uninterrupted
    def explain(self, event: str) -> Explanation:
        """The history of one event, and why it is not learned yet."""
        self._check_open()
        history = self._storage.event_history(checked_name("event", event))
        if history is None:
            raise InvalidInput("event", "the id of a decision of this loop", event)
        here = self._follower.version
        closed_at = history.closing.position if history.closing else here + 1
        undone = closed_at <= here and not self._versions.in_force(closed_at, here)
        return explanation(history, now=self._now(), here=here, undone=undone)

    @uninterrupted
    def status(self) -> Status:
        """Counts, versions, size, and the reward rate beside that of the baseline action."""
        self._check_open()
        counts = self._storage.counts()
        learner = counts.pop("holder")
        if self.settings["wait"] is None:
            counts["waiting"] = counts["events"] - counts["closed"]
        reward, baseline, gain, agreement = rates(self._storage.outcomes(RECENT))
        version, here = self._storage.head(), self._follower.version
        error = self._follower.error
        return Status(
            url=self._storage.url, mode=self.settings["mode"], policy=self.policy,
            version=version, here=here,
            lag=max(0, version - here), learner=learner, leads=self._follower.leads, reward=reward,
            baseline=baseline, gain=gain, agreement=agreement,
            error=None if error is None else str(error), **counts,
        )  # fmt: skip

    @uninterrupted
    def events(self) -> pd.DataFrame:
        """Every event, in order of arrival: what was asked, decided, rewarded and learned."""
        self._check_open()
        return journal.table(self._storage.event_histories())

    @uninterrupted
    def log(self) -> ItemLog:
        """The closed events as vectors with exact probabilities, for evaluating policies."""
        self._check_open()
        encoders = (
            HashingEncoder(self.settings["context_width"]),
            HashingEncoder(self.settings["action_width"]),
        )
        return journal.log(self._storage.event_histories(), *encoders)

    @uninterrupted
    def curve(self, points: int = 60) -> list[tuple[int, float]]:
        """The mean reward along the journal, in stretches: the end of each, and its mean."""
        self._check_open()
        size(1, MOST_POINTS).check("points", points)
        return self._storage.curve(int(points))

    @uninterrupted
    def features(
        self, context: Features, action: Features | None = None, name: str = ""
    ) -> pd.DataFrame:
        """How the features of a context and an action are encoded: column and value of each.

        A feature that was never learned has no column and no effect.
        """
        import pandas as pd

        self._check_open()
        named = "action" if isinstance(name, str) and not name else checked_name("name", name)
        request = RankRequest.of(context, {named: action})
        told = self._follower.explained(request.context, request.features[0], request.names[0])
        frame = pd.DataFrame(told, columns=["part", "feature", "column", "value"])
        return frame.astype({"column": "Int64"})

    # Models

    @property
    @uninterrupted
    def version(self) -> int:
        """The newest version of the model: the last position of the journal."""
        self._check_open()
        return self._storage.head()

    @property
    @uninterrupted
    def policy(self) -> str:
        """The policy that decides here, as text; it changes when the loop is switched."""
        self._check_open()
        return self._follower.policy

    @uninterrupted
    def switch(self, policy: str) -> int:
        """Let another policy decide from now on, with what it learns of the whole journal.

        Learns the journal before it returns the new version; until then the policy before
        decides. What was rolled back is not learned. Refused if there is anything in the
        journal that the policy cannot learn.
        """
        self._check_open()
        text, position = rules.checked_policy(policy, self.settings), self._storage.head()
        content = self._versions.switched(text, position)
        return self._append(SWITCH, content, target=position, policy=text)

    @uninterrupted
    def reset(self) -> int:
        """Forget what was learned, and learn from here on; returns the new version.

        The journal stays, and an earlier version can be had back with `rollback`.
        """
        self._check_open()
        model = self._versions.unlearned(self._storage.head())
        content = packed(model.state(), 0, model.policy)
        return self._append(RESET, content, policy=model.policy)

    @uninterrupted
    def change(self, **settings: Any) -> int:
        """Change settings from now on, in all processes; returns the new version.

        `explore`, `newcomers`, `wait`, `aggregate`, `default_reward`, `mode`, `keep` and
        `staleness` may change; other processes follow within their staleness. An event keeps the
        window that it was ranked with. The change is in the journal, with its time.
        """
        self._check_open()
        values = rules.changed(settings, self.settings, self.policy)
        position = self._storage.change(values, self._now())
        self._terms()
        self._follower.wake()
        return position

    @uninterrupted
    def rollback(self, version: int) -> int:
        """Return to the model of an earlier version and continue learning from there.

        Returns the new version, whose model equals the earlier one.
        """
        self._check_open()
        wanted = self._checked_version(version)
        return self._append(ROLLBACK, self._versions.content(wanted), target=wanted)

    @uninterrupted
    def export(self, path: str | os.PathLike[str], version: int | None = None) -> None:
        """Write the model of a version, by default the newest, to an .npz file."""
        self._check_open()
        place = checks.path(path)
        wanted = self._storage.head() if version is None else self._checked_version(version)
        content = self._versions.content(wanted)
        with atomic_write(place) as file:
            file.write(content)

    @uninterrupted
    def import_model(self, path: str | os.PathLike[str]) -> int:
        """Load a model that `export` of a loop with equal settings wrote; returns the version.

        The policy that learned it must be the one of this loop.
        """
        self._check_open()
        place = checks.path(path)
        try:
            if place.stat().st_size > LARGEST_MODEL:
                raise ModelFileError(f"{place} is too large for a model: over 1 GiB")
            content = place.read_bytes()
        except FileNotFoundError:
            raise ModelFileError(f"there is no model file {place}") from None
        except OSError as error:
            raise ModelFileError(f"{place} cannot be read: {error}") from error
        policy = self._versions.policy_at(self._storage.head())
        self._versions.read(content, str(place), policy).try_out()
        return self._append(IMPORT, content, policy=policy)

    @uninterrupted
    def verify(self) -> list[tuple[int, float | None]]:
        """Learn the journal again from its start and compare the model with every snapshot.

        Returns positions with differences: 0 if equal bit for bit, None if damaged.
        """
        self._check_open()
        return list(self._versions.verified())

    @uninterrupted
    def wait_for(self, version: int | None = None, timeout: float = 30.0) -> bool:
        """Wait until this process has learned a version, by default the newest at present."""
        self._check_open()
        if version is not None and not is_whole(version):
            raise InvalidInput("version", "a whole number, or None for the newest", version)
        seconds = checks.real(timeout)
        if isinstance(timeout, (bool, np.bool_)) or not seconds >= 0.0:
            raise InvalidInput("timeout", "a number of seconds, at least 0", timeout)
        wanted = self._storage.head() if version is None else int(version)
        return self._follower.wait_for(wanted, min(seconds, TIMEOUT_MAX))

    # Its own life

    @uninterrupted
    def backup(self, path: str | os.PathLike[str]) -> None:
        """Write a copy of a loop in SQLite to a new file, while it is in use.

        The copy is a loop as it was at one moment, with all that was confirmed before the call:
        to restore it, open it. A loop in PostgreSQL is copied by ``pg_dump``.
        """
        self._check_open()
        place = checks.path(path)
        if os.path.lexists(place):
            raise InvalidInput("path", "a file that does not exist yet", str(place))
        self._storage.backup(place)

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

    def __enter__(self) -> Loop:
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
        with GATE:
            self._storage = opened(storage)
            try:
                made_with = defaults if wanted is None else defaults | {"policy": wanted}
                stored = self._storage.settings(made_with, given)
                self.settings = rules.from_storage(stored, self._storage.url)
                self._versions = Versions(self._storage, self.settings)
                model = self._versions.unlearned(self._storage.head())
                if wanted is not None and wanted != model.policy:
                    rule = f"{model.policy!r}, which the loop {self._storage.url} has now"
                    raise InvalidInput("policy", rule, wanted)
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
            reopened = getattr(self._storage, "reopened", None)
            if reopened is None:
                raise StoreError(
                    f"the loop {self._storage.url} was opened before this process was forked, with "
                    "a storage that cannot be opened again: open the loop in the child"
                )
            self._open(reopened(), rules.checked({})[0], {})

    def _turn(self) -> Lock:
        return self._turns.setdefault(os.getpid(), Lock())

    def _followed(self, model: LoopModel, *, may_lead: bool) -> JournalFollower:
        here, storage = ref(self), self._storage

        def terms() -> rules.Terms:
            """Take over settings that may have changed; must not keep a dropped loop alive."""
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
        )

    @staticmethod
    def _now() -> float:
        return time.time()

    def _decided(self, request: RankRequest, name: str, defer: bool) -> Event:
        mode, eligible = self.settings["mode"], request.eligible
        chances = np.zeros(len(request.names))
        version, preferred = 0, int(eligible[0])
        choice = preferred
        if mode != LOG_ONLY:
            offer = request.offered(eligible)
            told, version = self._follower.probabilities(
                request.context, *offer, self.settings["newcomers"]
            )
            chances[eligible] = floored(told, self.settings["explore"])
            preferred = int(chances.argmax())
        seed = seed_of(name, version)
        if mode == ONLINE:
            choice = draw(chances, seed)
        else:
            chances[:] = 0.0
            chances[choice] = 1.0
        now, wait = self._now(), self.settings["wait"]
        return Event(
            id=name, at=now, context=request.context, names=request.names,
            features=request.features, excluded=request.excluded,
            probabilities=tuple(chances.tolist()), choice=choice, preferred=preferred,
            version=version, seed=seed, deferred=defer,
            due=None if wait is None or defer else now + wait,
        )  # fmt: skip

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


def _abandon(process: int, follower: JournalFollower, storage: Storage) -> None:
    """End what a loop that was collected without `close` has left in this process.

    In a thread, since this one may be anywhere, and hold the very locks that are needed.
    """
    if process == os.getpid():
        with suppress(RuntimeError):  # The interpreter ends, and everything with it.
            start_new_thread(_end, (follower, storage))
        told = f"the loop {storage.url} was not closed: call close(), or use `with`"
        warnings.warn(told, ResourceWarning, stacklevel=2)
