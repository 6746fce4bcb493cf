"""Reward and run time as the stream and the neighbourhood grow."""

from __future__ import annotations

import statistics
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from hybandit.experiments.experiment import Cell, Effort, Findings, Row
from hybandit.experiments.specs import EnvironmentSpec, PolicySpec
from hybandit.paper.experiment import PaperExperiment
from hybandit.paper.experiments.news_models import HELD, NEIGHBOURS
from hybandit.paper.experiments.parameters import STABLE
from hybandit.paper.judgement.judgements import Claim, Verdict, claim_more, claim_within, ratios
from hybandit.paper.judgement.published import published
from hybandit.paper.judgement.values import Published, PublishedRun
from hybandit.reports.section import Column, Line, Lines, ReportTable, Section
from hybandit.reports.spread import Spread

STEPS = (2500, 5000, 7500)
ALPHAS = (0.1, 1.0, 10.0)
KS = (5, 10, 20, 50)
SMALLEST_K, *LARGER_K = KS
PAPERS, VANILLA = "LNUCB-TA", "(Lin+k-NN)-UCB"
GROWING = {VANILLA: "lin-knn-ucb", PAPERS: "lnucb-ta"}


@dataclass(frozen=True)
class Stream:
    """So many rounds of a data set."""

    data: str
    steps: int

    @property
    def environment(self) -> EnvironmentSpec:
        settings = {"data": self.data, "encoding": "standard", "rounds": self.steps}
        return EnvironmentSpec("classification", settings)


@dataclass(frozen=True)
class Printed(Row):
    """A model of the paper's table, at its alpha."""

    alpha: float = 1.0

    def published(self, stream: Stream) -> PublishedRun | None:
        """The paper's reward and seconds, on other data."""
        values = published()["matching"][self.name][f"{self.alpha:g}"].get(str(stream.steps))
        return PublishedRun(*values) if values else None


def printed(alpha: float) -> list[Printed]:
    """The models of the paper's table."""
    policies = {
        "LinUCB": PolicySpec("lin-ucb", {"alpha": alpha}),
        "k-NN UCB": PolicySpec("knn-ucb", {"theta": alpha, **NEIGHBOURS[HELD]}),
        **{name: PolicySpec(policy, {"alpha": alpha}) for name, policy in GROWING.items()},
    }
    return [Printed(name, policy, f"{alpha:g}", alpha) for name, policy in policies.items()]


def growing(name: str, largest: int) -> Row:
    """A model at alpha 1 with up to so many neighbours."""
    if largest == SMALLEST_K:
        return next(model for model in printed(1.0) if model.name == name)
    policy = PolicySpec(GROWING[name], {"alpha": 1.0, "k_max": largest})
    return Row(name, policy, f"1, k to {largest}")


def models(data: str) -> list[Row]:
    """All models on the small data set, a few on the large one."""
    if data == "mnist":
        return [*printed(ALPHAS[0])]
    reference = PolicySpec("reference-lnucb-ta", {"alpha": 1.0})
    return [
        *(model for alpha in ALPHAS for model in printed(alpha)),
        Row("LNUCB-TA", reference, "1, plain NumPy"),
        *(growing(name, largest) for largest in LARGER_K for name in GROWING),
    ]


def streams(effort: Effort) -> list[Stream]:
    if effort.quick:
        return [Stream("digits", STEPS[0])]
    return [Stream(data, steps) for data in ("digits", "mnist") for steps in STEPS]


