"""How a loop decides: what it was asked is checked, the model asked, and a seed draws."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from hybandit.errors import InvalidInput
from hybandit.loop import settings as rules
from hybandit.loop.counts.status import silence
from hybandit.loop.settings import LOG_ONLY, ONLINE
from hybandit.loop.storage.contract import Closing, Event, checked_name
from hybandit.loop.verbs.looking import LookingIn
from hybandit.loop.verbs.request import (
    RankedDecision,
    RankRequest,
    draw,
    explored,
    held_back,
    seed_of,
)
from hybandit.state import Floats
from hybandit.validation import checks


class Deciding(LookingIn):
    """What `rank` and `reward` do before anything is written."""

    def _ranked(self, request: RankRequest) -> RankedDecision:
        self._follower.rankers.append(None)
        try:
            stored = self._storage.add_event(self._decided(request))
        finally:
            self._follower.rankers.pop()
        self._warn_if_stopped()
        return RankedDecision.of(stored)

    def _reported(
        self, event: str, value: float, key: str | None
    ) -> tuple[str, float, float, Closing, str | None]:
        """What was reported to `reward`, checked, as a storage takes it."""
        self._check_open()
        checked_name("event", event)
        if key is not None:
            checked_name("key", key)
        if isinstance(value, Mapping):
            one = "one number, such as a weighted sum of what each is worth to you"
            raise InvalidInput("value", one, value)
        amount, rule = checks.real(value), self._follower.rewards
        limits = self.settings["reward_range"]
        if not rule.holds(amount):
            raise InvalidInput("value", rule.text, value)
        if limits is not None and not limits[0] <= amount <= limits[1]:
            within = f"within reward_range, from {limits[0]:g} to {limits[1]:g}"
            raise InvalidInput("value", within, value)
        return event, amount, self._now(), rules.closing(self.settings), key

    def _decided(self, request: RankRequest) -> Event:
        mode, baseline = self.settings["mode"], request.baseline
        chances = np.zeros(len(request.names))
        version, preferred, choice = 0, baseline, baseline
        if mode != LOG_ONLY:
            chances[request.eligible], version = self._chances(request)
            preferred = int(chances.argmax())
        seed = seed_of(request.event, version)
        if mode == ONLINE:
            explore, control = self.settings["explore"], self.settings["control"]
            explored(chances, request.eligible, baseline, explore=explore, control=control)
            choice = draw(chances, seed)
        else:
            chances[:] = 0.0
            chances[choice] = 1.0
        now, wait = self._now(), self.settings["wait"]
        return Event(
            id=request.event, at=now, context=request.context, names=request.names,
            features=request.features, excluded=request.excluded,
            probabilities=tuple(chances.tolist()), choice=choice, preferred=preferred,
            baseline=baseline, version=version, seed=seed, deferred=request.defer,
            due=None if wait is None or request.defer else now + wait,
        )  # fmt: skip

    def _chances(self, request: RankRequest) -> tuple[Floats, int]:
        """What the model would choose of the eligible actions, and its version.

        Where only rewards close events, open ones count against their actions.
        """
        names, features = request.offered()
        with self._follower.counting.counted() as tally:
            judged, answered = tally.standing(names)
            silent = silence(tally.open, tally.all.shown)
        told, version = self._follower.probabilities(
            request.context, names, features, self.settings["newcomers"], judged
        )
        if self.settings["wait"] is None:
            told = held_back(told, answered)
            if silent is not None:
                self._warn("silence", silent)
        return told, version
