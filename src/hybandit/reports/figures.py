"""Figures in one house style: legible at half a page, safe for the colour-blind, dark and light."""

from __future__ import annotations

import io
import textwrap
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial, singledispatch
from typing import Any

import matplotlib as mpl
import numpy as np
from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.ticker import FuncFormatter, NullFormatter
from PIL import Image

from hybandit.reports.line_ends import label_ends, spans_decades
from hybandit.reports.section import Bars, Boxes, Line, Lines, Points

# Okabe and Ito's palette, with grey for its yellow, which is faint on white.
COLOURS = ("#D55E00", "#0072B2", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000", "#8C8C8C")
# The first colours are kept for the policies of these names.
KEPT = ("stacked-hybrid", "lnucb-ta")
DASHES = ("-", "--", "-.", ":")
# Inches, of 100 pixels, that a column of text, a whole page and a phone are wide.
COLUMN, PAGE, PHONE = 8.3, 12.1, 3.6
# Letters of a title above a third of the page.
WIDEST = 28


@dataclass(frozen=True)
class Theme:
    """The colours of a page."""

    paper: str
    ink: str

    def colour(self, number: int) -> str:
        """The n-th of the palette; black is the ink."""
        colour = COLOURS[number % len(COLOURS)]
        return self.ink if colour == "#000000" else colour

    @property
    def settings(self) -> dict[str, Any]:
        names = ("text.color", "axes.labelcolor", "axes.edgecolor", "xtick.color", "ytick.color")
        return {
            **dict.fromkeys(names, self.ink),
            "figure.facecolor": self.paper,
            "axes.facecolor": self.paper,
        }


LIGHT, DARK = Theme("#ffffff", "#000000"), Theme("#16181c", "#e6e6e6")
# Pixels of a file for each of the page, to either side.
SHARPNESS = 2
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
    "figure.dpi": 100 * SHARPNESS,
    "figure.constrained_layout.h_pad": 0.08,
    # Labels may hold file names: a dollar sign must not start a formula.
    "text.parse_math": False,
    "text.usetex": False,
}


@dataclass(frozen=True)
class Picture:
    """A finished figure, as PNG for light pages and for dark ones."""

    name: str
    caption: str
    png: bytes
    dark: bytes
    # The same for phones, if the figure has a narrow form.
    narrow: tuple[bytes, bytes] | None = None

    @property
    def width(self) -> int:
        """On a page, in its pixels: those of the file are finer, for sharp screens."""
        # A PNG file tells its width in these bytes.
        return int.from_bytes(self.png[16:20], "big") // SHARPNESS


def draw(data: Bars | Boxes | Lines | Points) -> Picture:
    """The picture of a figure's data; each kind of figure has its function below."""
    light, dark = (png_of(partial(drawn, data, theme), theme) for theme in (LIGHT, DARK))
    if not isinstance(data, Lines):
        return Picture(data.name, data.caption, light, dark)
    one, other = (
        png_of(partial(_lines, data, theme, narrow=True), theme) for theme in (LIGHT, DARK)
    )
    return Picture(data.name, data.caption, light, dark, (one, other))


def png_of(make: Callable[[], Figure], theme: Theme = LIGHT) -> bytes:
    """What `make` draws, in house style."""
    with mpl.rc_context(STYLE | theme.settings):  # type: ignore[arg-type]
        figure = make()
        for axes in figure.axes:
            _plain_numbers(axes)
        canvas = FigureCanvasAgg(figure)
        canvas.draw()  # type: ignore[no-untyped-call]
    pixels = np.asarray(canvas.buffer_rgba())  # type: ignore[no-untyped-call]
    return _in_few_colours(Image.fromarray(pixels))


