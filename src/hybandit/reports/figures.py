"""Figures in one house style: legible at half a page, safe for the colour-blind."""

from __future__ import annotations

import io
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import matplotlib as mpl
import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from hybandit.experiments import Run

# Okabe and Ito's palette, with grey for its yellow, which is faint on white.
COLOURS = ("#D55E00", "#0072B2", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000", "#8C8C8C")
# The first colours are kept for these, under the names they go by.
KEPT = (
    ("stacked-hybrid", "StackedHybrid", "StackedHybrid, default (0.3)"),
    ("lnucb-ta", "LNUCB-TA", "LNUCB-TA, 1"),
)
DASHES = ("-", "--", "-.", ":")
STYLE: dict[str, Any] = {
    "font.size": 9,
    "axes.titlesize": 10,
    "axes.labelsize": 9,
    "legend.fontsize": 8,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.grid": True,
    "axes.axisbelow": True,
    "grid.alpha": 0.25,
    "grid.linewidth": 0.6,
    "lines.linewidth": 1.6,
    "legend.frameon": False,
    "figure.dpi": 100,
    "savefig.dpi": 200,
}


@dataclass(frozen=True)
class Picture:
    """A finished figure, as PNG."""

    name: str
    caption: str
    png: bytes


@contextmanager
def drawing(
    name: str, caption: str, size: tuple[float, float]
) -> Iterator[tuple[Figure, list[Picture]]]:
    """A figure in house style; the list holds its picture afterwards."""
    finished: list[Picture] = []
    with mpl.rc_context(STYLE):  # type: ignore[arg-type]
        figure = Figure(figsize=size, layout="constrained")
        yield figure, finished
        buffer = io.BytesIO()
        figure.savefig(buffer, format="png", metadata={"Software": None})
    finished.append(Picture(name, caption, buffer.getvalue()))


def style_of(number: int) -> dict[str, Any]:
    """Colour and dash of the n-th line: no two are alike."""
    return {
        "color": COLOURS[number % len(COLOURS)],
        "linestyle": DASHES[number // len(COLOURS) % len(DASHES)],
    }


def styles_of(labels: Sequence[str]) -> dict[str, dict[str, Any]]:
    """A style for each line; our two policies have the same in every figure."""
    known = [style_of(number) for number in range(len(KEPT), len(KEPT) + len(labels))]
    styles = {}
    for label in labels:
        kept = [number for number, names in enumerate(KEPT) if label in names]
        styles[label] = style_of(kept[0]) if kept else known.pop(0)
    return styles


def curves(
    name: str,
    caption: str,
    groups: Mapping[str, Mapping[str, Sequence[Run]]],
    *,
    measure: str,
    x_label: str = "round",
    y_label: str | None = None,
) -> Picture:
    """One panel for each group; in it a line for each row, with a band of one sd over seeds.

    `measure` is ``regrets`` or ``rewards`` (cumulative), or ``mean rewards``.
    """
    across = min(len(groups), 2)
    down = -(-len(groups) // across)
    styles = styles_of(list(dict.fromkeys(row for group in groups.values() for row in group)))
    with drawing(name, caption, (3.6 * across + 1.6, 2.8 * down + 0.2)) as (figure, finished):
        axes = figure.subplots(down, across, squeeze=False).ravel()
        for axis, (title, rows) in zip(axes, groups.items(), strict=False):
            for row, runs in rows.items():
                _line(axis, runs, measure, row, styles[row])
            axis.set_title(title)
            axis.set_xlabel(x_label)
            axis.set_ylabel(y_label or f"cumulative {measure.removesuffix('s')}")
            axis.margins(x=0.0)
            axis.set_ylim(bottom=0.0)
        for axis in axes[len(groups) :]:
            axis.set_visible(False)
        handles = {h.get_label(): h for axis in axes for h in axis.get_lines()}
        figure.legend(handles.values(), handles.keys(), loc="outside right center")
    return finished[0]


def _line(axis: Axes, runs: Sequence[Run], measure: str, label: str, style: dict[str, Any]) -> None:
    # Runs of different lengths are compared over the rounds that all of them played.
    at = np.array(min(runs, key=lambda run: run.rounds).at)
    values = np.array([np.interp(at, run.at, _values(run, measure)) for run in runs])
    middle = values.mean(axis=0)
    axis.plot(at, middle, label=label, **style)
    if len(runs) > 1:
        sd = values.std(axis=0, ddof=1)
        axis.fill_between(
            at, middle - sd, middle + sd, color=style["color"], alpha=0.15, linewidth=0
        )


def _values(run: Run, measure: str) -> Any:
    if measure == "mean rewards":
        return np.array(run.rewards) / np.array(run.at)
    return np.array(run.regrets if measure == "regrets" else run.rewards)
