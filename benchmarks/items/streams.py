"""The rounds of a world as arrays, for who plays them in another process."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from hybandit.environments import ItemWorld


def save(world: ItemWorld, path: Path) -> None:
    """Every round: its context, its candidates with their rewards and means, and its delay."""
    turns = list(world)
    np.savez(
        path,
        contexts=[turn.context for turn in turns],
        items=[turn.items for turn in turns],
        ids=[turn.ids for turn in turns],
        rewards=[turn.rewards for turn in turns],
        means=[turn.means for turn in turns],
        delays=[turn.delay for turn in turns],
    )
