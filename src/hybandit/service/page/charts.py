"""The charts of the page: empty figures by Bokeh, and the numbers that fill them."""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import cache
from typing import TYPE_CHECKING, Any

import numpy as np

from hybandit.state import Floats

if TYPE_CHECKING:
    import pandas as pd

# Ground, text, faint text and lines, the loop, the control group; then the actions, in order.
SCHEMES: dict[str, dict[str, Any]] = {
    "light": {
        "ink": "#1b1f24", "faint": "#57606a", "line": "#d8dee4", "loop": "#0b5cad",
        "control": "#b35900",
        "actions": ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#7a5195"],
        "others": "#b8bec5",
    },
    "dark": {
        "ink": "#e6e9ed", "faint": "#a4adb8", "line": "#343b44", "loop": "#6cb6ff",
        "control": "#f0a35e",
        "actions": ["#4ea1e0", "#f08a4b", "#2fc79a", "#e39ac4", "#f2c14e", "#8fd3ff", "#b79be0"],
        "others": "#59626d",
    },
}  # fmt: skip
SHOWN = len(SCHEMES["light"]["actions"])
# A line is the mean over this share of all stretches.
SMOOTHING = 1 / 12
HEIGHT, TALLER = 230, 290
# The space above the lines of a figure with marks, in parts of the rest; pixels of a line of text.
MARKED, LINE = 0.15, 16


@cache
def figures(scheme: str) -> bytes:
    """All figures as JSON for `Bokeh.embed.embed_item`, by name."""
    from bokeh.embed import json_item

    colours = SCHEMES[scheme]
    made = {
        "reward": _lines(colours, {"control": colours["control"], "reward": colours["loop"]}),
        "gain": _gain(colours),
        "shares": _shares(colours),
        "exploring": _lines(colours, {"exploring": colours["loop"]}, "0 %"),
        "race": _marked(colours, _lines(colours, _racers(colours), height=TALLER)),
    }
    return json.dumps({name: json_item(each) for name, each in made.items()}).encode()


def numbers(history: pd.DataFrame, names: Sequence[str], scale: float = 1.0) -> dict[str, Any]:
    """What fills the figures: for each its columns, and where its axes end.

    A reward of 1 is drawn at `scale`.
    """
    history = history[history.decided + history.closed > 0]
    middle = (_milliseconds(history.began) + _milliseconds(history.ended)) / 2.0
    decided, closed = history.decided.to_numpy(), history.closed.to_numpy()
    width = max(1, int(np.ceil(len(history) * SMOOTHING)))

    def smooth(values: Any, weights: Any) -> Floats:
        return _smoothed(np.asarray(values, np.float64), np.asarray(weights, np.float64), width)

    counts = [
        np.array([shown.get(name, 0) for shown in history.shown], np.float64) for name in names
    ]
    reward = scale * smooth(history.reward, closed)
    control = scale * smooth(history.control, np.where(history.control.notna(), closed, 0))
    exploring = smooth(history.exploring, closed)
    busy = decided > 0
    shares = [smooth(each / np.maximum(decided, 1), decided)[busy] for each in counts]
    ends = [float(middle.min()), float(middle.max())] if len(middle) else [0.0, 1000.0]
    known = history.low.notna().to_numpy()
    bands = {name: scale * history[name].to_numpy()[known] for name in ("gain", "low", "high")}
    areas = {"x": middle[busy], **_stacked(shares, int(busy.sum()))}
    return {
        "reward": _told(ends, {"x": middle, "reward": reward, "control": control}, zero=True),
        "gain": _told(ends, {"x": middle[known], **bands}, around=bands["gain"]),
        "shares": _told(ends, areas, limits=(0.0, 1.0)),
        "exploring": _told(ends, {"x": middle, "exploring": exploring}, zero=True),
    }


def _milliseconds(moments: pd.Series[Any]) -> Floats:
    """Since 1970, as Bokeh has moments."""
    found: Floats = moments.dt.tz_localize(None).to_numpy("datetime64[us]").astype(np.float64)
    return found / 1e3


def _smoothed(values: Floats, weights: Floats, width: int) -> Floats:
    """The weighted mean of each value and the `width` - 1 before it; NaN where none has weight."""
    known = np.where(weights > 0.0, np.nan_to_num(values), 0.0)
    sums = np.convolve(known * weights, np.ones(width))[: len(values)]
    totals = np.convolve(weights, np.ones(width))[: len(values)]
    found: Floats = np.divide(sums, totals, out=np.full(len(values), np.nan), where=totals > 0.0)
    return found


def _stacked(shares: Sequence[Floats], count: int) -> dict[str, Floats]:
    """Where the area of each action begins and ends, one above the other; the rest are others."""
    heights = np.zeros((SHOWN + 2, count))
    heights[1 : len(shares) + 1] = np.reshape(shares, (len(shares), count))
    edges = heights.cumsum(axis=0)
    edges[-1] = 1.0
    return {
        f"{end}{place}": edges[place + (end == "t")] for place in range(SHOWN + 1) for end in "bt"
    }


def filling(columns: dict[str, Floats], marks: Sequence[tuple[float, str]]) -> dict[str, Any]:
    """What fills a figure of lines, whose moments are `x`, in milliseconds since 1970.

    At each of the `marks`, also moments, a text says what happened then.
    """
    x = columns["x"]
    ends = [float(x.min()), float(x.max())] if len(x) else [0.0, 1000.0]
    told = _told(ends, columns, zero=True)
    # Above the lines there is a free space for the texts.
    told["y"][1] *= 1.0 + MARKED
    there = [each for each in marks if ends[0] <= each[0] <= ends[1]]
    ahead = [place < sum(ends) / 2.0 for place, _ in there]
    marked = {
        "x": [place for place, _ in there],
        "top": [told["y"][1]] * len(there),
        "text": [f" {text} " for _, text in there],
        # A text stays inside the figure, and below the one before.
        "align": ["left" if each else "right" for each in ahead],
        "below": [LINE * row for row in range(len(there))],
    }
    return told | {"marks": marked}


