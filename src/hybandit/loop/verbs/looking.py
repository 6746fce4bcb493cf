"""Looking into a loop: status, events, features."""

from __future__ import annotations

from contextlib import AbstractContextManager
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

from hybandit.errors import InvalidInput, UnknownEvent
from hybandit.features import HashingEncoder
from hybandit.loop.counts.status import (
    DAY,
    Explanation,
    MeanInterval,
    Status,
    StoredModel,
    explanation,
    lateness,
    silence,
    stopped,
    turned,
)
from hybandit.loop.counts.tally import HOUR, PAGE, Tally
from hybandit.loop.counts.verdict import GainEvidence, Verdict
from hybandit.loop.process.signals import uninterrupted
from hybandit.loop.storage.contract import EventHistory, Marks, checked_name
from hybandit.loop.verbs import journal
from hybandit.loop.verbs.opened import OpenLoop
from hybandit.loop.verbs.parts import Parts
from hybandit.loop.verbs.request import Features, RankRequest
from hybandit.notebook import card
from hybandit.reports.section import Line, Lines
from hybandit.validation.settings import size

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes

    from hybandit.evaluation import ItemLog

MOST_POINTS = 10_000
# Of a figure: at most so many stretches, and at least so many events in each, since fewer show
# little but chance.
MOST_STRETCHES, EVENTS_IN_A_STRETCH = 60, 10
NEWEST = 2**62
ACTION_COLUMNS = [
    "action", "shown", "share", "reward", "low", "high", "learned", "pending", "first", "last",
    "new",
]  # fmt: skip
MOMENTS = ("first", "last")
HISTORY_COLUMNS = [
    "began", "ended", "decided", "closed", "reward", "control", "exploring", "gain", "low", "high",
    "shown",
]  # fmt: skip