class Scalability(PaperExperiment):
    """A stand-in for the paper's article matching table."""

    id = "scalability"
    title = "Reward and run time by steps and k"
    quick_compares = False
    reasons = (
        "The article matching rewards and run times cannot come from this log, which holds about "
        "1,000 matches; claims about run times are held on the digits stream."
    )

    def _cells(self, effort: Effort) -> tuple[Cell, ...]:
        return tuple(
            model.cell(stream, stream.environment, _seeds(effort, stream.data))
            for stream in streams(effort)
            for model in models(stream.data)
        )

    def section(self, findings: Findings) -> Section:
        about = (
            "A stand-in for the paper's article matching data, of which this log has too few "
            "matches: the digits stream, repeated, and MNIST. "
            f"{len(_seeds(findings.effort, 'digits'))} runs of digits, "
            f"{len(_seeds(findings.effort, 'mnist'))} of MNIST."
        )
        by_data: dict[str, list[Stream]] = {}
        for stream in streams(findings.effort):
            by_data.setdefault(stream.data, []).append(stream)
        tables = [_table(findings, data, found) for data, found in by_data.items()]
        picture = Lines(
            "scalability",
            "Run time on the digits stream by the largest k, alpha 1; one line for each length.",
            {"": _lines(findings, by_data["digits"])},
            "largest k",
            "CPU seconds",
            marked=True,
        )
        return Section(self.id, self.title, about, tables, [picture], list(_run_time(findings)))

    def verdicts(self, findings: Findings) -> list[Verdict]:
        return [
            verdict
            for alpha in ALPHAS
            for steps in STEPS
            for model in printed(alpha)
            for verdict in _verdicts(model, steps)
        ]

    def claims(self, findings: Findings) -> list[Claim]:
        """By CPU seconds of the longest digits stream."""
        own, plain = ({k: _seconds(findings, name, k) for k in KS} for name in (PAPERS, VANILLA))
        if not all([*own.values(), *plain.values()]):
            return []
        first, last = KS[0], KS[-1]
        ratio = {k: _over(own[k], plain[k]) for k in (first, last)}
        margin = STABLE * statistics.mean(own[first].values())
        told = f"{PAPERS}'s run time hardly grows (within {STABLE:.0%}) from k {first} to {last}"
        return [
            *claim_more(
                self.id,
                f"{PAPERS} takes less time than {VANILLA} at every k (CPU seconds saved)",
                {f"k {k}": (plain[k], own[k]) for k in KS},
            ),
            *claim_more(
                self.id,
                f"the more so as k grows (ratio of run times, k {first} less k {last})",
                {"falls by": (ratio[first], ratio[last])},
            ),
            *claim_within(self.id, told, {"seconds more": (own[last], own[first])}, margin),
        ]


def _seeds(effort: Effort, data: str) -> range:
    """Run times are compared on digits; MNIST's only shown."""
    return effort.seeds(full=10 if data == "digits" else 3)


def _seconds(findings: Findings, name: str, largest: int) -> dict[int, float]:
    """By seed, of the longest digits stream."""
    return findings.values(growing(name, largest), Stream("digits", STEPS[-1]), "seconds")


def _over(values: dict[int, float], reference: dict[int, float]) -> dict[int, float]:
    """Ratios at equal seeds."""
    return {seed: value / reference[seed] for seed, value in values.items() if seed in reference}


def _run_time(findings: Findings) -> Iterator[str]:
    """LNUCB-TA's beside that of the plain sum, here and in print."""
    ratio = ratios(*(_seconds(findings, name, SMALLEST_K) for name in (PAPERS, VANILLA)))
    if ratio is None:
        return
    theirs = [published()["matching"][name]["1"]["7500"][1] for name in (PAPERS, VANILLA)]
    yield (
        f"LNUCB-TA takes {ratio.mean:.2f} of the time of (Lin+k-NN)-UCB in {STEPS[-1]:,} rounds of "
        f"digits; the paper prints {theirs[0] / theirs[1]:.2f} on its own log."
    )


def _verdicts(model: Printed, steps: int) -> list[Verdict]:
    """The reward and the run time, for both of which there are no data."""
    found = model.published(Stream("digits", steps))
    assert found is not None
    numbers = {
        "matches' reward": Published(found.reward),
        "seconds": Published(found.seconds, digits=2),
    }
    return [
        Verdict.of("scalability", f"{model}, {steps:,} steps: {what}", printed, None)
        for what, printed in numbers.items()
    ]


def _table(findings: Findings, data: str, found: list[Stream]) -> ReportTable:
    columns = [Column("model, alpha")]
    for stream in found:
        steps = f"{stream.steps:,}"
        columns += [
            Column(f"{steps}: reward", Spread, name=f"{stream.steps} reward"),
            Column("CPU seconds", Spread, name=f"{stream.steps} seconds"),
            Column("published*", PublishedRun, name=f"{stream.steps} published"),
        ]
    rows = []
    for model in models(data):
        line: list[Any] = [str(model)]
        for stream in found:
            line += [
                findings.spread(model, stream, "reward"),
                findings.spread(model, stream, "seconds"),
                model.published(stream) if isinstance(model, Printed) else None,
            ]
        if any(reward is not None for reward in line[1::3]):
            rows.append(line)
    return ReportTable(
        f"scalability-{data}",
        f"The {data} stream",
        columns,
        rows,
        note="* on the paper's article matching data, which this log does not hold.",
    )


def _lines(findings: Findings, found: list[Stream]) -> list[Line]:
    lines = []
    for stream in found:
        for name, policy in GROWING.items():
            places = [
                (k, spread.mean)
                for k in KS
                if (spread := findings.spread(growing(name, k), stream, "seconds"))
            ]
            label = f"{name}, {stream.steps:,} steps"
            lines.append(Line(label, policy, [k for k, _ in places], [t for _, t in places]))
    return lines
