"""The loop and its rivals before the same visitors, with the same luck."""

from __future__ import annotations

import math
from collections import deque
from dataclasses import dataclass
from typing import Any

import numpy as np

from hybandit.environments.shop_world import NOBODY, ShopWorld, shop_world
from hybandit.loop import Loop, Verdict
from hybandit.service.demo.rivals import ByItem, ForAll, Player, place_drawn
from hybandit.state import Floats

WORLD = "shopB"
# How long a click may take, in seconds; it takes up to 0.8 of that.
WINDOW, SLOWEST = 3.0, 0.8
# The share of visitors who are shown the baseline at least.
CONTROL = 0.1
LOOP, FIXED = "hybandit's loop", "baseline, the best single article"
BY_ITEM, FOR_ALL = "LinUCB, a model for each article", "ItemLinUCB, one model for all"
ALPHA = 0.3
KINDS = ("tea", "mug", "novel", "lamp", "game", "plant", "pen", "bag")
COLOURS = ("green", "black", "white", "red", "blue")
# By number; the last is the article that arrives later.
NAMES = (*(f"{colour} {kind}" for kind in KINDS for colour in COLOURS), "moon lamp")


@dataclass(frozen=True)
class Lead:
    """How many clicks a player got, and by how much more per visitor the loop got, with a 95 %
    interval of the paired differences.
    """

    player: str
    clicks: int
    share: float
    lead: float | None = None
    low: float | None = None
    high: float | None = None

    def __str__(self) -> str:
        told = f"{self.player}: {self.clicks:,} clicks, {self.share:.1%} of the visitors"
        if self.lead is None:
            return told
        return f"{told}; the loop's lead is {self.lead:+.2%} [{self.low:+.2%}, {self.high:+.2%}]"


class Race:
    """A shop with visitors, one after another, and what every player got from them.

    `seed` is that of the shop, in which `visitors` come at `rate` a second.
    """

    def __init__(self, visitors: int, rate: float, seed: int) -> None:
        self.world: ShopWorld = shop_world(WORLD, visitors, seed)
        self.rate, self.done = rate, 0
        self.clicks = {name: np.zeros(visitors) for name in (LOOP, FIXED, BY_ITEM, FOR_ALL)}
        self._rivals: dict[str, Player] = {
            BY_ITEM: ByItem(self.world, ALPHA), FOR_ALL: ForAll(self.world, ALPHA)
        }  # fmt: skip
        self._waiting: deque[tuple[float, str, int, int]] = deque()
        self._late: list[tuple[float, str]] = []
        delays = np.random.default_rng([seed, 1]).uniform(0.0, SLOWEST * WINDOW, visitors)
        self._delays: Floats = delays

    def __len__(self) -> int:
        return len(self.world)

    @staticmethod
    def settings() -> dict[str, Any]:
        """Those of the loop."""
        return {"wait": WINDOW, "control": CONTROL}

    def visit(self, loop: Loop, now: float) -> None:
        """The next visitor comes, everybody shows something, and clicks of others arrive."""
        number, world = self.done, self.world
        self.arrive(loop, now)
        ids = world.offers[number][world.offers[number] != NOBODY]
        offered = {NAMES[name]: world.article(name) for name in ids.tolist()}
        event = f"visitor-{number + 1}"
        decided = loop.rank(world.visitor(number), offered, event=event)
        if self._show(LOOP, number, list(offered).index(decided.action)):
            self._late.append((now + self._delays[number], event))
        self._show(FIXED, number, 0)
        for name, player in self._rivals.items():
            chances = player.chances(world.contexts[number], world.items[ids], ids.tolist())
            place = place_drawn(chances, world.draws[number])
            self._show(name, number, place)
            self._waiting.append((now + WINDOW, name, number, place))
        self.done += 1

    def arrive(self, loop: Loop, now: float) -> None:
        """Clicks that have taken long enough reach the loop; rivals learn what is final."""
        for _, event in sorted(each for each in self._late if each[0] <= now):
            loop.reward(event, 1.0)
        self._late = [each for each in self._late if each[0] > now]
        while self._waiting and self._waiting[0][0] <= now:
            _, name, number, place = self._waiting.popleft()
            item = int(self.world.offers[number, place])
            context, clicked = self.world.contexts[number], self.clicks[name][number]
            self._rivals[name].learn(context, self.world.items[item], item, float(clicked))

    def _show(self, player: str, number: int, place: int) -> bool:
        clicked = bool(self.world.luck[number] < self.world.chances[number, place])
        self.clicks[player][number] = clicked
        return clicked

    @property
    def leads(self) -> list[Lead]:
        """The players, the loop first."""
        count, own = self.done, self.clicks[LOOP][: self.done]
        told = []
        for name, clicks in self.clicks.items():
            got = int(clicks[:count].sum())
            share = got / max(count, 1)
            if name == LOOP or count < 2:
                told.append(Lead(name, got, share))
                continue
            apart = own - clicks[:count]
            mean, half = float(apart.mean()), 1.96 * float(apart.std(ddof=1)) / math.sqrt(count)
            told.append(Lead(name, got, share, mean, mean - half, mean + half))
        return told

    @property
    def scene(self) -> str:
        """Where the story is, in a sentence."""
        world, done = self.world, self.done
        if world.arrival is None or done < world.arrival:
            return "Visitors come, and the loop gets to know them."
        if world.turn is None or done < world.turn:
            return f"A new article has arrived: {NAMES[world.newcomers[0]]}."
        if done < len(self):
            return "Visitors like other articles now: everybody has to learn anew."
        return "All visitors have come."

    def summary(self, verdict: Verdict) -> list[str]:
        """How it ended, whatever it says."""
        return [verdict.text, *map(str, self.leads)]

    def numbers(self, began: float) -> dict[str, Any]:
        """Clicks of each player by visitor over time, for the chart: a mean over a twelfth."""
        from hybandit.service.page.charts import filling
        from hybandit.service.page.measure import CLICKS

        bins = np.linspace(0, self.done, 61).astype(int)[1:] if self.done >= 60 else np.array([])
        width = max(self.done // 12, 1)
        columns: dict[str, Floats] = {"x": (began + bins / self.rate) * 1000.0}
        for place, clicks in enumerate(self.clicks.values()):
            sums = np.append(0.0, clicks[: self.done].cumsum())
            firsts = np.maximum(bins - width, 0)
            columns[f"p{place}"] = CLICKS.scale * (
                (sums[bins] - sums[firsts]) / (bins - firsts) if len(bins) else np.array([])
            )
        marks = (self.world.arrival, f"{NAMES[-1]} arrives"), (self.world.turn, "tastes change")
        return filling(
            columns,
            [
                ((began + place / self.rate) * 1000.0, text)
                for place, text in marks
                if place is not None
            ],
        )
