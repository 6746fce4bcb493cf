"""A live bandit: decisions today, rewards next week, nothing lost in between."""

from __future__ import annotations

import os
import warnings
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import timedelta
from threading import TIMEOUT_MAX
from typing import Any

import numpy as np

from hybandit.atomic import atomic_write
from hybandit.errors import EvaluationWarning, InvalidInput, ModelFileError
from hybandit.loop import settings as rules
from hybandit.loop.learning.snapshots import packed
from hybandit.loop.process.signals import uninterrupted
from hybandit.loop.settings import STORED
from hybandit.loop.storage.contract import IMPORT, RESET, ROLLBACK, SWITCH, Storage, checked_name
from hybandit.loop.verbs.request import TRUE_OR_FALSE, Features, RankedDecision, RankRequest
from hybandit.loop.verbs.soon import AsyncVerbs
from hybandit.validation import checks
from hybandit.validation.settings import is_whole

# In bytes: far more than any model has.
LARGEST_MODEL = 2**30
# For how many seconds `switch` waits at most until the new policy decides here.
SWITCHING = 10.0


class Loop(AsyncVerbs):
    """Decides, remembers, learns: a bandit kept in a database.

    Any number of threads, processes and machines may open the same loop; one of them
    learns at a time. A forked child opens it again by itself. In asyncio, use `rank_async` and
    `reward_async`, and call the rest through ``asyncio.to_thread``.

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
    wait
        How long a reward may take; it must be said when a loop is made. A timedelta, seconds, or
        text such as ``"10 min"``: a decision is learned when this window ends, by the rewards
        that came, which are aggregated, or else by `default_reward`. None, if every decision
        gets a reward: it is learned when the first comes, and without one never.
    control
        The baseline has at least this probability, so that `verdict` can compare with it.
    explore
        Every action that may be chosen has a probability of at least ``explore / n``.
    newcomers
        The most that an action gets, besides that, while it is new and others have rewards
        (`hybandit.loop.newcomers`).
    reward_range
        The least and the most a reward can be; others are refused. Default: any, and the verdict
        assumes 0 to 1, or the range seen so far if that is wider.
    aggregate
        ``earliest``, ``sum`` or ``last`` of the rewards in the window.
    mode
        ``online``; ``apprentice``: serve the baseline, learn, and report how often the model
        agrees; ``log-only``: serve the baseline, learn nothing.
    paused
        Whether nothing is learned: decisions are still made, by the model as it is, and those that
        close meanwhile are never learned.
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
    >>> with hybandit.Loop(f"{folder.name}/articles.db", wait="10 min") as loop:
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
        wait: timedelta | float | str | None = STORED,
        control: float = STORED,
        explore: float = STORED,
        newcomers: float = STORED,
        aggregate: str = STORED,
        default_reward: float = STORED,
        reward_range: tuple[float, float] | None = STORED,
        mode: str = STORED,
        paused: bool = STORED,
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
                "explore": explore, "newcomers": newcomers, "wait": wait, "control": control,
                "aggregate": aggregate, "default_reward": default_reward,
                "reward_range": reward_range, "mode": mode, "paused": paused,
                "keep": keep, "staleness": staleness, "context_width": context_width,
                "action_width": action_width, "memory": memory, "forget": forget,
                "policy": policy,
            }
        )  # fmt: skip
        super().__init__(storage, defaults, given, learn)

    # The verbs

    @uninterrupted
    def rank(
        self,
        context: Features,
        actions: Mapping[str, Features | None] | Sequence[str],
        *,
        event: str | None = None,
        exclude: Iterable[str] = (),
        baseline: str | None = None,
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
            Features by name, or a list of names.
        event
            An id of your own. Repeating the call gives the same answer and counts once.
        exclude
            Names that may not be chosen now.
        baseline
            The action that you would choose without a loop. Default: the first of those that are
            not excluded.
        defer
            The event cannot close until `activate`.
        """
        self._check_open()
        return self._ranked(
            RankRequest.of(
                context, actions, event=event, exclude=exclude, baseline=baseline, defer=defer
            )
        )

    @uninterrupted
    def reward(self, event: str, value: float, *, key: str | None = None) -> None:
        """Report the reward of a decision; returns once it is stored durably.

        `key` identifies this call among those for the event: a second call with the same key
        and value changes nothing, and one with another value is refused. If a signal ends the
        call with an exception, it may have been written all the same: repeat it with the same
        `key`.
        """
        self._storage.add_reward(*self._reported(event, value, key))
        self._follower.wake()
        self._warn_if_stopped()

    @uninterrupted
    def activate(self, event: str) -> None:
        """Start the window of a deferred event: the chosen action has now been shown."""
        self._check_open()
        name, closing = checked_name("event", event), rules.closing(self.settings)
        self._storage.activate(name, self._now(), closing)
        self._follower.wake()

    @uninterrupted
    def learn_from(
        self, log: Any, *, tick: Callable[[int], None] | None = None, **columns: Any
    ) -> int:
        """Learn a log of decisions that another system made; returns how many it has.

        They become events of this loop, with their probabilities. The same log again changes
        nothing.

        Parameters
        ----------
        log
            A ``.dsjson`` file of Vowpal Wabbit or Personalizer, or a table or file as for
            `hybandit.datasets.open_log`.
        tick
            Called with the number of events that were written since the last call.
        columns
            For tables: ``arm``, ``reward`` and what else `open_log` takes.
        """
        from hybandit.datasets.reading import Aside
        from hybandit.loop.verbs import old_logs

        self._check_open()
        aside = Aside()
        found = old_logs.store(
            self._storage,
            old_logs.choices_in(log, aside, **columns),
            name=os.path.basename(log) if isinstance(log, (str, os.PathLike)) else "table",
            now=self._now,
            closing=rules.closing(self.settings),
            rewards=self._follower.rewards,
            tick=tick,
        )
        self._follower.wake()
        if aside.count:
            rows = f"{aside.count:,} rows of the log were set aside: {aside.told()}"
            warnings.warn(rows, EvaluationWarning, stacklevel=3)
        return found

    # Models

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
        version = self._append(SWITCH, content, target=position, policy=text)
        self._follower.wait_for(version, SWITCHING)
        return version

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

        `explore`, `newcomers`, `control`, `wait`, `aggregate`, `default_reward`, `reward_range`,
        `mode`, `paused`, `keep` and `staleness` may change; other processes follow within their
        staleness. An event keeps the window that it was ranked with, and with `control` the verdict
        begins anew. The change is in the journal, with its time.
        """
        self._check_open()
        values = rules.changed(settings, self.settings, self.policy)
        position = self._storage.change(values, self._now())
        self._terms()
        self._follower.wake()
        return position

    def pause(self) -> int:
        """Learn nothing until `resume`; the model decides as it is. Returns the new version."""
        return self.change(paused=True)

    def resume(self) -> int:
        """Learn again what closes from now on; returns the new version."""
        return self.change(paused=False)

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
        place = checks.path(path)
        content = self.model(version)
        with atomic_write(place) as file:
            file.write(content)

    @uninterrupted
    def model(self, version: int | None = None) -> bytes:
        """The model of a version, by default the newest, as the bytes that `export` writes."""
        self._check_open()
        wanted = self._storage.head() if version is None else self._checked_version(version)
        return self._versions.content(wanted)

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
        """Wait until this process has learned a version, by default the newest at present.

        If there is an entry before it that cannot be learned, that is a `hybandit.LearningError`.
        """
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
