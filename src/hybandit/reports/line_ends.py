"""Labels at the ends of lines, instead of a legend."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from matplotlib.axes import Axes

from hybandit.reports.section import Line

# The height of a name, of the panel.
GAP = 0.065
SIZE = 7.5
DECADE = 10.0
# From the end of a line to the middle of its name's left edge.
JOINT: dict[str, Any] = {
    "arrowstyle": "-",
    "relpos": (0.0, 0.5),
    "shrinkA": 1,
    "shrinkB": 1,
    "linewidth": 0.6,
}


def spans_decades(lines: Sequence[Line]) -> bool:
    """Whether lines end so far apart that a plain axis would flatten some of them."""
    ends = [line.y[-1] for line in lines if line.y]
    return bool(ends) and min(ends) > 0.0 and max(ends) >= DECADE * min(ends)


def spread_out(heights: Sequence[float], gap: float = GAP) -> list[float]:
    """Heights moved apart as little as necessary, and not above the panel."""
    order = np.argsort(heights, kind="stable")
    placed = [float(heights[number]) for number in order]
    for number in range(1, len(placed)):
        placed[number] = max(placed[number], placed[number - 1] + gap)
    for number in reversed(range(len(placed))):
        limit = 1.0 if number == len(placed) - 1 else placed[number + 1] - gap
        placed[number] = min(placed[number], limit)
    found = [0.0] * len(placed)
    for number, place in zip(order, placed, strict=True):
        found[number] = round(place, 10)
    return found


def label_ends(
    axis: Axes,
    lines: Sequence[Line],
    styles: Mapping[str, Mapping[str, Any]],
    level: tuple[str, float] | None = None,
) -> None:
    """A name beside the end of each line, joined to it in its colour; once for lines of a name."""
    ends: dict[str, tuple[float, float]] = {}
    for line in lines:
        if line.x and line.y:
            ends.setdefault(line.label, (line.x[-1], line.y[-1]))
    if level is not None and ends:
        ends[level[0]] = (max(x for x, _ in ends.values()), level[1])
    spots = [_within(axis, *end) for end in ends.values()]
    heights = spread_out([y for _, y in spots])
    for label, spot, height in zip(ends, spots, heights, strict=True):
        style = styles.get(label, {"linestyle": ":"})
        axis.annotate(
            label,
            xy=spot,
            xytext=(1.06, height),
            xycoords="axes fraction",
            textcoords="axes fraction",
            va="center",
            fontsize=SIZE,
            annotation_clip=False,
            arrowprops={**JOINT, **style},
        )


def _within(axis: Axes, x: float, y: float) -> tuple[float, float]:
    """A point in shares of the panel, at its edge if it lies outside."""
    spot = axis.transAxes.inverted().transform(axis.transData.transform((x, y)))
    return float(np.clip(spot[0], 0.0, 1.0)), float(np.clip(np.nan_to_num(spot[1]), 0.0, 1.0))
