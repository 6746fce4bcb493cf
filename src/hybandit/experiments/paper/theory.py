"""Theorems 1 and 2, their propositions and lemmas, against simulation."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np

from hybandit import theory
from hybandit.experiments.experiment import Cell, Experiment, Findings, Model, Scale
from hybandit.experiments.judgements import Claim
from hybandit.experiments.runs import Run
from hybandit.experiments.section import Column, Line, Lines, Section, Sentence, Table, Worded
from hybandit.experiments.specs import EnvironmentSpec, PolicySpec
from hybandit.experiments.spread import Spread
from hybandit.experiments.theory_checks import LIMITS, REG, SIGMA

ROUNDS, D = 20_000, 5
YES = "yes"
ARMS = (5, 20, 50)
PROOFS_RATE = math.sqrt(theory.beta(ROUNDS, D, **LIMITS))
PAPERS = PolicySpec("lnucb-ta", {"reg": REG})
LINEAR = PolicySpec("lin-ucb", {"reg": REG, "rate": "attention"})
PROOFS = PolicySpec("lin-ucb", {"reg": REG, "rate": "constant", "alpha": PROOFS_RATE})
# The rate falls where rewards are positive; where they are not it must be said.
ATTENTION = Model("attention", PolicySpec("lnucb-ta"))


@dataclass(frozen=True)
class World:
    """Who plays, and what the rewards are made of."""

    name: str
    policy: PolicySpec
    rewards: str = "linear"
    gamma: float = 0.0

    def __str__(self) -> str:
        return self.name


WORLDS = (
    World("neighbours off, the proof's rate", PROOFS),
    World("neighbours off, attention", LINEAR),
    World("LNUCB-TA, rewards linear", PAPERS),
    World("LNUCB-TA, rewards as in the proof", PAPERS, rewards="paper"),
)
GROWING = World("LNUCB-TA, gamma = 1", PAPERS, gamma=1.0)


@dataclass(frozen=True)
class Statement:
    """A claim of the paper, what a run tells of it, and when it is kept."""

    claim: str
    measure: str
    words: str
    kept: Callable[[list[float]], bool]
    gathered: Callable[[Iterable[float]], float] = max
    worlds: tuple[World, ...] = WORLDS


def none_above(limit: float) -> Callable[[list[float]], bool]:
    return lambda found: max(found) <= limit


def mostly(found: list[float]) -> bool:
    """In 95 % of the runs or more, which is what delta = 0.05 allows."""
    return sum(value <= 1.0 for value in found) >= 0.95 * len(found)


def not_steeper(found: list[float]) -> bool:
    """The mean of the excess over the claimed slope is not above 0 by two standard errors."""
    spread = Spread.of(found)
    return spread.mean <= 2.0 * spread.sd / math.sqrt(spread.runs)


def mean(found: Iterable[float]) -> float:
    return float(np.mean(list(found)))


STATEMENTS = (
    Statement(
        "Proposition 1: the ball holds the true parameters of all arms, at all times",
        "ball", "{:.3g} squared radii", mostly,
    ),
    Statement(
        "Lemma on the width: |(mu - mu*)'x| <= sqrt(beta) w",
        "width", "broken in {:.2%} of rounds", none_above(0.0), mean,
    ),
    Statement(
        "Lemma on the normalised width: regret_t <= 2 min(sqrt(beta) w, 1)",
        "optimism", "broken in {:.2%} of rounds", none_above(0.0), mean,
    ),
    Statement(
        "Proposition 2: the sum of squared regrets under its bound",
        "squares", "{:.3g} of it", mostly,
    ),
    Statement("Theorem 1: regret under the bound", "bound", "{:.3g} of it", mostly),
    Statement(
        "Theorem 1, without the neighbours' term", "plain_bound", "{:.3g} of it", mostly
    ),
    Statement(
        "Theorem 1: regret grows no faster than sqrt(T log T)",
        "steeper", "slope {:+.2f} from it", not_steeper, mean,
    ),
    Statement(
        "Lemma on determinants: log det S = sum of log(1 + w^2 + gamma u^2)",
        "determinant", "off by {:.2g}", none_above(1e-6), max, (*WORLDS[2:3], GROWING),
    ),
    Statement(
        "Lemma on the potential: log det under its bound",
        "potential", "{:.3g} of it", none_above(1.0), max, (*WORLDS[2:3], GROWING),
    ),
    Statement(
        "Assumed: rewards within -1 and 1", "largest_reward", "up to {:.3g}",
        none_above(1.0 + SIGMA),
    ),
)  # fmt: skip


class Theory(Experiment):
    """Every statement here can fail, and several do."""

    id = "theory"
    title = "The theorems, checked"

    def cells(self, scale: Scale) -> tuple[Cell, ...]:
        rounds = 2_000 if scale.quick else ROUNDS
        runs = scale.count(full=10, quick=2)
        cells = [
            Cell.of(world, n_arms, _environment(world, n_arms, rounds), world.policy,
                    runs=runs, seed=scale.seed)
            for world in WORLDS for n_arms in ARMS
        ]  # fmt: skip
        cells += [
            Cell.of(GROWING, n_arms, _environment(GROWING, n_arms, rounds // 10), PAPERS,
                    runs=runs, seed=scale.seed)
            for n_arms in ARMS
        ]  # fmt: skip
        slope = EnvironmentSpec("theory", {"check": "attention"})
        cells.append(Cell.of(ATTENTION, 0, slope, ATTENTION.policy, runs=1, seed=scale.seed))
        return tuple(cells)

    def section(self, findings: Findings) -> Section:
        about = (
            "Linear problems of 5 features; contexts and parameters of unit length, noise "
            "uniform within sigma = 0.1, delta = 0.05, lambda = sigma^2 / W^2, beta that of the "
            'last round. "The proof\'s rate" explores by sqrt(beta), which the proofs use and '
            'LNUCB-TA does not: it shows that the checks can be passed. "Rewards as in the '
            "proof\" are x'mu plus what LNUCB-TA's own neighbours say, as the proofs write them; "
            "they then need not stay within -1 and 1, which the proofs also assume. "
            "Of runs the worst is shown, of rounds the mean. A claim that may fail with "
            "probability delta holds if 95 % of the runs keep it."
        )
        columns = [
            Column("claim"),
            Column("world"),
            *(Column(f"{n_arms} arms", Worded) for n_arms in ARMS),
            Column("holds"),
        ]
        tables = [Table("theory", "Statements about a run", columns, _rows(findings))]
        second = [Column("claim"), Column("found", Worded), Column("holds")]
        tables.append(Table("theory-attention", "Theorem 2", second, _attention_rows(findings)))
        return Section(self.id, self.title, about, tables, [_picture(findings)])

    def claims(self, findings: Findings) -> list[Claim]:
        """Theorem 1 where LNUCB-TA itself plays; the section has every statement."""
        return [
            Claim(
                self.id, f"{row[0]} ({row[1]})", f"{row[-2]} with {ARMS[-1]} arms", row[-1] == YES
            )
            for row in _rows(findings)
            if row[0].startswith("Theorem 1") and row[1].startswith("LNUCB-TA")
        ]

    def conclusions(self, findings: Findings) -> list[Sentence]:
        rows = [
            row
            for row in _rows(findings)
            if row[1].startswith("LNUCB-TA") and not row[0].startswith("Assumed")
        ]
        if not rows:
            return []
        broken = [row for row in rows if row[-1] != YES]
        statements = dict.fromkeys(row[0].partition(":")[0].partition(",")[0] for row in broken)
        failing = f"broken are {', '.join(statements)}" if broken else "none is broken"
        text = (
            f"Of {len(rows)} checks of the paper's statements with LNUCB-TA itself playing, "
            f"{len(rows) - len(broken)} hold: {failing}."
        )
        return [Sentence(text, "theory")]


def _environment(world: World, n_arms: int, rounds: int) -> EnvironmentSpec:
    return EnvironmentSpec("theory", {
        "check": "simulation", "n_features": D, "rounds": rounds, "n_arms": n_arms,
        "rewards": world.rewards, "gamma": world.gamma,
    })  # fmt: skip


def _rows(findings: Findings) -> list[list[Any]]:
    rows = []
    for statement in STATEMENTS:
        for world in statement.worlds:
            found = [_measured(findings, world, n_arms, statement) for n_arms in ARMS]
            if not all(found):
                continue
            shown = [Worded(statement.gathered(each), statement.words) for each in found]
            holds = all(statement.kept(each) for each in found)
            rows.append([statement.claim, str(world), *shown, _word(holds)])
    return rows


def _measured(findings: Findings, world: World, n_arms: int, statement: Statement) -> list[float]:
    runs = findings.runs(world, n_arms).values()
    if statement.measure == "steeper":
        return [run.extra["slope"] - run.extra["claimed_slope"] for run in runs]
    return [run.extra[statement.measure] for run in runs]


def _attention_rows(findings: Findings) -> list[list[Any]]:
    rows = []
    for run in findings.runs(ATTENTION, 0).values():
        fixed, own, rising = (run.extra[name] for name in ("fixed", "own", "rising"))
        rows += [
            ["the derivative, the sum of rewards and g held fixed",
             Worded(fixed, "off by {:.1e} at most, 1,000 places"), _word(fixed < 1e-5)],
            ["the same, g moving with the arm's mean as it is defined (two arms)",
             Worded(own, "off by {:.0%} at the median"), _word(own < 1e-5)],
            ["exploration falls as an arm is played, rewards of either sign",
             Worded(rising, "rises in {:.0%} of places"), _word(rising == 0.0)],
        ]  # fmt: skip
    return rows


def _picture(findings: Findings) -> Lines:
    most = ARMS[-1]
    found: list[tuple[World, Run]] = [
        (world, run) for world in WORLDS[:3] for run in findings.runs(world, most).values()
    ]
    lines = [Line(str(world), world.policy.name, run.at, run.regrets) for world, run in found]
    bounds = [run.extra["limit"] for _, run in found]
    return Lines(
        "theory",
        f"Cumulative regret with {most} arms, each run a line, and the bound (log-log).",
        {"": lines},
        "round",
        "cumulative regret",
        logarithmic=True,
        level=("bound at the end", bounds[0]) if bounds else None,
    )


def _word(holds: bool) -> str:
    return YES if holds else "NO"
