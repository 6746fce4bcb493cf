"""Decisions and rewards for asyncio: its loop decides, and a thread commits."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from hybandit.loop.storage.database import Database
from hybandit.loop.verbs.deciding import Deciding
from hybandit.loop.verbs.request import Features, RankedDecision

# With more actions a decision takes so long that other tasks should go on meanwhile.
FEW = 100
# Seconds between two looks at whether a loop that was just opened has read its journal.
PAUSE = 0.02


class AsyncVerbs(Deciding):
    """`rank` and `reward` as coroutines, which share commits like threads do."""

    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments)
        # How actions were given for which what a decision needs has been compiled here.
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
        request = self._asked(context, actions, event, exclude, baseline, defer)
        storage, kind = self._storage, isinstance(actions, Mapping)
        while not self._follower.has_started():
            await asyncio.sleep(PAUSE)
        is_quick = kind in self._decided_here and len(actions) <= FEW
        if not is_quick or not isinstance(storage, Database):
            found = await asyncio.to_thread(self._ranked, *request)
            self._decided_here.add(kind)
            return found
        self._follower.rankers.append(None)
        try:
            stored = await storage.add_event_soon(self._decided(*request))
        finally:
            self._follower.rankers.pop()
        self._warn_if_stopped()
        return RankedDecision.of(stored)

    async def reward_async(self, event: str, value: float, *, key: str | None = None) -> None:
        """`reward` for asyncio: other tasks go on while the reward is stored."""
        reported, storage = self._reported(event, value, key), self._storage
        if isinstance(storage, Database):
            await storage.add_reward_soon(*reported)
        else:
            await asyncio.to_thread(storage.add_reward, *reported)
        self._follower.wake()
        self._warn_if_stopped()
