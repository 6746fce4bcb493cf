"""Looking into a loop: status, events, features."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hybandit.errors import InvalidInput
from hybandit.features import HashingEncoder
from hybandit.loop import journal
from hybandit.loop.opened import OpenLoop
from hybandit.loop.request import Features, RankRequest, checked_name
from hybandit.loop.signals import uninterrupted
from hybandit.loop.status import RECENT, Explanation, Status, explanation, rates
from hybandit.validation.settings import size

if TYPE_CHECKING:
    import pandas as pd

    from hybandit.evaluation import ItemLog

MOST_POINTS = 10_000


class LookingIn(OpenLoop):
    """What can be asked of an open loop; nothing here changes it."""

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
