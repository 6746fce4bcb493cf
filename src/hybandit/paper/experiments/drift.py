"""Worlds that change: what attention and forgetting really give."""

from __future__ import annotations

from typing import Any

import numpy as np

from hybandit.experiments.experiment import (
    Cell,
    Effort,
    Findings,
    Row,
    differences_table,
    spreads_table,
)
from hybandit.experiments.runs import Run
from hybandit.experiments.section import Column, Lines, ReportTable, Section, Sentence
from hybandit.experiments.specs import EnvironmentSpec, PolicySpec
from hybandit.experiments.spread import Difference, Spread, paired
from hybandit.paper.disclosure import FORGETTING, STACKED_HYBRID
from hybandit.paper.experiment import PaperExperiment
from hybandit.paper.judgement.judgements import Claim
from hybandit.paper.judgement.values import Share

# The value recommended in the docs.
FORGET = 0.998
SHARE = 0.9
SYNTHETIC = ("linear", "hybrid", "abrupt", "slow")
STAYING = ("linear", "hybrid", "digits")
LIN_UCB = Row("LinUCB", PolicySpec("lin-ucb", {"alpha": 0.1}), "alpha 0.1")
PAPERS = Row("LNUCB-TA", PolicySpec("lnucb-ta"))
OURS = Row("StackedHybrid", PolicySpec("stacked-hybrid"))


def forgetful(model: Row) -> Row:
    """The same with forgetting."""
    policy = PolicySpec(model.policy.name, {**model.policy.settings, "forget": FORGET})
    return Row(str(model), policy, "forget")


FORGETFUL = {model: forgetful(model) for model in (LIN_UCB, PAPERS, OURS)}
MODELS = (
    LIN_UCB,
    Row("LinUCB with attention", PolicySpec("lin-ucb", {"rate": "attention"})),
    Row("LinTS", PolicySpec("lin-ts", {"v": 0.1}), "v 0.1"),
    PAPERS,
    OURS,
    *FORGETFUL.values(),
)


class Drift(PaperExperiment):
    """Regret, recovery from an abrupt change, and the price of forgetting."""

    id = "drift"
    title = "Worlds that change"

    def _cells(self, effort: Effort) -> tuple[Cell, ...]:
        rounds = _rounds(effort)
        environments = {
            kind: EnvironmentSpec("synthetic", {"kind": kind, "rounds": rounds})
            for kind in SYNTHETIC
        }
        environments["digits"] = EnvironmentSpec("classification", {"data": "digits"})
        return tuple(
            Cell.of(model, column, environment, model.policy, effort.seeds())
            for column, environment in environments.items()
            for model in MODELS
        )

    def section(self, findings: Findings) -> Section:
        effort = findings.effort
        about = (
            f"Five arms, ten features, {_rounds(effort):,} rounds, noise 0.1, "
            f"{effort.count()} seeds. abrupt: arms trade "
            "places halfway; slow: every arm's parameter turns through a right angle. digits: "
            "1,797 images, ten arms, where nothing changes. forget: the setting "
            f"forget={FORGET}."
        )
        notes = [
            "A rate that falls as 1 / pulls does not rise again when rewards change, unless pulls "
            "are forgotten."
        ]
        shaped = f"{STACKED_HYBRID} {FORGETTING}"
        tables = [
            spreads_table(findings, "drift", "Regret: mean ± sd", "regret", shaped),
            _recovery(findings),
            _price(findings),
            differences_table(findings, "drift-differences", reference=LIN_UCB, measure="regret"),
        ]
        picture = Lines(
            "drift",
            "Cumulative regret in worlds that stay (linear, hybrid) and that change (abrupt, "
            "slow).",
            findings.panels({kind: kind for kind in SYNTHETIC}, MODELS, "regrets"),
            "round",
            "cumulative regret",
        )
        return Section(self.id, self.title, about, tables, [picture], notes)

    def claims(self, findings: Findings) -> list[Claim]:
        """The paper's strength under rapid change, against its linear half."""
        gap = findings.difference(PAPERS, LIN_UCB, "abrupt", "regret")
        if gap is None:
            return []
        found = f"abrupt change: regret {gap.in_words()} than {LIN_UCB}'s"
        claim = "LNUCB-TA adapts to rapidly changing rewards better than LinUCB"
        return [Claim(self.id, claim, found, gap.high < 0.0)]

    def conclusions(self, findings: Findings) -> list[Sentence]:
        """Where arms trade places: the paper's model against LinUCB, and what forgetting gives."""
        gap = findings.difference(PAPERS, LIN_UCB, "abrupt", "regret")
        faded = findings.difference(FORGETFUL[PAPERS], PAPERS, "abrupt", "regret")
        if gap is None or faded is None:
            return []
        text = (
            f"After an abrupt change LNUCB-TA ends with {gap.in_words()} "
            f"regret than LinUCB; forgetting ends it with "
            f"{faded.in_words()}."
        )
        return [Sentence(text, "drift")]


def _rounds(effort: Effort) -> int:
    return 2000 if effort.quick else 10_000


def rounds_to_regain(run: Run) -> float:
    """Rounds from the change halfway until the reward rate is 90 % of what it was before.

    The rate before is that of the tenth of all rounds before the change, the rate after
    that of the last fortieth of all rounds. Infinite if the run ends first. To the nearest
    point of the stored curve.
    """
    at, sums = np.array([0, *run.at]), np.array([0.0, *run.rewards])
    half, window = run.rounds / 2, run.rounds / 40

    def earned(rounds: float) -> float:
        return float(np.interp(rounds, at, sums))

    former = (earned(half) - earned(half - run.rounds / 10)) / (run.rounds / 10)
    for point in at[at >= half + window]:
        if earned(point) - earned(point - window) >= SHARE * former * window:
            return float(point - half)
    return float("inf")


def _recovery(findings: Findings) -> ReportTable:
    rows: list[list[Any]] = []
    for model in MODELS:
        found = [rounds_to_regain(run) for run in findings.runs(model, "abrupt").values()]
        done = [each for each in found if np.isfinite(each)]
        spread = Spread.of(done) if done else None
        rows.append([str(model), spread, Share(len(done), len(found))])
    return ReportTable(
        "drift-recovery",
        f"abrupt: rounds until {SHARE:.0%} of the former reward rate",
        [Column("policy"), Column("rounds", Spread), Column("runs that got there", Share)],
        rows,
        note="Mean ± sd of the runs that got there before the end.",
    )


def _price(findings: Findings) -> ReportTable:
    """What forgetting loses where nothing changes."""
    rows: list[list[Any]] = []
    for model, other in FORGETFUL.items():
        line: list[Any] = [str(model)]
        for column in STAYING:
            plain = findings.values(model, column, "reward")
            faded = findings.values(other, column, "reward")
            lost = {seed: 100 * (1 - faded[seed] / plain[seed]) for seed in plain if seed in faded}
            line.append(paired(lost, dict.fromkeys(lost, 0.0)))
        rows.append(line)
    return ReportTable(
        "drift-price",
        "Reward lost by forgetting where nothing changes, in %",
        [Column("policy"), *(Column(column, Difference) for column in STAYING)],
        rows,
        note="Mean over equal seeds, with its 95 % confidence interval.",
    )
