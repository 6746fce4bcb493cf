"""Figures in one house style: legible at half a page, safe for the colour-blind."""

from __future__ import annotations

import io
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import singledispatch
from typing import Any

import matplotlib as mpl
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import FuncFormatter, NullFormatter

from hybandit.experiments.section import Bars, Boxes, Line, Lines, Points

# Okabe and Ito's palette, with grey for its yellow, which is faint on white.
COLOURS = ("#D55E00", "#0072B2", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000", "#8C8C8C")
# The first colours are kept for the policies of these names.
KEPT = ("stacked-hybrid", "lnucb-ta")
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
    # Labels hold people's file names: a dollar sign is a dollar sign.
    "text.parse_math": False,
    "text.usetex": False,
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
        for axes in figure.axes:
            _plain_numbers(axes)
        buffer = io.BytesIO()
        figure.savefig(buffer, format="png", metadata={"Software": None})
    finished.append(Picture(name, caption, buffer.getvalue()))


def style_of(number: int) -> dict[str, Any]:
    """Colour and dash of the n-th line: no two are alike."""
    return {
        "color": COLOURS[number % len(COLOURS)],
        "linestyle": DASHES[number // len(COLOURS) % len(DASHES)],
    }


def styles_of(lines: Sequence[Line]) -> dict[str, dict[str, Any]]:
    """A style for each label; the first line of either of our policies has that one's own."""
    labels = {line.label: line.policy for line in reversed(lines)}
    kept = {policy: label for label, policy in labels.items() if policy in KEPT}
    others = [label for label in dict.fromkeys(line.label for line in lines)
              if kept.get(labels[label]) != label]  # fmt: skip
    own = {label: style_of(KEPT.index(policy)) for policy, label in kept.items()}
    return own | {label: style_of(len(KEPT) + number) for number, label in enumerate(others)}


@singledispatch
def draw(figure: object) -> Picture:
    """The picture of a figure's data; each kind of figure has its function below."""
    raise TypeError(f"no picture is known of {type(figure).__name__}")


@draw.register
def _(data: Lines) -> Picture:
    across = max(1, min(len(data.panels), 2))
    down = max(1, -(-len(data.panels) // across))
    styles = styles_of([line for lines in data.panels.values() for line in lines])
    size = (3.6 * across + 1.6, 2.8 * down + 0.2)
    with drawing(data.name, data.caption, size) as (figure, finished):
        axes = figure.subplots(down, across, squeeze=False).ravel()
        for axis, (title, lines) in zip(axes, data.panels.items(), strict=False):
            for line in lines:
                _draw_line(axis, line, styles[line.label], data)
            if data.level is not None:
                label, height = data.level
                axis.axhline(height, color="black", linestyle=":", label=label)
            if data.logarithmic:
                axis.set(xscale="log", yscale="log")
            elif all(min(line.y, default=0.0) >= 0.0 for line in lines):
                axis.set_ylim(bottom=0.0)
            axis.set(title=title, xlabel=data.x_label, ylabel=data.y_label)
            axis.margins(x=0.05 if data.marked else 0.0)
        for axis in axes[len(data.panels) :]:
            axis.set_visible(False)
        handles = {handle.get_label(): handle for axis in axes for handle in axis.get_lines()}
        figure.legend(handles.values(), handles.keys(), loc="outside right center")
    return finished[0]


def _draw_line(axis: Axes, line: Line, style: dict[str, Any], data: Lines) -> None:
    marks: dict[str, Any] = {"marker": "o", "markersize": 3} if data.marked else {}
    axis.plot(line.x, line.y, label=line.label, **style, **marks)
    if line.sd is not None:
        low, high = ([y + side * sd for y, sd in zip(line.y, line.sd, strict=True)]
                     for side in (-1, 1))  # fmt: skip
        axis.fill_between(line.x, low, high, color=style["color"], alpha=0.15, linewidth=0)


@draw.register
def _(data: Bars) -> Picture:
    across = 3
    down = -(-len(data.panels) // across)
    with drawing(data.name, data.caption, (7.2, 1.9 * down)) as (figure, finished):
        axes = figure.subplots(down, across, sharey=True, squeeze=False).ravel()
        for number, (axis, (title, bars)) in enumerate(
            zip(axes, data.panels.items(), strict=False)
        ):
            axis.bar(
                [label for label, _ in bars],
                [spread.mean for _, spread in bars],
                yerr=[spread.sd for _, spread in bars],
                color=COLOURS[1],
            )
            axis.set_title(title)
            axis.tick_params(axis="x", labelsize=7, rotation=30)
            axis.set_ylim(0, data.y_limit)
            if number % across == 0:
                axis.set_ylabel(data.y_label)
        for axis in axes[len(data.panels) :]:
            axis.set_visible(False)
    return finished[0]


@draw.register
def _(data: Boxes) -> Picture:
    with drawing(data.name, data.caption, (7.2, 3.0)) as (figure, finished):
        axes = figure.subplots(1, len(data.panels), sharey=True, squeeze=False).ravel()
        for axis, (title, values) in zip(axes, data.panels.items(), strict=True):
            boxes = axis.boxplot(
                [each or [0.0] for each in values.values()],
                whis=(0, 100),
                patch_artist=True,
                medianprops={"color": "black"},
            )
            for number, patch in enumerate(boxes["boxes"]):
                patch.set_facecolor(style_of(number)["color"])
            axis.set_xticklabels([label.replace(" ", "\n") for label in values], fontsize=7)
            axis.set(title=title, ylabel=data.y_label)
    return finished[0]


@draw.register
def _(data: Points) -> Picture:
    middle = (len(data.series) - 1) / 2
    with drawing(data.name, data.caption, (5.4, 3.0)) as (figure, finished):
        axis = figure.subplots()
        for number, (label, spreads) in enumerate(data.series.items()):
            found = [(place, each) for place, each in enumerate(spreads) if each is not None]
            axis.errorbar(
                [place + 0.1 * (number - middle) for place, _ in found],
                [each.mean for _, each in found],
                yerr=[each.sd for _, each in found],
                fmt="o",
                markersize=3.5,
                capsize=2,
                label=label,
                color=style_of(number)["color"],
            )
        axis.set_xticks(range(len(data.ticks)), data.ticks)
        axis.set(ylabel=data.y_label, ylim=(0.0, data.y_limit))
        axis.legend(ncols=3)
    return finished[0]


def _plain_numbers(axes: Axes) -> None:
    """Numbers on a logarithmic axis as people write them, for formulas are not read here."""
    for axis in (axes.xaxis, axes.yaxis):
        if axis.get_scale() == "log":
            axis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:,g}"))
            axis.set_minor_formatter(NullFormatter())
