"""Worlds that change: what attention and forgetting really give."""

from __future__ import annotations

from functools import partial

import numpy as np

from hybandit.experiments.experiment import (
    Cell,
    Effort,
    Findings,
    Row,
    differences_table,
    spreads_table,
    table_of,
)
from hybandit.experiments.runs import Run
from hybandit.experiments.specs import EnvironmentSpec, PolicySpec
from hybandit.paper.disclosure import FORGETTING, STACKED_HYBRID
from hybandit.paper.experiment import PaperExperiment
from hybandit.paper.experiments.headline import OURS, PAPERS
from hybandit.paper.judgement.judgements import Claim
from hybandit.paper.judgement.values import Share
from hybandit.reports.section import Column, Lines, ReportTable, Section, Sentence
from hybandit.reports.spread import Difference, Spread, interval

# The value recommended in the docs.
FORGET = 0.998
SHARE = 0.9
ROUNDS = 10_000, 2000
SYNTHETIC = ("linear", "hybrid", "abrupt", "slow")
STAYING = ("linear", "hybrid", "digits")
LIN_UCB = Row("LinUCB", PolicySpec("lin-ucb", {"alpha": 0.1}), "alpha 0.1")


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
        rounds = effort.rounds(*ROUNDS)
        environments = {
            kind: EnvironmentSpec("synthetic", {"kind": kind, "rounds": rounds})
            for kind in SYNTHETIC
        }
        environments["digits"] = EnvironmentSpec("classification", {"data": "digits"})
        return tuple(
            model.cell(column, environment, effort.seeds())
            for column, environment in environments.items()
            for model in MODELS
        )

    def section(self, findings: Findings) -> Section:
        effort = findings.effort
        about = (
            f"Five arms, ten features, {effort.rounds(*ROUNDS):,} rounds, noise 0.1, "
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
    def found(model: Row) -> list[float]:
        return [rounds_to_regain(run) for run in findings.runs(model, "abrupt").values()]

    def done(model: Row) -> list[float]:
        return [each for each in found(model) if np.isfinite(each)]

    return table_of(
        "drift-recovery",
        f"abrupt: rounds until {SHARE:.0%} of the former reward rate",
        "policy",
        MODELS,
        {
            Column("rounds", Spread): lambda model: Spread.of_any(done(model)),
            Column("runs that got there", Share): lambda model: Share(
                len(done(model)), len(found(model))
            ),
        },
        "Mean ± sd of the runs that got there before the end.",
    )


def _price(findings: Findings) -> ReportTable:
    """What forgetting loses where nothing changes."""

    def lost(model: Row, column: str) -> Difference | None:
        plain = findings.values(model, column, "reward")
        faded = findings.values(FORGETFUL[model], column, "reward")
        return interval(
            {seed: 100 * (1 - faded[seed] / plain[seed]) for seed in plain if seed in faded}
        )

    return table_of(
        "drift-price",
        "Reward lost by forgetting where nothing changes, in %",
        "policy",
        FORGETFUL,
        {Column(column, Difference): partial(lost, column=column) for column in STAYING},
        "Mean over equal seeds, with its 95 % confidence interval.",
    )
