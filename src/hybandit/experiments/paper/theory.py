"""Theorems 1 and 2 against simulation."""

from __future__ import annotations

from typing import Any

from hybandit.experiments.experiment import Cell, Experiment, Findings, Model, Scale
from hybandit.experiments.runs import Run
from hybandit.experiments.section import Column, Line, Lines, Section, Table, Worded
from hybandit.experiments.specs import EnvironmentSpec, PolicySpec

LIN_UCB = Model("LinUCB", PolicySpec("lin-ucb", {"alpha": 0.1, "reg": 0.01}))
PAPERS = Model("LNUCB-TA", PolicySpec("lnucb-ta"))
BALL = Model("confidence ball", LIN_UCB.policy)
SLOPE = Model("attention slope", PAPERS.policy)


class Theory(Experiment):
    """Every check here can fail."""

    id = "theory"
    title = "The theorems, checked"

    def cells(self, scale: Scale) -> tuple[Cell, ...]:
        longest = 10_000 if scale.quick else 100_000
        runs = scale.count(full=5, quick=2)
        checks = {
            "ball": EnvironmentSpec("theory", {"check": "ball", "n_features": 5, "rounds": 500}),
            "bound": EnvironmentSpec(
                "theory", {"check": "bound", "n_features": 5, "rounds": longest}
            ),
            "slope": EnvironmentSpec("theory", {"check": "slope"}),
        }
        counts = [
            (BALL, "ball", scale.count(full=200, quick=50)),
            (LIN_UCB, "bound", runs),
            (PAPERS, "bound", min(runs, 2)),
            (SLOPE, "slope", 1),
        ]
        return tuple(
            Cell.of(model, check, checks[check], model.policy, runs=count, seed=scale.seed)
            for model, check, count in counts
        )

    def section(self, findings: Findings) -> Section:
        about = (
            "sigma = 0.1, W = B = 1, delta = 0.05, lambda = sigma^2 / W^2, d = 5. Theorem 2 holds "
            "the sum of rewards fixed, as the paper does. Noise is uniform within sigma for the "
            "ball, and Gaussian of sd sigma, which the proof allows as well, for the bound."
        )
        columns = [
            Column("claim"),
            Column("tried", Worded),
            Column("found", Worded),
            Column("holds"),
        ]
        table = Table("theory", "Checks", columns, _rows(findings))
        return Section(self.id, self.title, about, [table], [_picture(findings)])


def _rows(findings: Findings) -> list[list[Any]]:
    rows = []
    ball = list(findings.runs(BALL, "ball").values())
    if ball:
        held = sum(run.extra["holds"] for run in ball)
        largest = max(run.extra["largest"] for run in ball)
        rows.append(
            [
                "the ball holds the true parameter in 95 % of simulations or more",
                Worded(held, f"{{}} of {len(ball)}"),
                Worded(largest, "at most {:.2f} of the radius"),
                _word(held >= 0.95 * len(ball)),
            ]
        )
    for model in (LIN_UCB, PAPERS):
        runs = list(findings.runs(model, "bound").values())
        if runs:
            rows += _bound_rows(model, runs)
    for run in findings.runs(SLOPE, "slope").values():
        rows.append(
            [
                "Theorem 2's slope equals a finite difference",
                Worded(1000, "{:,} places"),
                Worded(run.extra["largest"], "off by {:.1e} at most"),
                _word(bool(run.extra["holds"])),
            ]
        )
    return rows


def _bound_rows(model: Model, runs: list[Run]) -> list[list[Any]]:
    worst = max((run.regret or 0.0) / run.extra["bound"] for run in runs)
    steepest = max(run.extra["slope"] for run in runs)
    tried = Worded(len(runs), "{} runs")
    return [
        [
            f"{model}: regret under the bound",
            tried,
            Worded(100 * worst, "at most {:.1f} % of it"),
            _word(worst <= 1.0),
        ],
        [
            f"{model}: log-log slope of regret below 1",
            tried,
            Worded(steepest, "at most {:.2f}"),
            _word(steepest < 1.0),
        ],
    ]


def _picture(findings: Findings) -> Lines:
    found = [
        (model, run)
        for model in (LIN_UCB, PAPERS)
        for run in findings.runs(model, "bound").values()
    ]
    lines = [Line(str(model), model.policy.name, run.at, run.regrets) for model, run in found]
    bounds = [run.extra["bound"] for _, run in found]
    return Lines(
        "theory",
        "Cumulative regret on a linear problem, each run a line, and the bound (log-log).",
        {"": lines},
        "round",
        "cumulative regret",
        logarithmic=True,
        level=("bound at the end", bounds[0]) if bounds else None,
    )


def _word(holds: bool) -> str:
    return "yes" if holds else "NO"
