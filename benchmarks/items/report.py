"""What the runs came to, in Markdown."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
from scipy.stats import t as student

OURS = "ItemHybrid"
ABOUT = """# Items with features

Made by `python -m benchmarks.items --runs docs/results/items-runs.jsonl`, which also holds every
run. 10 candidates a round out of 500 items, 10 features of the context and 10 of an item; the
mean is that of what was shown, by the world's own truth. "ItemHybrid ahead by" is paired by seed,
with its 95 % interval (Student's t). VW is Vowpal Wabbit's ADF with all products of context and
item, with and without ids and their products with the context.
"""
NEW = """## New items

The mean of what was shown when it was an item's first 20 plays, of items that were first offered
in the second half. Slots: disjoint arms, one for each place.
"""
NEWS = """## News by replay

One fixed log, 800 matches; only the seed of the policy differs. The context is all 100 numbers at
unit length. An item is an article's own 10 numbers and its id. With an arm for each article there
are weights of its own for every article, on the same contexts: one model for all sees the
articles by numbers that mean something else for each of them.
"""


def written(runs: list[dict[str, Any]]) -> str:
    frame = pd.DataFrame(runs)
    # World by world, ItemHybrid first.
    frame = frame.assign(other=frame.player != OURS).sort_values(
        ["world", "other", "player", "seed"], kind="stable"
    )
    news = frame.world == "news"
    parts = [ABOUT, worlds(frame[~news]), NEW, new_items(frame[~news])]
    if news.any():
        parts += [NEWS, clicks(frame[news])]
    return "\n".join(parts)


def worlds(frame: pd.DataFrame) -> str:
    """The mean reward overall and in the second half, and by how much ItemHybrid is ahead."""
    rows = []
    for (world, player), theirs in frame.groupby(["world", "player"], sort=False):
        ours = frame[(frame.world == world) & (frame.player == OURS)]
        lead = "" if player == OURS else ahead(ours, theirs, "mean")
        rows.append([world, player, f"{theirs['mean'].mean():.4f}", f"{theirs.late.mean():.4f}",
                     lead, len(theirs), f"{theirs.seconds.mean():.1f}"])  # fmt: skip
    heads = ["world", "player", "mean", "second half", "ItemHybrid ahead by", "seeds", "CPU s"]
    return table(heads, rows)


def new_items(frame: pd.DataFrame) -> str:
    if "new" not in frame:
        return ""
    known = frame[frame.new.notna()]
    rows = []
    for (world, player), theirs in known.groupby(["world", "player"], sort=False):
        ours = known[(known.world == world) & (known.player == OURS)]
        lead = "" if player == OURS else ahead(ours, theirs, "new")
        rows.append([world, player, f"{theirs.new.mean():.4f}", lead, len(theirs)])
    return table(["world", "player", "mean", "ItemHybrid ahead by", "seeds"], rows)


def clicks(frame: pd.DataFrame) -> str:
    rows = [
        [player, f"{runs.clicks.mean():.1f}", f"{runs.clicks.min():.0f} to {runs.clicks.max():.0f}",
         len(runs)]
        for player, runs in frame.groupby("player", sort=False)
    ]  # fmt: skip
    return table(["player", "clicks", "least and most", "seeds"], rows)


def ahead(ours: pd.DataFrame, theirs: pd.DataFrame, measure: str) -> str:
    lead = (ours.set_index("seed")[measure] - theirs.set_index("seed")[measure]).dropna()
    if len(lead) < 2:
        return f"{lead.mean():+.4f}, one pair" if len(lead) else ""
    return f"{lead.mean():+.4f} ± {interval(lead):.4f}, {len(lead)} pairs"


def interval(values: Any) -> float:
    """Half the 95 % interval of a mean of two or more."""
    count = len(values)
    return float(student.ppf(0.975, count - 1) * np.std(values, ddof=1) / np.sqrt(count))


def table(heads: list[str], rows: list[list[Any]]) -> str:
    lines = [heads, ["---"] * len(heads), *rows]
    return "\n".join(f"| {' | '.join(map(str, line))} |" for line in lines) + "\n"
