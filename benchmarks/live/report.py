"""What the runs came to, in Markdown."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product
from typing import Any

import numpy as np
import pandas as pd
from scipy.stats import t as student

from benchmarks.live import players, worlds
from hybandit.state import Floats

ABOUT = """# A loop, as it is used

Made by `python -m benchmarks.live --first-seed 100 --against ../before --runs
docs/results/live-runs.jsonl`, which also holds every run. Twelve thousand visitors a run; a reward,
or its absence, is learned so many visitors later as the delay says. Everybody meets the same
visitors, offers and luck, and is judged by the mean probability of a reward of what was shown.
"loop" is the policy of a loop with its exploration, without a `control`; "before" the same of
commit 103e710. "Ahead" is by how much the loop's mean exceeds the player's, paired by seed, with
its 95 % interval (Student's t); over several worlds it is the mean of theirs.
"""
NEW = "The share of each newcomer of its first 300 visitors, mean of the seeds.\n"
BACK = "Visitors until 95 % of the level before the change is back: the median of the seeds.\n"
TURNING = (*worlds.SHOPS, "plainturn")
GROUPS = {"items": worlds.WITH_FEATURES, "plain names": tuple(worlds.NAMES)}


def written(runs: list[dict[str, Any]]) -> str:
    frame = pd.DataFrame(runs)
    parts = [ABOUT, "## All worlds\n", pooled(frame), "## World by world\n", each(frame),
             "## Newcomers\n", NEW, newcomers(frame), "## Changes of taste\n", BACK,
             changes(frame)]  # fmt: skip
    return "\n".join(part for part in parts if part)


def pooled(frame: pd.DataFrame) -> str:
    """By how much the loop is ahead of each player, over the worlds of a kind."""
    rows = []
    delays = sorted(frame.delay.unique())
    for player in _others(frame):
        found = [
            [leads(frame, world, delay, player) for world in names]
            for names in GROUPS.values()
            for delay in delays
        ]
        counts = sorted(len(seeds) for group in found for seeds in group)
        told = f"{counts[0]} to {counts[-1]}" if counts[0] < counts[-1] else f"{counts[0]}"
        rows.append([player, *map(spread, found), told])
    heads = [f"{kind}, delay {delay}" for kind in GROUPS for delay in delays]
    return table(["the loop is ahead of", *heads, "seeds of a world"], rows)


def each(frame: pd.DataFrame) -> str:
    """The loop's mean in every world, and by how much it is ahead of each player."""
    others, rows = _others(frame), []
    for delay, world in product(sorted(frame.delay.unique()), worlds.WORLDS):
        cell = frame[(frame.world == world) & (frame.delay == delay)]
        ours = cell[cell.player == players.LOOP]
        if len(ours):
            ahead = [spread([leads(frame, world, delay, player)]) for player in others]
            rows.append([world, delay, len(ours), f"{ours['mean'].mean():.4f}", *ahead])
    return table(["world", "delay", "seeds", "the loop's mean", *others], rows)


def newcomers(frame: pd.DataFrame) -> str:
    """What newcomers got of their first 300 visitors."""
    known = frame[frame.newcomers.notna()] if "newcomers" in frame else frame[:0]

    def told(runs: pd.DataFrame) -> str:
        return ", ".join(f"{share:.2f}" for share in np.mean(runs.newcomers.tolist(), axis=0))

    return _by_player(known, told)


def changes(frame: pd.DataFrame) -> str:
    """How soon a change was learned."""
    known = frame[frame.world.isin(TURNING) & (frame.player != players.FIXED)]
    return _by_player(known, recovered)


def _by_player(frame: pd.DataFrame, told: Callable[[pd.DataFrame], str]) -> str:
    """A line for each world and delay, and a column for each player."""
    names, rows = list(dict.fromkeys(frame.player)), []
    for (delay, world), cell in frame.groupby(["delay", "world"], sort=False):
        runs = dict(list(cell.groupby("player")))
        rows.append([world, delay, *[told(runs[name]) if name in runs else "" for name in names]])
    return table(["world", "delay", *names], rows) if rows else ""


def recovered(runs: pd.DataFrame) -> str:
    """The median, where a run that never came back counts as the longest."""
    found = runs.recovery.fillna(np.inf).median()
    return f"{found:,.0f}" if np.isfinite(found) else "never"


def leads(frame: pd.DataFrame, world: str, delay: int, player: str) -> Floats:
    """The loop's mean by the player's, less one, for every seed that both have played."""
    cell = frame[(frame.world == world) & (frame.delay == delay)]
    means = cell.pivot_table(index="seed", columns="player", values="mean")
    if player not in means or players.LOOP not in means:
        return np.empty(0)
    found: Floats = (means[players.LOOP] / means[player] - 1.0).dropna().to_numpy()
    return found


def spread(groups: list[Floats]) -> str:
    """The mean of the groups' means in per cent, and how far off it may be."""
    known = [group for group in groups if len(group)]
    if not known:
        return ""
    mean = 100.0 * float(np.mean([group.mean() for group in known]))
    freedom = sum(len(group) - 1 for group in known)
    if any(len(group) < 2 for group in known):
        return f"{mean:+.1f} %"
    error = np.sqrt(sum(group.var(ddof=1) / len(group) for group in known)) / len(known)
    return f"{mean:+.1f} ± {100.0 * student.ppf(0.975, freedom) * error:.1f} %"


def table(heads: list[str], rows: list[list[Any]]) -> str:
    lines = [heads, ["---"] * len(heads), *rows]
    return "\n".join("| " + " | ".join(map(str, line)) + " |" for line in lines) + "\n"


def _others(frame: pd.DataFrame) -> list[str]:
    return [name for name in dict.fromkeys(frame.player) if name != players.LOOP]