def shown(data: Lines) -> Axes:
    """Draw lines for a notebook, or a program of one's own; pyplot keeps the figure."""
    from matplotlib import pyplot

    # The first figure may start a notebook's backend, whose settings must outlast the style.
    figure = pyplot.figure(figsize=_size(data), dpi=100)
    with mpl.rc_context(STYLE):  # type: ignore[arg-type]
        figure.set_layout_engine("constrained")
        _fill(figure, data, LIGHT, across=1)
    for axes in figure.axes:
        _plain_numbers(axes)
    return figure.axes[0]


def _in_few_colours(picture: Image.Image) -> bytes:
    """A PNG file with a palette: a third of the bytes, and the eye sees no difference."""
    buffer = io.BytesIO()
    reduced = picture.convert("RGB").quantize(256, dither=Image.Dither.NONE)
    reduced.save(buffer, format="png")
    return buffer.getvalue()


def style_of(number: int, theme: Theme = LIGHT) -> dict[str, Any]:
    """Colour and dash of the n-th line: no two are alike."""
    return {
        "color": theme.colour(number),
        "linestyle": DASHES[number // len(COLOURS) % len(DASHES)],
    }


def styles_of(lines: Sequence[Line], theme: Theme = LIGHT) -> dict[str, dict[str, Any]]:
    """A style for each label; the first line of either of our policies has that one's own."""
    labels = {line.label: line.policy for line in reversed(lines)}
    kept = {policy: label for label, policy in labels.items() if policy in KEPT}
    others = [label for label in dict.fromkeys(line.label for line in lines)
              if kept.get(labels[label]) != label]  # fmt: skip
    own = {label: style_of(KEPT.index(policy), theme) for policy, label in kept.items()}
    return own | {label: style_of(len(KEPT) + number, theme) for number, label in enumerate(others)}


@singledispatch
def drawn(data: object, theme: Theme) -> Figure:
    """A figure in house style, not yet a picture."""
    raise TypeError(f"no picture is known of {type(data).__name__}")


@drawn.register
def _(data: Lines, theme: Theme) -> Figure:
    return _lines(data, theme)


def _lines(data: Lines, theme: Theme, *, narrow: bool = False) -> Figure:
    """With a panel below the other where it is narrow."""
    across = 1 if narrow else max(1, min(len(data.panels), 2))
    figure = Figure(figsize=_size(data, across, narrow), layout="constrained")
    _fill(figure, data, theme, across)
    return figure


def _size(data: Lines, across: int = 1, narrow: bool = False) -> tuple[float, float]:
    """In inches: one panel is as wide as a column of text, two as a page."""
    down = max(1, -(-len(data.panels) // across))
    if narrow:
        return PHONE, 2.8 * down
    return (COLUMN, 3.9 * down) if across == 1 else (PAGE, 3.6 * down)


def _fill(figure: Figure, data: Lines, theme: Theme, across: int) -> None:
    down = max(1, -(-len(data.panels) // across))
    every = [line for lines in data.panels.values() for line in lines]
    styles = styles_of(every, theme)
    # One scale for all panels, so that they can be compared.
    tall = any(spans_decades(lines) for lines in data.panels.values())
    axes = figure.subplots(down, across, squeeze=False).ravel()
    for axis, (title, lines) in zip(axes, data.panels.items(), strict=False):
        for line in lines:
            _draw_line(axis, line, styles[line.label], data)
        if data.level is not None:
            axis.axhline(data.level[1], color=theme.ink, linestyle=":")
        _scale(axis, lines, data, tall)
        y_label = f"{data.y_label}, log scale" if axis.get_yscale() == "log" else data.y_label
        axis.set(title=title, xlabel=data.x_label, ylabel=y_label)
        label_ends(axis, lines, styles, data.level)
    for axis in axes[len(data.panels) :]:
        axis.set_visible(False)


def _scale(axis: Axes, lines: Sequence[Line], data: Lines, tall: bool) -> None:
    """Logarithmic where it is asked for, or where the lines end decades apart."""
    if data.logarithmic:
        axis.set(xscale="log", yscale="log")
    elif tall:
        ends = [line.y[-1] for line in lines if line.y and line.y[-1] > 0.0]
        axis.set_yscale("log")
        if ends:
            # Values far below the end of the lowest line are of no interest.
            axis.set_ylim(bottom=min(ends) / 10.0)
    elif all(min(line.y, default=0.0) >= 0.0 for line in lines):
        axis.set_ylim(bottom=0.0)


def _draw_line(axis: Axes, line: Line, style: dict[str, Any], data: Lines) -> None:
    marks: dict[str, Any] = {"marker": "o", "markersize": 3} if data.marked else {}
    axis.plot(line.x, line.y, **style, **marks)
    # On two logarithmic scales a band would mostly fall out of the picture, towards zero.
    if line.sd is not None and not data.logarithmic:
        low, high = ([y + side * sd for y, sd in zip(line.y, line.sd, strict=True)]
                     for side in (-1, 1))  # fmt: skip
        axis.fill_between(line.x, low, high, color=style["color"], alpha=0.15, linewidth=0)


@drawn.register
def _(data: Bars, theme: Theme) -> Figure:
    across = 3
    down = max(1, -(-len(data.panels) // across))
    figure = Figure(figsize=(COLUMN, 2.1 * down), layout="constrained")
    axes = figure.subplots(down, across, sharey=True, squeeze=False).ravel()
    for number, (axis, (title, bars)) in enumerate(zip(axes, data.panels.items(), strict=False)):
        axis.bar(
            [label for label, _ in bars],
            [spread.mean for _, spread in bars],
            yerr=[spread.sd for _, spread in bars],
            color=COLOURS[1],
            ecolor=theme.ink,
        )
        axis.set_title(textwrap.fill(title, WIDEST))
        axis.set_xlabel(data.x_label, fontsize=7)
        axis.tick_params(axis="x", labelsize=7, rotation=30)
        axis.set_ylim(0, data.y_limit)
        if number % across == 0:
            axis.set_ylabel(data.y_label)
    for axis in axes[len(data.panels) :]:
        axis.set_visible(False)
    return figure


@drawn.register
def _(data: Boxes, theme: Theme) -> Figure:
    figure = Figure(figsize=(COLUMN, 3.4), layout="constrained")
    axes = figure.subplots(1, len(data.panels), sharey=True, squeeze=False).ravel()
    ink = {"color": theme.ink}
    for axis, (title, values) in zip(axes, data.panels.items(), strict=True):
        boxes = axis.boxplot(
            [each or [0.0] for each in values.values()],
            whis=(0, 100),
            patch_artist=True,
            medianprops=ink,
            whiskerprops=ink,
            capprops=ink,
        )
        for number, patch in enumerate(boxes["boxes"]):
            patch.set_facecolor(style_of(number, theme)["color"])
        axis.set_xticklabels([label.replace(" ", "\n") for label in values], fontsize=7)
        axis.set(title=title, xlabel=data.x_label, ylabel=data.y_label)
    return figure


@drawn.register
def _(data: Points, theme: Theme) -> Figure:
    middle = (len(data.series) - 1) / 2
    figure = Figure(figsize=(COLUMN, 3.9), layout="constrained")
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
            color=style_of(number, theme)["color"],
        )
    axis.set_xticks(range(len(data.ticks)), data.ticks)
    axis.set(xlabel=data.x_label, ylabel=data.y_label, ylim=(0.0, data.y_limit))
    # Above the panel, where it hides no point.
    axis.legend(ncols=3, loc="lower center", bbox_to_anchor=(0.5, 1.0))
    return figure


def _plain_numbers(axes: Axes) -> None:
    """Numbers as people write them: without powers of ten, and with commas from 1,000 on."""
    for axis in (axes.xaxis, axes.yaxis):
        if axis.get_scale() == "log":
            axis.set_minor_formatter(NullFormatter())
        elif max(map(abs, axis.get_view_interval())) < 1000.0:
            continue
        axis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:,.10g}"))
