"""Rounds per CPU second as bars: a panel for each problem."""

from __future__ import annotations

from functools import partial

from matplotlib.axes import Axes
from matplotlib.figure import Figure

from benchmarks.peers.cells import Cell
from benchmarks.peers.problems import Problem
from hybandit.reports.figures import COLOURS, png_of

LEGEND = "log scale; pale, with °:\nhas no such algorithm,\nthe nearest stands in"


def chart(by_problem: dict[Problem, list[Cell]], ours: str) -> bytes:
    """A PNG; peers that stand in with another algorithm are pale."""
    measured = {
        problem: sorted((cell for cell in cells if cell.runs), key=lambda cell: cell.rate)
        for problem, cells in by_problem.items()
    }
    measured = {problem: cells for problem, cells in measured.items() if cells}
    return png_of(partial(drawn, measured, ours))


def drawn(measured: dict[Problem, list[Cell]], ours: str) -> Figure:
    figure = Figure(figsize=(9.0, 6.4), layout="constrained")
    panels = figure.subplots(2, 3).ravel()
    for axes, (problem, cells) in zip(panels, measured.items(), strict=False):
        draw(axes, problem, cells, ours)
    for axes in panels[len(measured) :]:
        axes.axis("off")
    panels[-1].text(0.0, 0.6, LEGEND, va="center", linespacing=1.6)
    return figure


def draw(axes: Axes, problem: Problem, cells: list[Cell], ours: str) -> None:
    rates = [cell.rate for cell in cells]
    names = [cell.peer + ("°" if cell.said("nearest") else "") for cell in cells]
    colours = [COLOURS[0] if cell.peer == ours else COLOURS[1] for cell in cells]
    bars = axes.barh(names, rates, color=colours)
    for bar, cell in zip(bars, cells, strict=True):
        bar.set_alpha(0.4 if cell.said("nearest") else 1.0)
    axes.bar_label(bars, [f"{rate:,.0f}" for rate in rates], padding=2, fontsize=7)
    axes.set(title=problem.title, xscale="log", xlim=(min(rates) / 3, max(rates) * 12))
    axes.grid(axis="y", visible=False)
    unit = "rows" if problem.kind == "batch" else "rounds"
    axes.set_xlabel(f"{unit} per CPU second")
