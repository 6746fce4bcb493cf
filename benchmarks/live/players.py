"""Who plays the live worlds: the loop's policy, its rivals of this package, Vowpal Wabbit."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections import deque
from collections.abc import Iterable
from pathlib import Path

import numpy as np

from benchmarks.items.players import SCRIPT
from benchmarks.live.worlds import NOBODY, LiveWorld
from benchmarks.peers.cells import THREADS
from hybandit.loop import items as loop_items
from hybandit.loop.names import NamedArms
from hybandit.loop.policy import DEFAULT_POLICIES, LoopPolicy
from hybandit.loop.settings import DEFAULTS
from hybandit.policies import ItemPolicy
from hybandit.service.demo.rivals import ByItem, ForAll, Player, place_drawn
from hybandit.state import Floats, Integers

LOOP, FIXED = "loop", "best fixed action"
LIN_UCB = {f"LinUCB {alpha}": alpha for alpha in (0.1, 0.3, 1.0)}
ITEM_LIN_UCB = {f"ItemLinUCB {alpha}": alpha for alpha in (0.3, 1.0)}
# By the names that benchmarks/items/vowpal_wabbit.py has for its settings.
VOWPAL_WABBIT = {"VW squarecb": "squarecb, ids", "VW epsilon 0.05": "epsilon 0.05, ids"}
# A clone from before newcomers were bounded, which plays "before", asks its policy alone.
SHARES = getattr(loop_items, "shares", None) or ItemPolicy.unchecked_probabilities
EVERYONE = (LOOP, FIXED, *LIN_UCB, *ITEM_LIN_UCB, *VOWPAL_WABBIT)


class LoopPlayer:
    """A loop without database and encoders: its policies, its exploration, its floor."""

    def __init__(self, world: LiveWorld) -> None:
        widths = {"context_width": world.contexts.shape[1], "action_width": world.items.shape[1]}
        self._names = not widths["action_width"]
        part = LoopPolicy(DEFAULT_POLICIES[0 if self._names else 1], DEFAULTS | widths)
        self._arms = NamedArms(part.made) if self._names else None
        self._policy = None if self._names else part.made()

    def chances(self, context: Floats, items: Floats, ids: list[int]) -> Floats:
        if self._arms is not None:
            told = self._arms.probabilities(context, list(map(str, ids)))
        else:
            told = SHARES(self._policy, context, items, ids)
        # Written out, as an older clone has no function for it.
        explore: float = DEFAULTS["explore"]
        return (1.0 - explore) * told + explore / len(told)

    def learn(self, context: Floats, item: Floats, name: int, reward: float) -> None:
        if self._arms is not None:
            self._arms.learn(context, str(name), reward)
        else:
            self._policy.learn(context, item, reward, id=name)

    @property
    def lead(self) -> float:
        """By how much the recent view of items is ahead, since it overtook the others."""
        return float(self._policy._stack.weighing.largest[0])


def made(name: str, world: LiveWorld) -> Player:
    if name in LIN_UCB:
        return ByItem(world, LIN_UCB[name])
    if name in ITEM_LIN_UCB:
        return ForAll(world, ITEM_LIN_UCB[name])
    return LoopPlayer(world)


def play(player: Player, world: LiveWorld, delay: int, numbers: Iterable[int]) -> Integers:
    """The place that was chosen in each offer; `numbers` counts the visitors.

    A reward, or its absence, is learned before the first choice after `delay` further visitors.
    """
    chosen = np.empty(len(world), np.int64)
    waiting: deque[int] = deque()
    for number in numbers:
        while waiting and waiting[0] < number - delay:
            past = waiting.popleft()
            name = int(world.offers[past, chosen[past]])
            reward = float(world.luck[past] < world.chances[past, chosen[past]])
            player.learn(world.contexts[past], world.items[name], name, reward)
        ids = world.offers[number]
        ids = ids[ids != NOBODY]
        chances = player.chances(world.contexts[number], world.items[ids], ids.tolist())
        chosen[number] = place_drawn(chances, world.draws[number])
        waiting.append(number)
    return chosen


def play_vowpal_wabbit(
    name: str, world: LiveWorld, delay: int, seed: int, python: Path, folder: Path
) -> Integers:
    """The same, by the script of benchmarks/items in an environment of its own."""
    stream = folder / "stream.npz"
    np.savez(
        stream,
        contexts=world.contexts,
        items=world.items[world.offers],
        ids=world.offers,
        rewards=(world.luck[:, None] < world.chances).astype(np.float64),
        delays=np.full(len(world), delay),
    )
    done = subprocess.run(
        [str(python), "-W", "ignore", str(SCRIPT), VOWPAL_WABBIT[name], str(stream), str(seed)],
        capture_output=True, text=True, check=False, env={**os.environ, **THREADS},
    )  # fmt: skip
    if done.returncode:
        sys.exit(done.stderr)
    return np.array(json.loads(done.stdout.splitlines()[-1])["chosen"])
