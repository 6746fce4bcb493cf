"""Decisions and rewards for asyncio: its loop decides, and a thread commits."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from hybandit.loop.storage.contract import Event
from hybandit.loop.verbs.deciding import Deciding
from hybandit.loop.verbs.request import Features, RankedDecision, RankRequest

# With more actions a decision takes so long that other tasks should go on meanwhile.
FEW = 100
# Seconds between two looks at whether a loop that was just opened has read its journal.
PAUSE = 0.02


class AsyncVerbs(Deciding):
    """`rank` and `reward` as coroutines, which share commits like threads do."""

    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments)
        # Whether features were given where what a decision needs has been compiled here.
        self._decided_here: set[bool] = set()

    async def rank_async(
        self,
        context: Features,
        actions: Mapping[str, Features | None] | Sequence[str],
        *,
        event: str | None = None,
        exclude: Iterable[str] = (),
        baseline: str | None = None,
        defer: bool = False,
    ) -> RankedDecision:
        """`rank` for asyncio: other tasks go on while the decision is stored."""
        self._check_open()
        request = RankRequest.of(
            context, actions, event=event, exclude=exclude, baseline=baseline, defer=defer
        )
        while not self._follower.has_started():
            await asyncio.sleep(PAUSE)
        self._follower.rankers.append(None)
        try:
            decided = await self._decided_soon(request, isinstance(actions, Mapping))
            stored = await self._storage.add_event_soon(decided)
        finally:
            self._follower.rankers.pop()
        self._warn_if_stopped()
        return RankedDecision.of(stored)

    async def reward_async(self, event: str, value: float, *, key: str | None = None) -> None:
        """`reward` for asyncio: other tasks go on while the reward is stored."""
        await self._storage.add_reward_soon(*self._reported(event, value, key))
        self._follower.wake()
        self._warn_if_stopped()

    async def _decided_soon(self, request: RankRequest, featured: bool) -> Event:
        """The decision: made at once if that is quick, and else in a thread."""
        if featured in self._decided_here and len(request.names) <= FEW:
            return self._decided(request)
        decided = await asyncio.to_thread(self._decided, request)
        self._decided_here.add(featured)
        return decided