def _told(
    ends: list[float],
    columns: dict[str, Floats],
    *,
    zero: bool = False,
    around: Floats | None = None,
    limits: tuple[float, float] | None = None,
) -> dict[str, Any]:
    """Columns for JSON, which has no NaN, and the ranges of both axes."""
    told = {
        name: [None if np.isnan(value) else round(float(value), 6) for value in values]
        for name, values in columns.items()
    }
    if limits is None:
        seen = np.concatenate([values for name, values in columns.items() if name != "x"])
        if around is not None and len(around):
            # The first intervals are as wide as rewards can be: the newer ones count.
            half = max(len(around) // 4, 1)
            seen = np.concatenate([around[half:], columns["low"][half:], columns["high"][half:]])
        seen = seen[np.isfinite(seen)]
        low, high = (float(seen.min()), float(seen.max())) if len(seen) else (0.0, 1.0)
        low, high = (min(low, 0.0) if zero else min(low, -1e-3)), max(high, 1e-3)
        limits = low - (0.0 if zero else 0.06 * (high - low)), high + 0.06 * (high - low)
    return {"columns": told, "x": ends, "y": list(limits)}


def _figure(colours: dict[str, Any], *, form: str = "0[.]00", height: int = HEIGHT) -> Any:
    from bokeh.models import DatetimeTickFormatter, NumeralTickFormatter, Range1d
    from bokeh.plotting import figure

    plot = figure(
        height=height, sizing_mode="stretch_width", x_axis_type="datetime", toolbar_location=None,
        tools="", x_range=Range1d(start=0, end=1000), y_range=Range1d(start=0, end=1), min_border=0,
        background_fill_alpha=0.0, border_fill_alpha=0.0, outline_line_color=None,
        lod_threshold=None,
    )  # fmt: skip
    for axis in (*plot.xaxis, *plot.yaxis):
        axis.axis_line_color = colours["line"]
        axis.major_tick_line_color = axis.minor_tick_line_color = None
        axis.ticker.desired_num_ticks = 4
        axis.major_label_text_color = colours["faint"]
        axis.major_label_text_font = "system-ui, sans-serif"
        axis.major_label_text_font_size = "13px"
    plot.yaxis.axis_line_color = plot.xgrid.grid_line_color = None
    plot.ygrid.grid_line_color = colours["line"]
    plot.yaxis.formatter = NumeralTickFormatter(format=form)
    plot.xaxis.formatter = DatetimeTickFormatter(
        seconds="%H:%M:%S", minsec="%H:%M:%S", minutes="%H:%M", hourmin="%H:%M", hours="%H:%M",
        days="%d %b", months="%b %Y", years="%Y",
    )  # fmt: skip
    return plot


def _source(*columns: str, name: str = "columns") -> Any:
    from bokeh.models import ColumnDataSource

    return ColumnDataSource({column: [] for column in ("x", *columns)}, name=name)


def _lines(
    colours: dict[str, Any], lines: dict[str, str], form: str = "0[.]00", height: int = HEIGHT
) -> Any:
    plot, source = _figure(colours, form=form, height=height), _source(*lines)
    for name, colour in lines.items():
        dash = [5, 4] if name == "control" else []
        plot.line("x", name, source=source, line_color=colour, line_width=2.5, line_dash=dash)
    return plot


def _marked(colours: dict[str, Any], plot: Any) -> Any:
    """With a line at every mark, and its text at the top."""
    source = _source("top", "text", "align", "below", name="marks")
    plot.segment("x", 0, "x", "top", source=source, line_color=colours["faint"], line_dash=[2, 3])
    plot.text(
        "x", "top", "text", source=source, text_color=colours["ink"], text_baseline="top",
        text_align="align", y_offset="below",
        text_font={"value": "system-ui, sans-serif"}, text_font_size="13px",
    )  # fmt: skip
    return plot


def _racers(colours: dict[str, Any]) -> dict[str, str]:
    """Four players: the loop first, drawn last."""
    shades = [colours["loop"], colours["faint"], colours["actions"][1], colours["actions"][2]]
    return {f"p{place}": shades[place] for place in (1, 2, 3, 0)}


def _gain(colours: dict[str, Any]) -> Any:
    from bokeh.models.annotations import Span

    plot, source = _figure(colours, form="+0[.]00"), _source("gain", "low", "high")
    plot.varea(
        "x", "low", "high", source=source, fill_color=colours["loop"], fill_alpha=0.22
    )  # fmt: skip
    plot.line("x", "gain", source=source, line_color=colours["loop"], line_width=2.5)
    plot.add_layout(Span(location=0.0, dimension="width", line_color=colours["ink"]))
    return plot


def _shares(colours: dict[str, Any]) -> Any:
    places = range(SHOWN + 1)
    plot = _figure(colours, form="0 %")
    source = _source(*(f"{end}{place}" for place in places for end in "bt"))
    for place, colour in enumerate([*colours["actions"], colours["others"]]):
        plot.varea("x", f"b{place}", f"t{place}", source=source, fill_color=colour, fill_alpha=0.9)
    return plot
