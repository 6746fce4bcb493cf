"""Theorems 1 and 2, their propositions and lemmas, against simulation."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from hybandit.experiments.experiment import Cell, Effort, Findings, Row
from hybandit.experiments.runs import Run
from hybandit.experiments.specs import EnvironmentSpec, PolicySpec
from hybandit.paper.experiment import PaperExperiment
from hybandit.paper.judgement.judgements import Claim
from hybandit.paper.judgement.values import Share
from hybandit.paper.theory.checks import PLACES
from hybandit.paper.theory.statements import (
    GROWING,
    OURS,
    PREMISES,
    ROUNDS,
    SLOPE,
    STATEMENTS,
    WORLDS,
    D,
    Statement,
    World,
    mean,
    none_above,
)
from hybandit.reports.section import (
    Column,
    Line,
    Lines,
    ReportTable,
    Section,
    Sentence,
    Value,
    Worded,
    texts,
)
from hybandit.reports.spread import Difference, interval, paired

YES, NO, UNTESTED = "yes", "NO", "premise fails"
ARMS = (5, 20, 50)
# How much shorter the runs are in which S grows by the neighbours' distance.
SHORTER = 10
ATTENTION = Row("attention", PolicySpec("lnucb-ta"))


@dataclass(frozen=True)
class Judged:
    """A statement in a world: what was found, whether it holds, and where its premises do."""

    statement: Statement
    world: World
    shown: tuple[Value, ...]
    holds: bool
    held: Share
    there: Value
    holds_there: bool | None

    @property
    def verdict(self) -> str:
        return UNTESTED if self.holds_there is None else _word(self.holds_there)


class Theory(PaperExperiment):
    """Every statement here can fail, and several do."""

    id = "theory"
    title = "The theorems, checked"

    def _cells(self, effort: Effort) -> tuple[Cell, ...]:
        rounds = effort.rounds(ROUNDS, 2_000)
        lengths = {**dict.fromkeys(WORLDS, rounds), GROWING: rounds // SHORTER}
        cells = [
            world.cell(n_arms, _environment(world, n_arms, length), effort.seeds())
            for world, length in lengths.items()
            for n_arms in ARMS
        ]
        slope = EnvironmentSpec("theory", {"check": "attention"})
        return (*cells, ATTENTION.cell(0, slope, [effort.seed]))

    def section(self, findings: Findings) -> Section:
        judged = _all_judged(findings)
        tables = [
            _said(),
            _by_arms("theory", "Statements about a run, over all runs", "statement",
                     _judged(findings, STATEMENTS)),
            _slopes_table(findings),
            _there_table(judged),
            ReportTable(
                "theory-attention", "Theorem 2",
                [Column("claim"), Column("found", Worded), Column("holds")],
                _attention_rows(findings),
            ),
        ]  # fmt: skip
        measured = [
            Statement(each.words, "", each.measure, words, none_above(each.limit), (each,))
            for each, words in PREMISES.items()
        ]
        details = [
            _by_arms("theory-premises", "What was assumed, and whether it held", "premise",
                     _judged(findings, measured), held=True),
            _by_arms("theory-ours", "Not in the paper: variants of our own", "variant",
                     _judged(findings, OURS)),
        ]  # fmt: skip
        return Section(self.id, self.title, ABOUT, tables, [_picture(findings)], details=details)

    def claims(self, findings: Findings) -> list[Claim]:
        """Theorem 1 where LNUCB-TA itself plays, and Theorem 2; the section has all statements."""
        first = [
            Claim(
                self.id, f"{each.statement.name} ({each.world})",
                f"{each.shown[-1]} with {ARMS[-1]} arms; what it assumes held in {each.held} runs",
                each.holds,
            )
            for each in _all_judged(findings)
            if each.statement.name.startswith("Theorem 1") and each.world.papers
        ]  # fmt: skip
        second = [
            Claim(self.id, f"Theorem 2: {claim}", str(found), holds == YES)
            for claim, found, holds in _attention_rows(findings)
        ]
        return first + second

    def conclusions(self, findings: Findings) -> list[Sentence]:
        judged = [each for each in _all_judged(findings) if each.world.papers]
        if not judged:
            return []
        kept = sum(each.verdict == YES for each in judged)
        broken = [each for each in judged if each.verdict == NO]
        untested = [each for each in judged if each.verdict == UNTESTED]
        text = (
            f"Of {len(judged)} checks of Theorem 1 and of what its proof is made of, with "
            f"LNUCB-TA itself playing, {kept} hold, {len(broken)} are broken where all that they "
            f"assume holds{_named(broken)}, and {len(untested)} assume what held in no run."
        )
        return [Sentence(text, "theory-there")]


ABOUT = (
    "Linear problems of 5 features; contexts of unit length, noise uniform within 0.1, "
    "parameters of length 0.9; sigma = 0.1, W = B = 1, delta = 0.05, lambda = sigma^2 / W^2, beta "
    "that of the last round. Theorem 1's constant b has no value in the paper: Proposition 2's "
    "constants stand for it. \"Rewards as in the proof\" are x'mu* plus what LNUCB-TA's own "
    'neighbours say. "sigma 1.1" covers noise and neighbours, as Theorem 1 asks; together they '
    'are not of mean zero, as its proof needs. "The proof\'s rate" explores by sqrt(beta), as '
    f"the proofs do and LNUCB-TA does not. A run has {ROUNDS:,} rounds (gamma = 1: "
    f"{ROUNDS // SHORTER:,}; --quick: a tenth). Of runs the worst is shown, of rounds the mean; "
    "what may fail with probability delta holds if 95 % of the runs keep it."
)


def _environment(world: World, n_arms: int, rounds: int) -> EnvironmentSpec:
    return EnvironmentSpec("theory", {
        "check": "simulation", "n_features": D, "rounds": rounds, "n_arms": n_arms,
        "rewards": world.rewards, "gamma": world.gamma,
    })  # fmt: skip


def _runs(findings: Findings, world: World) -> list[dict[int, Run]]:
    """The runs by seed of each number of arms; none unless all have some."""
    found = [findings.runs(world, n_arms) for n_arms in ARMS]
    return found if all(found) else []


def _all_judged(findings: Findings) -> list[Judged]:
    return [*_judged(findings, STATEMENTS), *_judged_slopes(findings)]


def _judged(findings: Findings, statements: Iterable[Statement]) -> list[Judged]:
    return [
        _judge(statement, world, [list(each.values()) for each in runs])
        for statement in statements
        for world in statement.worlds
        if (runs := _runs(findings, world))
    ]


def _judge(statement: Statement, world: World, runs: list[list[Run]]) -> Judged:
    """By the runs of each number of arms."""
    found = [[run.extra[statement.measure] for run in each] for each in runs]
    there = [each for each in map(statement.restricted, runs) if each]
    everyone = [run for each in runs for run in each]
    return Judged(
        statement,
        world,
        tuple(Worded(statement.gathered(each), statement.words) for each in found),
        all(map(statement.kept, found)),
        _held(statement, everyone),
        statement.found_there(everyone),
        all(map(statement.kept, there)) if there else None,
    )


def _held(statement: Statement, runs: Sequence[Run]) -> Share:
    return Share(sum(map(statement.premise_held, runs)), len(runs))


def _judged_slopes(findings: Findings) -> list[Judged]:
    return [
        _judge_slopes(world, runs)
        for world in SLOPE.worlds
        if (runs := _runs(findings, world)) and all(map(_slope, runs))
    ]


def _judge_slopes(world: World, runs: list[dict[int, Run]]) -> Judged:
    """By the runs of each number of arms; where premises held, in two runs or more of them."""
    held = ({seed: run for seed, run in each.items() if SLOPE.premise_held(run)} for each in runs)
    there = [each for each in held if len(each) > 1]
    slopes = [found.mean for each in there if (found := _slope(each))]
    return Judged(
        SLOPE,
        world,
        tuple(map(_slope, runs)),
        not any(map(_steeper, runs)),
        _held(SLOPE, [run for each in runs for run in each.values()]),
        Worded(max(slopes), SLOPE.words) if slopes else None,
        not any(map(_steeper, there)) if there else None,
    )


def _slope(runs: dict[int, Run]) -> Difference | None:
    """The mean slope with its interval, None with fewer than two runs."""
    return interval({seed: run.extra["slope"] for seed, run in runs.items()})


def _steeper(runs: dict[int, Run]) -> bool:
    """Whether the slope is above the claimed one beyond chance."""
    slopes, claimed = (
        {seed: run.extra[name] for seed, run in runs.items()} for name in ("slope", "claimed_slope")
    )
    found = paired(slopes, claimed)
    return found is not None and found.low > 0.0


def _said() -> ReportTable:
    rows = [
        [each.name, each.says, "; ".join(premise.words for premise in each.premises) or "no more"]
        for each in (*STATEMENTS, SLOPE)
    ]
    columns = texts("statement", "says", "assumes")
    return ReportTable("theory-said", "What the paper says and assumes", columns, rows)


def _by_arms(
    name: str, title: str, head: str, judged: Iterable[Judged], *, held: bool = False
) -> ReportTable:
    """What was found with each number of arms, and whether it holds or how often it held."""
    columns = [
        *texts(head, "world"),
        *(Column(f"{n_arms} arms", Worded) for n_arms in ARMS),
        Column("held", Share) if held else Column("holds"),
    ]
    rows: list[list[Value]] = [
        [
            each.statement.name,
            str(each.world),
            *each.shown,
            each.held if held else _word(each.holds),
        ]
        for each in judged
    ]
    return ReportTable(name, title, columns, rows)


def _slopes_table(findings: Findings) -> ReportTable:
    columns = [
        Column("world"),
        Column("arms", int),
        Column("slope", Difference),
        Column("claimed", float, ".2f"),
        Column("holds"),
    ]
    rows: list[list[Value]] = [
        [
            str(world),
            n_arms,
            slope,
            mean(run.extra["claimed_slope"] for run in runs.values()),
            _word(not _steeper(runs)),
        ]
        for world in SLOPE.worlds
        for n_arms in ARMS
        if (slope := _slope(runs := findings.runs(world, n_arms)))
    ]
    note = (
        "Of log regret over log rounds, in the last two decades, with its 95 % interval. Claimed "
        "is 0.5 and the share of the logarithm in sqrt(T log T): the claim holds unless the "
        "slope is above that beyond chance."
    )
    return ReportTable("theory-slopes", "Theorem 1's slope, over all runs", columns, rows, note)


def _there_table(judged: Iterable[Judged]) -> ReportTable:
    columns = [
        *texts("statement", "world"),
        Column("premise held", Share),
        Column("found there", Worded),
        Column("holds there"),
    ]
    rows = [
        [each.statement.name, str(each.world), each.held, each.there, each.verdict]
        for each in judged
    ]
    note = (
        '"Premise held" counts the runs in which all that is assumed held throughout. Found there '
        "is the worst of them; for lemmas on widths, of all rounds in which it held. "
        f'"{UNTESTED}": nowhere, so nothing is tested.'
    )
    title = "The same, only where what is assumed holds"
    return ReportTable("theory-there", title, columns, rows, note)


def _attention_rows(findings: Findings) -> list[tuple[str, Worded, str]]:
    off, rises = "off by {:.1e} at most, " + f"{PLACES:,} places", "rises in {:.0%} of places"
    rows = []
    for run in findings.runs(ATTENTION, 0).values():
        for claim, measure, words, limit in (
            ("the derivative, the sum of rewards and g held fixed", "fixed", off, 1e-5),
            ("the same, g moving with the arm's mean as it is defined (two arms)", "own",
             "off by {:.0%} at the median", 1e-5),
            ("exploration falls as an arm is played, rewards within 0 and 1", "rising_positive",
             rises, 0.0),
            ("exploration falls as an arm is played, rewards within -1 and 1", "rising",
             rises, 0.0),
        ):  # fmt: skip
            found = run.extra[measure]
            rows.append((claim, Worded(found, words), _word(found <= limit)))
    return rows


def _named(judged: Iterable[Judged]) -> str:
    """Statements about rounds with the number of these: one round is not a run."""
    names = dict.fromkeys(
        f"{each.statement.name}, {str(each.there).removeprefix('broken ')}"
        if each.statement.of_rounds and each.there
        else each.statement.name
        for each in judged
    )
    return f" ({'; '.join(names)})" if names else ""


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
    return YES if holds else NO
