"""The figures of README and of the site's home: python -m benchmarks.figures [digits] [loop] [race]

Writes to docs/figures: digits.png, what `hybandit compare` draws of the policies that see contexts;
loop.png, clicks on the news site of examples/articles.py while its loop learns; race.png, the
numbers of docs/results/peers.md, which python -m benchmarks.peers has written. Takes a few minutes.
"""

from __future__ import annotations

import argparse
import random
import re
import tempfile
from pathlib import Path

import numpy as np
from matplotlib.figure import Figure

import hybandit
from examples import articles
from hybandit.experiments import Store, run
from hybandit.experiments.comparison import Comparison
from hybandit.experiments.experiment import Effort
from hybandit.experiments.requests import Question, tasks_of
from hybandit.reports.figures import COLOURS, draw, png_of
from hybandit.reports.section import Line, Lines

DOCS = Path(__file__).parents[1] / "docs"
FOLDER = DOCS / "figures"
POLICIES = "stacked-hybrid,lnucb-ta,lin-knn-ucb,lin-ucb,lin-ts:v=0.1,knn-ucb:theta=0.1"
REPEATS, DAYS, VISITORS, STRETCH = 10, 5, 200, 50
# After how many visitors the loop is told what they clicked.
LATE = 20


def digits() -> bytes:
    """Regret on digits, five runs a policy, with bands."""
    question = Question(Comparison.of("digits", POLICIES), Effort(5, 0))
    with tempfile.TemporaryDirectory() as folder:
        results = run(tasks_of(question), Store(Path(folder) / "results.sqlite"))
    (section,) = question.sections(results)
    return draw(section.figures[0]).png


def loop() -> bytes:
    """The share of clicks, what any article would have, and what the right ones would."""
    shares = np.array([_clicks(seed) for seed in range(REPEATS)])
    stretches = shares.reshape(REPEATS, -1, STRETCH).mean(axis=2)
    x = [float(STRETCH * (number + 1)) for number in range(stretches.shape[1])]
    topics = range(len(articles.TOPICS))
    rates = [articles.click_rate(0, {"topic": articles.TOPICS[topic]}) for topic in topics]
    mean, sd = stretches.mean(axis=0), stretches.std(axis=0, ddof=1)
    lines = [
        Line("the loop", "stacked-hybrid", x, mean.tolist(), sd.tolist()),
        Line("a random article", "ucb", x, [float(np.mean(rates))] * len(x)),
        Line("the right topic, always", "lin-ucb", x, [max(rates)] * len(x)),
    ]
    caption = f"Clicks per visitor, mean over {REPEATS} runs; the band is one standard deviation."
    title = f"A news site, with new articles every {VISITORS} visitors"
    return draw(Lines("loop", caption, {title: lines}, "visitors", "share who clicked")).png


def _clicks(seed: int) -> list[float]:
    """Whether each visitor clicked; the loop hears of it when twenty have come."""
    chance, clicks = random.Random(seed), []
    with (
        tempfile.TemporaryDirectory() as folder,
        hybandit.Loop(Path(folder) / "articles.db", wait=None) as live,
    ):
        for first in range(0, DAYS * VISITORS, LATE):
            today, told = articles.articles(first // VISITORS), {}
            for number in range(first, first + LATE):
                favourite, seen = articles.visitor(chance)
                decision = live.rank(seen, today, event=f"{seed}-{number}")
                rate = articles.click_rate(favourite, today[decision.action])
                told[decision.event] = float(chance.random() < rate)
            for event, clicked in told.items():
                live.reward(event, clicked)
            live.wait_for()
            clicks += told.values()
    return clicks


def race() -> bytes:
    """Rounds per CPU second as bars, a panel for each problem, on logarithmic scales."""
    return png_of(_race)


def _race() -> Figure:
    text = (DOCS / "results" / "peers.md").read_text()
    problems = dict(
        re.findall(r"^## ([^\n]*)\n\n(\|  \| r.*?)\n\n", text, re.DOTALL | re.MULTILINE)
    )
    figure = Figure(figsize=(9.0, 6.0), layout="constrained")
    panels = figure.subplots(2, 3).ravel()
    for axes, (title, table) in zip(panels, problems.items(), strict=False):
        found = re.findall(r"^\| \**([\w°]+)\** \| ([\d,]+) \|", table, re.MULTILINE)
        names = [name for name, _ in reversed(found)]
        rates = [float(rate.replace(",", "")) for _, rate in reversed(found)]
        colours = [COLOURS[0] if name == "hybandit" else COLOURS[1] for name in names]
        bars = axes.barh(names, rates, color=colours)
        for bar, name in zip(bars, names, strict=True):
            bar.set_alpha(0.4 if name.endswith("°") else 1.0)
        axes.bar_label(bars, [f"{rate:,.0f}" for rate in rates], padding=2, fontsize=8)
        axes.set(title=title, xscale="log", xlim=(min(rates) / 3, max(rates) * 12))
        axes.grid(visible=False)
        axes.xaxis.set_visible(False)
    panels[-1].axis("off")
    told = "rounds (batch: rows)\nper CPU second,\non a log scale"
    panels[-1].text(0.0, 0.6, told, va="center", linespacing=1.6)
    return figure


def main() -> None:
    figures = {"digits": digits, "loop": loop, "race": race}
    parser = argparse.ArgumentParser(description="The figures of README and the site's home.")
    parser.add_argument("names", nargs="*", metavar="NAME", help="digits, loop, race; default: all")
    for name in parser.parse_args().names or figures:
        path = FOLDER / f"{name}.png"
        path.write_bytes(figures[name]())
        print(path)


if __name__ == "__main__":
    main()
