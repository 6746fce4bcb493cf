"""Rewards that are rare or noisy, as clicks are: who still learns, and who falls below chance."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from hybandit.experiments.experiment import Cell, Effort, Findings, Row, table_of
from hybandit.experiments.runs import Run
from hybandit.experiments.specs import EnvironmentSpec, PolicySpec
from hybandit.paper.disclosure import STACKED_HYBRID
from hybandit.paper.experiment import PaperExperiment
from hybandit.paper.experiments.headline import FITTED, OURS, PAPERS
from hybandit.reports.section import Column, ReportTable, Section, Sentence
from hybandit.reports.spread import Difference, Spread, interval


@dataclass(frozen=True)
class Place:
    """A data set, and how likely a wrong and the right choice pay 1: a column of the table."""

    title: str
    data: str
    wrong: float
    right: float

    def __str__(self) -> str:
        return f"{self.title}, {self.right:g} / {self.wrong:g}"


RARE, NOISY = (0.02, 0.1), (0.4, 0.5)
# MNIST last, and rare rewards only: its runs take as long as all others together.
DATA = {"Adult": "adult", "Magic": "magic", "digits": "digits", "MNIST": "mnist"}
PLACES = tuple(
    Place(title, data, wrong, right)
    for title, data in DATA.items()
    for wrong, right in (RARE, NOISY)
    if (data, wrong) != ("mnist", NOISY[0])
)
LIN_UCB = tuple(
    Row("LinUCB", PolicySpec("lin-ucb", {"alpha": alpha}), f"alpha {alpha:g}")
    for alpha in (0.1, 1.0)
)
NEURAL = Row("NeuralUCB", PolicySpec("neural-ucb"))
MODELS = (
    OURS,
    *LIN_UCB,
    Row("LinTS", PolicySpec("lin-ts", {"v": 0.1}), "v 0.1"),
    PAPERS,
    FITTED,
    NEURAL,
    Row("epsilon-greedy", PolicySpec("epsilon-greedy", {"epsilon": 0.1}), "epsilon 0.1"),
    Row("UCB", PolicySpec("ucb")),
)
# No setting of StackedHybrid was picked on seeds from here on.
FIRST_SEED = 1_000
ROUNDS = 20_000, 1000
Rate = Callable[[Place, Run], float]


class Sparse(PaperExperiment):
    """Expected clicks, over all rounds and in the last quarter."""

    id = "sparse"
    title = "Rewards that are rare or noisy"

    def _cells(self, effort: Effort) -> tuple[Cell, ...]:
        cells = []
        for place in PLACES:
            settings = {
                "data": place.data,
                "rounds": effort.rounds(*ROUNDS),
                "probabilities": (place.wrong, place.right),
            }
            environment = EnvironmentSpec("classification", settings)
            for model in MODELS:
                if (model, place.data) == (NEURAL, "mnist"):
                    # Minutes a run, and no sentence speaks of it.
                    continue
                few = model == NEURAL or place.data == "mnist"
                seeds = _seeds(effort, few=few)
                cells.append(model.cell(place, environment, seeds))
        return tuple(cells)

    def section(self, findings: Findings) -> Section:
        effort = findings.effort
        about = (
            f"Classification where even the right class pays 1 only with probability 0.1, others "
            f"with 0.02; then 0.5 and 0.4. {effort.rounds(*ROUNDS):,} rounds, rows again in new "
            f"orders as needed. Clicks are expected ones, free of luck. {len(_seeds(effort))} "
            f"runs (MNIST, NeuralUCB: {len(_seeds(effort, few=True))}), seeds from "
            f"{FIRST_SEED + effort.seed:,}."
        )
        notes = [
            "Why LNUCB-TA falls behind: rewards of 0 and 1 give it one neighbour; a lucky click "
            "makes that neighbour's estimate 1 all around, and its linear part, fitted to what "
            "the neighbour leaves over, learns -1 for the very arm that is right."
        ]
        tables = [
            _table(
                findings, "sparse", "Expected clicks in 100 rounds: mean ± sd", click_rate, "all"
            ),
            _table(findings, "sparse-late", "The same in the last quarter", late_rate, "late"),
            _gains(findings),
        ]
        return Section(self.id, self.title, about, tables, [], notes)

    def conclusions(self, findings: Findings) -> list[Sentence]:
        gains = [gain.mean for place in PLACES if (gain := _gain(findings, place))]
        if not gains:
            return []
        text = (
            f"{_below_constant(findings)} StackedHybrid's clicks differ from those of LinUCB's "
            f"better setting by {min(gains):+.1f} % to {max(gains):+.1f} %."
        )
        return [Sentence(text, "sparse")]


def _seeds(effort: Effort, *, few: bool = False) -> range:
    full, quick = (3, 1) if few else (5, 2)
    return effort.seeds(full=full, quick=quick, first=FIRST_SEED)


def click_rate(place: Place, run: Run) -> float:
    """Expected clicks in 100 rounds."""
    return 100 * (place.right - run.measured("regret") / run.rounds)


def late_rate(place: Place, run: Run) -> float:
    """The same in the last quarter, to the nearest points of the stored curve."""
    start = 0.75 * run.rounds
    before = float(np.interp(start, [0, *run.at], [0.0, *run.regrets]))
    return 100 * (place.right - (run.measured("regret") - before) / (run.rounds - start))


def constant_rate(place: Place, run: Run, part: str) -> float:
    """What the best arm earns that is always played, in ``all`` rounds or the ``late`` ones."""
    often = run.extra["frequencies"][part]
    return 100 * (place.wrong + (place.right - place.wrong) * float(often))


def _below_constant(findings: Findings) -> str:
    """Who earns less than the best arm played always would, and how often."""
    told = []
    for model in (PAPERS, FITTED, OURS):
        below = [_is_below(findings, model, place) for place in PLACES]
        known = [each for each in below if each is not None]
        told.append(f"{model} in {sum(known)} of {len(known)} cases")
    return (
        "Where rewards are rare or noisy, these earn less than always playing the best arm would: "
        f"{'; '.join(told)}."
    )


def _is_below(findings: Findings, model: Row, place: Place) -> bool | None:
    """Whether it earns less than the best arm played always; None while nothing has finished."""
    own = _spread(findings, model, place, click_rate)
    best = _spread(findings, OURS, place, partial(constant_rate, part="all"))
    return own.mean < best.mean if own and best else None


def _rates(findings: Findings, model: Row, place: Place, rate: Rate) -> dict[int, float]:
    return {seed: rate(place, run) for seed, run in findings.runs(model, place).items()}


def _table(findings: Findings, name: str, title: str, rate: Rate, part: str) -> ReportTable:
    rows: list[list[Any]] = [
        [str(model), *(_spread(findings, model, place, rate) for place in PLACES)]
        for model in MODELS
    ]
    always = partial(constant_rate, part=part)
    constant = [_spread(findings, OURS, place, always) for place in PLACES]
    rows.append(["the best arm, always", *constant])
    columns = [Column("policy"), *(Column(str(place), Spread) for place in PLACES)]
    note = str(STACKED_HYBRID) if part == "all" else ""
    return ReportTable(name, title, columns, rows, note=note)


def _spread(findings: Findings, model: Row, place: Place, rate: Rate) -> Spread | None:
    return Spread.of_any(list(_rates(findings, model, place, rate).values()))


def _gains(findings: Findings) -> ReportTable:
    """Ours beside the better LinUCB, which is picked by its mean."""
    return table_of(
        "sparse-gain",
        f"How many % more clicks {OURS} has than LinUCB's better setting",
        "data, right / wrong",
        PLACES,
        {Column("% more", Difference): partial(_gain, findings)},
        "Mean over equal seeds, with its 95 % confidence interval.",
    )


def _gain(findings: Findings, place: Place) -> Difference | None:
    """How many percent more clicks ours has than LinUCB, whose better setting is the reference."""
    ours = _rates(findings, OURS, place, click_rate)
    others = [_rates(findings, model, place, click_rate) for model in LIN_UCB]
    best = max(filter(None, others), key=lambda found: np.mean(list(found.values())), default={})
    return interval({seed: 100 * (ours[seed] / best[seed] - 1) for seed in ours if seed in best})
