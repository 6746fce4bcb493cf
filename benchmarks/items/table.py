"""What the runs came to, as a table in Markdown."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
from scipy.stats import t as student

OURS = "ItemHybrid"


def interval(values: Any) -> float:
    """Half the 95 % interval of a mean."""
    count = len(values)
    if count < 2:
        return float("nan")
    return float(student.ppf(0.975, count - 1) * np.std(values, ddof=1) / np.sqrt(count))


def printed(runs: list[dict[str, Any]]) -> str:
    """The mean reward overall and in the second half, and by how much ItemHybrid is ahead."""
    frame = pd.DataFrame(runs)
    lines = ["| world | player | mean | second half | ItemHybrid ahead by | seeds | CPU s |",
             "|---|---|---:|---:|---:|---:|---:|"]  # fmt: skip
    for world, part in frame.groupby("world", sort=False):
        ours = part[part.player == OURS].set_index("seed")
        for player, theirs in part.groupby("player", sort=False):
            rows = theirs.set_index("seed")
            ahead = (ours["mean"] - rows["mean"]).dropna()
            lead = "" if player == OURS else f"{ahead.mean():+.4f} ± {interval(ahead):.4f}"
            lines.append(
                f"| {world} | {player} | {rows['mean'].mean():.4f} | {rows['late'].mean():.4f} "
                f"| {lead} | {len(rows)} | {rows.seconds.mean():.1f} |"
            )
    return "\n".join(lines)
