"""What the runs came to, in Markdown."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
from scipy.stats import t as student

from benchmarks.live import players, worlds
from hybandit.state import Floats

ABOUT = """# A loop, as it is used

Made by `python -m benchmarks.live --first-seed 100 --runs docs/results/live-runs.jsonl`, which also
holds every run; the last column says of how many seeds, and what was not played is not there. A
reward, or its absence, is learned so many visitors later as the delay says. The mean is that of the
probability of a reward of what was shown. "Ahead" is by how much the loop's mean exceeds the
player's, paired by seed, with its 95 % interval (Student's t); over several worlds it is the mean
of theirs. "before" is the loop's policy before it explored and forgot so.
"""
GROUPS = {"items": worlds.WITH_FEATURES, "plain names": tuple(worlds.NAMES)}


def written(runs: list[dict[str, Any]]) -> str:
    frame = pd.DataFrame(runs)
    parts = [ABOUT, "## All worlds\n", pooled(frame), "## World by world\n", each(frame),
             "## Newcomers and changes\n", events(frame)]  # fmt: skip
    return "\n".join(parts)


def pooled(frame: pd.DataFrame) -> str:
    """By how much the loop is ahead of each player, over the worlds of a kind."""
    rows = []
    for player in _others(frame):
        row = [player]
        for names in GROUPS.values():
            for delay in sorted(frame.delay.unique()):
                row.append(spread([leads(frame, world, delay, player) for world in names]))
        rows.append(row)
    heads = [f"{kind}, delay {delay}" for kind in GROUPS for delay in sorted(frame.delay.unique())]
    return table(["the loop is ahead of", *heads], rows)


def each(frame: pd.DataFrame) -> str:
    """The mean of every player in every world, and by how much the loop is ahead."""
    rows = []
    for delay in sorted(frame.delay.unique()):
        for world in worlds.WORLDS:
            cell = frame[(frame.world == world) & (frame.delay == delay)]
            for player in [players.LOOP, *_others(cell)] if len(cell) else ():
                theirs = cell[cell.player == player]
                lead = spread([leads(frame, world, delay, player)])
                rows.append([world, delay, player, f"{theirs['mean'].mean():.4f}",
                             "" if player == players.LOOP else lead, len(theirs)])  # fmt: skip
    return table(["world", "delay", "player", "mean", "the loop is ahead by", "seeds"], rows)


def events(frame: pd.DataFrame) -> str:
    """What newcomers got of their first 300 visitors, and how soon a change was learned."""
    rows = []
    for (world, delay, player), runs in frame.groupby(["world", "delay", "player"], sort=False):
        shares = runs.newcomers.dropna().tolist() if "newcomers" in runs else []
        if not shares:
            continue
        told = ", ".join(f"{share:.2f}" for share in np.mean(shares, axis=0))
        rows.append([world, delay, player, told, recovered(runs), len(runs)])
    heads = ["world", "delay", "player", "newcomers' share", "visitors until 95 %", "seeds"]
    return table(heads, rows)


def recovered(runs: pd.DataFrame) -> str:
    """The median, where a run that never came back counts as the longest."""
    if runs.world.iloc[0] == "plain":
        return ""
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
