"""Looking into a loop: status, events, features."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING

from hybandit.errors import InvalidInput, UnknownEvent
from hybandit.features import HashingEncoder
from hybandit.loop import journal
from hybandit.loop.opened import OpenLoop
from hybandit.loop.request import Features, RankRequest, checked_name
from hybandit.loop.signals import uninterrupted
from hybandit.loop.status import (
    DAY,
    Explanation,
    MeanInterval,
    Status,
    StoredModel,
    explanation,
    lateness,
    silence,
)
from hybandit.loop.storage import Marks
from hybandit.loop.tally import HOUR, PAGE, Tally
from hybandit.loop.verdict import GainEvidence, Verdict
from hybandit.validation.settings import size

if TYPE_CHECKING:
    import pandas as pd

    from hybandit.evaluation import ItemLog

MOST_POINTS = 10_000
NEWEST = 2**62
ACTION_COLUMNS = [
    "action", "shown", "share", "reward", "low", "high", "learned", "pending", "first", "last",
    "new",
]  # fmt: skip
MOMENTS = ("first", "last")


class LookingIn(OpenLoop):
    """What can be asked of an open loop; nothing here changes it."""

    @uninterrupted
    def explain(self, event: str) -> Explanation:
        """The history of one event, and why it is not learned yet."""
        self._check_open()
        history = self._storage.event_history(checked_name("event", event))
        if history is None:
            raise UnknownEvent("event", "the id of a decision of this loop", event)
        here = self._follower.version
        closed_at = history.closing.position if history.closing else here + 1
        undone = closed_at <= here and not self._versions.in_force(closed_at, here)
        return explanation(history, now=self._now(), here=here, undone=undone)

    @uninterrupted
    def status(self) -> Status:
        """Counts, versions, size, and the reward beside that of the baseline.

        It costs the same however long the journal is.
        """
        self._check_open()
        tally, facts = self._follower.counting.catch_up(), self._storage.facts(self._now())
        verdict = self._verdict(tally.evidence)
        baseline = None if verdict.gain is None else tally.evidence.reward - verdict.gain
        version, here = self._storage.head(), self._follower.version
        error = self._follower.error
        return Status(
            url=self._storage.url, mode=self.settings["mode"], policy=self.policy,
            version=version, here=here, lag=max(0, version - here),
            learner=facts.pop("holder"), leads=self._follower.leads,
            events=tally.all.shown, rewards=tally.rewards, late=tally.late,
            closed=tally.all.closed, learned=tally.all.learned, waiting=tally.open,
            actions=len(tally.actions), reward=tally.all.reward,
            baseline=MeanInterval(baseline, None, None),
            gain=MeanInterval(verdict.gain, verdict.low, verdict.high), verdict=verdict.text,
            agreement=tally.agreed / tally.all.closed if tally.all.closed else None,
            notes=self._notes(tally), error=None if error is None else str(error), **facts,
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
            return self._verdict(self._follower.counting.catch_up().evidence)
        if not isinstance(since, datetime) or since.tzinfo is None:
            raise InvalidInput("since", "a datetime with its time zone", since)
        evidence = GainEvidence(self.settings["control"])
        marks = Marks(NEWEST, NEWEST, self._storage.last_before(since.timestamp()))
        while closed := self._storage.news(marks, PAGE).closed:
            for event in closed:
                evidence.add(event.reward, served=event.served, chance=event.chance)
            marks.position = closed[-1].position
        return self._verdict(evidence)

    @uninterrupted
    def actions(self) -> pd.DataFrame:
        """Every action that was shown, the one shown most in the last day first.

        Columns: how often it was ``shown``, its ``share`` of the last day, the mean ``reward`` of
        its closed events with a 95 % interval (``low``, ``high``), how many were ``learned`` and
        how many are ``pending``, when it was shown ``first`` and ``last``, and whether it is
        ``new``: first shown in the last day, and an hour or more after the loop began.
        """
        import pandas as pd

        self._check_open()
        tally, now = self._follower.counting.catch_up(), self._now()
        shares, lines = tally.shares(now), []
        for name, each in tally.actions.items():
            mean, new = each.reward, each.first > max(now - DAY, tally.all.first + HOUR)
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
    def models(self) -> list[StoredModel]:
        """The versions whose models are stored, in order: `rollback` to these is quick."""
        self._check_open()
        found = {place: StoredModel(place, "snapshot") for place in self._storage.snapshots()}
        for jump in self._storage.jumps():
            found[jump.position] = StoredModel.of(jump)
        return [found[place] for place in sorted(found)]

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

    def _verdict(self, evidence: GainEvidence) -> Verdict:
        return evidence.verdict(self.settings["mode"], self.settings["reward_range"])

    def _notes(self, tally: Tally) -> tuple[str, ...]:
        wait = self.settings["wait"]
        if wait is None:
            told = silence(tally.open, tally.all.shown)
        else:
            told = lateness(tally.late, tally.rewards, wait, tally.patience())
        return () if told is None else (told,)
