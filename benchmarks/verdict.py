"""How often the verdict of a loop is wrong, and how soon a gain is found.

    python -m benchmarks.verdict                             # some minutes
    python -m benchmarks.verdict --loops 100 --events 2000   # a first look

Many loops at once, each of which learns which action pays and explores a little, looked at after
every event. The bets are those of `hybandit.evaluation.betting`, on the values themselves; the
loop keeps them at edges, which can only lower what is won.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from hybandit.evaluation.betting import SHARES, bets
from hybandit.state import Floats, Integers

EXPLORE = 0.05
SURE = 40.0
# Beyond these it makes no difference, and far from here numbers end.
LEAST, MOST = 1e-250, 1e250
TINY = 1e-9

# The chance of a reward of every action at a time, 0 to 1 from first event to last.
Rates = Callable[[float], Floats]


@dataclass(frozen=True)
class World:
    """Actions with rates; `real`: rewards are not 0 or 1; `moving`: any may be the baseline."""

    name: str
    rates: Rates
    real: bool = False
    moving: bool = False
    learns: bool = True


@dataclass
class Played:
    """Of every loop: when it first said better or worse, whether ever wrongly, what it earned."""

    better: Integers
    worse: Integers
    wrong: np.ndarray
    reward: float
    fixed: int | None


def steady(*rates: float) -> Rates:
    return lambda time: np.array(rates)


def level(rate: float, actions: int) -> Rates:
    return steady(*[rate] * actions)


def swinging(actions: int) -> Rates:
    return lambda time: np.full(actions, 0.15 + 0.13 * np.sin(20.0 * time))


def worse_then_better(time: float) -> Floats:
    return np.array([0.2, 0.1]) if time < 0.5 else np.array([0.1, 0.2])


def better_then_worse(time: float) -> Floats:
    return np.array([0.1, 0.2]) if time < 0.5 else np.array([0.2, 0.1])


LEVEL = [
    *[
        World(f"rate {rate}, {k} actions", level(rate, k))
        for rate in (0.02, 0.1, 0.5)
        for k in (2, 10, 50)
    ],
    *[World(f"real rewards, {k} actions", level(0.1, k), real=True) for k in (2, 10)],
    World("a baseline that changes, 10 actions", level(0.1, 10), moving=True),
    World("all rates swing, 10 actions", swinging(10)),
    World("worse, then as much better", worse_then_better, learns=False),
    World("better, then as much worse", better_then_worse, learns=False),
]  # fmt: skip
GAINS = [
    World("0.10 -> 0.20", steady(0.10, 0.20)),
    World("0.10 -> 0.13", steady(0.10, 0.13)),
    World("0.02 -> 0.04", steady(0.02, 0.04)),
]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--loops", type=int, default=1000)
    parser.add_argument("--events", type=int, default=20_000)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    size = options.loops, options.events, options.seed
    print(f"{size[0]:,} loops of {size[1]:,} events, looked at after every one, seed {size[2]}\n")
    line("without a difference, control 0.05", "ever wrong", "wrongly better", "wrongly worse")
    line(*["---"] * 4)
    for world in LEVEL:
        found = play(world, 0.05, *size)
        shares = found.wrong.any(axis=1).mean(), *found.wrong.mean(axis=0)
        line(world.name, *[f"{share:.1%}" for share in shares])
    once = "events until a test that looks once finds it in half"
    print()
    line("a gain", "control", "found", "events, median", once, "reward", "reward without control")
    line(*["---"] * 7)
    for world in GAINS:
        free = play(world, 0.0, *size).reward
        for control in (0.05, 0.1):
            found = play(world, control, *size)
            line(world.name, control, *told(found, size[1]), f"{found.reward:.4f}", f"{free:.4f}")


def line(*cells: object) -> None:
    print("|", " | ".join(map(str, cells)), "|", flush=True)


def told(found: Played, events: int) -> tuple[str, str, str]:
    """Share of the loops that found it, the median time, and that of a test for one look."""
    share = (found.better < events).mean()
    middle = int(np.median(found.better))
    after = f"{middle:,}" if middle < events else f"over {events:,}"
    once = f"{found.fixed:,}" if found.fixed is not None else f"over {events:,}"
    return f"{share:.0%}", after, once


def play(world: World, control: float, loops: int, events: int, seed: int) -> Played:
    """All loops side by side."""
    draw = np.random.default_rng(seed)
    count, rows = len(world.rates(0.0)), np.arange(loops)
    shown, earned = np.zeros((2, loops, count))
    sizes = bets(1.0 / control) if control else np.zeros(len(SHARES))
    above, below = np.ones((2, loops, len(sizes)))
    truth, total, sums = np.zeros(loops), np.zeros(loops), np.zeros((2, loops))
    better, worse = np.full((2, loops), events)
    wrong = np.zeros((loops, 2), bool)
    fixed = None
    for turn in range(events):
        rates = world.rates(turn / events)
        baseline = draw.integers(count, size=loops) if world.moving else np.zeros(loops, np.int64)
        chances = policy(shown, earned, learns=world.learns)
        controlled(chances, rows, baseline, control)
        action = (chances.cumsum(axis=1) < draw.random(loops)[:, None]).sum(axis=1)
        action = np.minimum(action, count - 1)
        reward = (draw.random(loops) < rates[action]).astype(float)
        if world.real:
            reward *= draw.beta(0.5, 1.0, loops)
        chance = chances[rows, baseline]
        weight = (action == baseline) / np.maximum(chance, TINY)
        gain = (1.0 - weight) * (reward - total / max(1, turn)) if turn else np.zeros(loops)
        truth += chances @ rates - rates[baseline]
        shown[rows, action] += 1.0
        earned[rows, action] += reward
        total += reward
        sums += gain, gain**2
        stakes = np.multiply.outer(gain, sizes)
        above = np.clip(above * (1.0 + stakes), LEAST, MOST)
        below = np.clip(below * (1.0 - stakes), LEAST, MOST)
        for place, (held, first, sign) in enumerate(((above, better, 1.0), (below, worse, -1.0))):
            sure = held @ SHARES >= SURE
            first[sure & (first == events)] = turn + 1
            wrong[:, place] |= sure & (sign * truth <= TINY)
        if (
            fixed is None
            and turn % 50 == 49
            and (scores(sums[0], sums[1], turn + 1) > 1.96).mean() >= 0.5
        ):
            fixed = turn + 1
    return Played(better, worse, wrong, float(total.mean() / events), fixed)


def policy(shown: Floats, earned: Floats, *, learns: bool) -> Floats:
    """The best so far, untried ones first, and a little of all; or always the last."""
    loops, count = shown.shape
    chances = np.full(shown.shape, EXPLORE / count)
    values = (earned + 1.0) / (shown + 1.0) if learns else np.arange(count) + 0.0 * shown
    chances[np.arange(loops), values.argmax(axis=1)] += 1.0 - EXPLORE
    return chances


def controlled(chances: Floats, rows: Integers, baseline: Integers, control: float) -> None:
    """At least `control` for the baseline, as the loop does it."""
    own = chances[rows, baseline]
    scale = np.where(own < control, (1.0 - control) / (1.0 - own), 1.0)
    chances *= scale[:, None]
    chances[rows, baseline] = np.maximum(own, control)


def scores(total: Floats, squares: Floats, count: int) -> Floats:
    """How many standard errors the mean is from 0."""
    mean = total / count
    found: Floats = mean / np.sqrt(np.maximum(squares / count - mean**2, TINY) / count)
    return found


if __name__ == "__main__":
    main()