class LookingIn(OpenLoop):
    """What can be asked of an open loop; nothing here changes it."""

    def __repr__(self) -> str:
        if self._closed:
            return f"Loop({self._storage.url!r}, closed)"
        version, size = self._size()
        return f"Loop({self._storage.url!r}, version={version:,}, {size / 1e6:,.1f} MB)"

    def _repr_html_(self) -> str:
        return card(repr(self)) if self._closed else self.status()._repr_html_()

    @uninterrupted
    def _size(self) -> tuple[int, int]:
        """The newest version, and bytes on disk."""
        self._check_open()
        return self._storage.head(), self._storage.facts(self._now())["bytes"]

    def plot(self) -> Axes:
        """Draw the mean reward along the journal, beside the baseline's."""
        from hybandit.reports.figures import shown

        status = self.status()
        stretches = max(1, min(MOST_STRETCHES, status.closed // EVENTS_IN_A_STRETCH))
        found = self.curve(stretches)
        line = Line("the loop", status.policy, *([pair[n] for pair in found] for n in (0, 1)))
        level = None if status.baseline.mean is None else ("the baseline", status.baseline.mean)
        title = f"Mean reward of {Path(status.url).name}"
        title += "" if found else ": no event is closed yet"
        return shown(
            Lines("reward-curve", "", {title: [line]}, "version", "mean reward", level=level)
        )

    @uninterrupted
    def explain(self, event: str) -> Explanation:
        """The history of one event, and why it is not learned yet."""
        self._check_open()
        history = self._history(event)
        here = self._follower.version
        closed_at = history.closing.position if history.closing else here + 1
        undone = closed_at <= here and not self._versions.in_force(closed_at, here)
        return explanation(history, now=self._now(), here=here, undone=undone)

    @uninterrupted
    def parts(self, event: str) -> Parts:
        """What moved a decision: each feature's part in the model's value of what was shown.

        The model is the one that this process has now.
        """
        self._check_open()
        return Parts.of(self._history(event).event, self._follower.values, self._follower.version)

    @uninterrupted
    def status(self) -> Status:
        """Counts, versions, size, and the reward beside that of the baseline.

        It costs the same however long the journal is.
        """
        self._check_open()
        facts = self._storage.facts(self._now())
        version, here = self._storage.head(), self._follower.version
        lag = max(0, version - here)
        error, change = self._follower.error, self._change()
        with self._counted() as tally:
            verdict = self._verdict(tally.evidence)
            baseline = None if verdict.gain is None else tally.evidence.reward - verdict.gain
            return Status(
                url=self._storage.url, mode=self.settings["mode"], policy=self.policy,
                version=version, here=here, lag=lag,
                catching_up=version > here and not self._follower.ready,
                learner=facts.pop("holder"), leads=self._follower.leads,
                events=tally.all.shown, rewards=tally.rewards, late=tally.late,
                closed=tally.all.closed, waiting=tally.open,
                learned=max(0, tally.all.learned - (0 if error is None else lag)),
                imported=tally.imported, actions=len(tally.actions), reward=tally.all.reward,
                baseline=MeanInterval(baseline, None, None),
                gain=MeanInterval(verdict.gain, verdict.low, verdict.high), verdict=verdict.text,
                agreement=tally.agreed / tally.all.closed if tally.all.closed else None,
                notes=self._notes(tally, error, change),
                error=None if error is None else str(error),
                **facts,
            )  # fmt: skip

    @uninterrupted
    def verdict(self, since: datetime | None = None) -> Verdict:
        """Whether the loop earns more than the baseline.

        It may be asked as often as you like: its interval holds at all times at once.

        Parameters
        ----------
        since
            Only events that closed from then on, such as those after a `switch`. Choose it without
            looking at the rewards. The journal is read from there. Default: all events since the
            start, or since `control` was changed.
        """
        self._check_open()
        if since is None:
            with self._counted() as tally:
                return self._verdict(tally.evidence)
        if not isinstance(since, datetime) or since.tzinfo is None:
            raise InvalidInput("since", "a datetime with its time zone", since)
        evidence = GainEvidence(self.settings["control"])
        marks = Marks(NEWEST, NEWEST, self._storage.last_before(since.timestamp()))
        while closed := self._storage.news(marks, PAGE).closed:
            for event in (each for each in closed if not each.imported):
                evidence.add(event.reward, served=event.served, chance=event.chance)
            marks.position = closed[-1].position
        return self._verdict(evidence)

    @uninterrupted
    def actions(self) -> pd.DataFrame:
        """Every action that was shown, the one shown most in the last day first.

        Columns: how often it was ``shown``, its ``share`` of the last day, the mean ``reward`` of
        its closed events with a 95 % interval (``low``, ``high``), how many were ``learned`` and
        how many are ``pending``, when it was shown ``first`` and ``last``, and whether it is
        ``new``: first shown in the last day, but neither in the first hour of the loop nor, while
        that is not over, in the first quarter of its life so far.
        """
        import pandas as pd

        self._check_open()
        now, lines = self._now(), []
        with self._counted() as tally:
            shares = tally.shares(now)
            started = max(now - DAY, tally.all.first + min(HOUR, (now - tally.all.first) / 4.0))
            for name, each in tally.actions.items():
                mean, new = each.reward, each.first > started
                line = (
                    name, each.shown, shares.get(name, 0.0), mean.mean, mean.low, mean.high,
                    each.learned, tally.open_of(name), each.first, each.last, new,
                )  # fmt: skip
                lines.append(line)
        table = pd.DataFrame(lines, columns=ACTION_COLUMNS)
        floats = dict.fromkeys(["share", "reward", "low", "high"], "float64")
        moments = {each: pd.to_datetime(table[each], unit="s", utc=True) for each in MOMENTS}
        table = table.astype(floats).assign(**moments)
        order = ["share", "shown"]
        return table.sort_values(order, ascending=False, kind="stable", ignore_index=True)

    @uninterrupted
    def history(self) -> pd.DataFrame:
        """What happened over time, in at most 240 stretches of equal length.

        It costs the same however long the journal is. Columns: when a stretch ``began`` and
        ``ended``; how many events were ``decided`` and ``closed`` in it; their mean ``reward``, and
        that of the ``control`` group, in which the baseline was shown, by the probabilities; the
        share ``exploring``, for something else than the model's favourite; the ``gain`` over the
        baseline since the start, with its interval (``low``, ``high``), as it was at the end; and
        ``shown``, how often each action was, of the 50 shown most.
        """
        import pandas as pd

        self._check_open()
        with self._counted() as tally:
            history = tally.history
            lines = [
                (
                    each.start, each.start + history.seconds, each.decided, each.closed,
                    each.reward.mean, each.control, each.exploring, each.gain, each.low, each.high,
                    dict(each.shown),
                )
                for each in history.stretches
            ]  # fmt: skip
        table = pd.DataFrame(lines, columns=HISTORY_COLUMNS)
        floats = HISTORY_COLUMNS[4:-1]
        counts = dict.fromkeys(["decided", "closed"], "int64")
        moments = {
            each: pd.to_datetime(table[each], unit="s", utc=True) for each in ("began", "ended")
        }
        return table.astype(dict.fromkeys(floats, "float64") | counts).assign(**moments)

    @uninterrupted
    def events(
        self, *, after: int = 0, limit: int | None = None, action: str | None = None
    ) -> pd.DataFrame:
        """Events in order of arrival: what was asked, decided, rewarded and learned.

        Parameters
        ----------
        after
            Only those after this ``number``, such as the last one of the page before.
        limit
            At most so many. Default: all.
        action
            Only decisions for this action.
        """
        self._check_open()
        size(0, NEWEST).check("after", after)
        if limit is not None:
            size(1, NEWEST).check("limit", limit)
        if action is not None:
            checked_name("action", action)
        return journal.table(self._storage.event_histories(after, limit, action))

    @uninterrupted
    def newest(self, limit: int = 20) -> pd.DataFrame:
        """At most so many of the newest events, in order of arrival, as `events` has them."""
        self._check_open()
        return journal.table(self._storage.event_histories(self._after_newest(limit), limit))

    @uninterrupted
    def models(self) -> list[StoredModel]:
        """The versions whose models are stored, in order: `rollback` to these is quick."""
        self._check_open()
        found = {place: StoredModel(place, "snapshot") for place in self._storage.snapshots()}
        for jump in self._storage.jumps():
            found[jump.position] = StoredModel.of(jump)
        return [found[place] for place in sorted(found)]

    @uninterrupted
    def log(self, newest: int | None = None) -> ItemLog:
        """The closed events as vectors with exact probabilities, for evaluating policies.

        Default: all of them, or those among so many of the `newest` decisions.
        """
        self._check_open()
        after = 0 if newest is None else self._after_newest(newest)
        encoders = (
            HashingEncoder(self.settings["context_width"]),
            HashingEncoder(self.settings["action_width"]),
        )
        return journal.log(self._storage.event_histories(after), *encoders)

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

    def _after_newest(self, limit: int) -> int:
        """The number of a decision after which there are at most so many."""
        size(1, NEWEST).check("limit", limit)
        with self._counted() as tally:
            return max(0, tally.marks.event - limit)

    def _counted(self) -> AbstractContextManager[Tally]:
        """The tally of all that has happened by now; it stands still while it is looked at."""
        self._follower.counting.catch_up()
        return self._follower.counting.counted()

    def _history(self, event: str) -> EventHistory:
        history = self._storage.event_history(checked_name("event", event))
        if history is None:
            raise UnknownEvent("event", "the id of a decision of this loop", event)
        return history

    def _verdict(self, evidence: GainEvidence) -> Verdict:
        return evidence.verdict(self.settings["mode"], self.settings["reward_range"])

    def _notes(self, tally: Tally, error: Exception | None, change: str | None) -> tuple[str, ...]:
        wait = self.settings["wait"]
        if wait is None:
            told = silence(tally.open, tally.all.shown)
        else:
            told = lateness(tally.late, tally.rewards, wait, tally.patience())
        failed = None if error is None else stopped(error)
        return tuple(note for note in (failed, told, change) if note is not None)

    def _change(self) -> str | None:
        """What to say if tastes seem to have changed, by the model of this process."""
        here, ago = self._follower.version, self._follower.changed
        if ago is None:
            return None
        since = self._storage.entries(max(self._storage.base(), here - ago), 1)
        return turned(since[0].at, ago) if since else None
