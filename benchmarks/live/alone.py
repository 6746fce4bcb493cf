"""The loop's policy without database and encoders, and how it plays a world.

python alone.py WORLD.npz DELAY

Prints the place chosen in every offer, as one line of JSON. Needs nothing that clones of before
newcomers were bounded do not have, so that their policy can play too.
"""

from __future__ import annotations

import json
import sys
from collections import Counter, deque
from collections.abc import Iterable
from types import SimpleNamespace
from typing import Any

import numpy as np

from hybandit.loop.learning.names import NamedArms
from hybandit.loop.policy import DEFAULT_POLICIES, LoopPolicy
from hybandit.loop.settings import DEFAULTS
from hybandit.policies import ItemPolicy
from hybandit.state import Floats, Integers

try:
    from hybandit.loop.learning.items import shares
    from hybandit.loop.newcomers import judged
except ImportError:
    # An older clone has no newcomers, and asks its policies alone.
    shares, judged = ItemPolicy.unchecked_probabilities, None

# The id where an offer is shorter than others.
NOBODY = -1


class LoopPlayer:
    """A loop's policies, its exploration, its floor; without a baseline that it would show."""

    def __init__(self, world: Any) -> None:
        widths = {"context_width": world.contexts.shape[1], "action_width": world.items.shape[1]}
        self._names = not widths["action_width"]
        part = LoopPolicy(DEFAULT_POLICIES[0 if self._names else 1], DEFAULTS | widths)
        self._arms = NamedArms(part.made) if self._names else None
        self._policy = None if self._names else part.made()
        # How often each was shown, and learned.
        self.shown: Counter[int] = Counter()
        self._closed: Counter[int] = Counter()

    def chances(self, context: Floats, items: Floats, ids: list[int]) -> Floats:
        more: dict[str, Any] = {}
        if judged is not None:
            pending = [self.shown[name] - self._closed[name] for name in ids]
            more["judged"] = judged([self._closed[name] for name in ids], pending)
        if self._arms is not None:
            told = self._arms.probabilities(context, list(map(str, ids)), **more)
        else:
            told = shares(self._policy, context, items, ids, **more)
        # Written out, as an older clone has no function for it.
        explore: float = DEFAULTS["explore"]
        return (1.0 - explore) * told + explore / len(told)

    def learn(self, context: Floats, item: Floats, name: int, reward: float) -> None:
        self._closed[name] += 1
        if self._arms is not None:
            self._arms.learn(context, str(name), reward)
        else:
            self._policy.learn(context, item, reward, id=name)

    @property
    def lead(self) -> float:
        """By how much the recent view of items is ahead, since it overtook the others."""
        return float(self._policy._stack.weighing.largest[0])


def play(player: Any, world: Any, delay: int, numbers: Iterable[int]) -> Integers:
    """The place that was chosen in each offer; `numbers` counts the visitors.

    A reward, or its absence, is learned before the first choice after `delay` further visitors.
    """
    chosen = np.empty(len(world.contexts), np.int64)
    shown = getattr(player, "shown", Counter())
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
        sums = chances.cumsum()
        place = int(sums.searchsorted(world.draws[number] * sums[-1], side="right"))
        chosen[number] = min(place, len(ids) - 1)
        shown[int(ids[chosen[number]])] += 1
        waiting.append(number)
    return chosen


def main() -> None:
    with np.load(sys.argv[1]) as arrays:
        world = SimpleNamespace(**arrays)
    numbers = range(len(world.contexts))
    chosen = play(LoopPlayer(world), world, int(sys.argv[2]), numbers)
    print(json.dumps({"chosen": chosen.tolist()}))


if __name__ == "__main__":
    main()
