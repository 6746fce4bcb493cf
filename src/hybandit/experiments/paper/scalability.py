"""Reward and run time as the stream and the neighbourhood grow."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from hybandit.experiments.experiment import Cell, Experiment, Findings, Model, Scale
from hybandit.experiments.judgements import Claim, Verdict, ratios
from hybandit.experiments.paper.news import HELD, NEIGHBOURS
from hybandit.experiments.published import published
from hybandit.experiments.section import (
    Column,
    Line,
    Lines,
    Published,
    PublishedRun,
    Section,
    Table,
)
from hybandit.experiments.specs import EnvironmentSpec, PolicySpec
from hybandit.experiments.spread import Spread

STEPS = (2500, 5000, 7500)
ALPHAS = (0.1, 1.0, 10.0)
SMALLEST_K, *LARGER_K = (5, 10, 20, 50)
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
class Printed(Model):
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


def growing(name: str, largest: int) -> Model:
    """A model at alpha 1 with up to so many neighbours."""
    if largest == SMALLEST_K:
        return next(model for model in printed(1.0) if model.name == name)
    policy = PolicySpec(GROWING[name], {"alpha": 1.0, "k_max": largest})
    return Model(name, policy, f"1, k to {largest}")


def models(data: str) -> list[Model]:
    """All models on the small data set, a few on the large one."""
    if data == "mnist":
        return [*printed(ALPHAS[0])]
    reference = PolicySpec("reference-lnucb-ta", {"alpha": 1.0})
    return [
        *(model for alpha in ALPHAS for model in printed(alpha)),
        Model("LNUCB-TA", reference, "1, plain NumPy"),
        *(growing(name, largest) for largest in LARGER_K for name in GROWING),
    ]


def streams(scale: Scale) -> list[Stream]:
    if scale.quick:
        return [Stream("digits", STEPS[0])]
    return [Stream(data, steps) for data in ("digits", "mnist") for steps in STEPS]


class Scalability(Experiment):
    """A stand-in for the paper's article matching table."""

    id = "scalability"
    title = "Reward and run time by steps and k"
    quick_compares = False
    reasons = (
        "The article matching rewards cannot come from this log, which holds about 1,000 "
        "matches. Run times are held as ratios to (Lin+k-NN)-UCB's, on the digits stream."
    )

    def cells(self, scale: Scale) -> tuple[Cell, ...]:
        runs = scale.count(full=2, quick=1)
        return tuple(
            Cell.of(
                model, stream, stream.environment, model.policy, runs=runs, seed=scale.seed
            )
            for stream in streams(scale)
            for model in models(stream.data)
        )  # fmt: skip

    def section(self, findings: Findings) -> Section:
        about = (
            "A stand-in for the paper's article matching data, of which this log has too few "
            "matches: the digits stream, gone through again and again, and MNIST. "
            f"{findings.scale.count(full=2, quick=1)} runs."
        )
        by_data: dict[str, list[Stream]] = {}
        for stream in streams(findings.scale):
            by_data.setdefault(stream.data, []).append(stream)
        tables = [_table(findings, data, found) for data, found in by_data.items()]
        picture = Lines(
            "scalability",
            "Run time on the digits stream by the largest k, alpha 1; one line for each length.",
            {"": _lines(findings, by_data["digits"])},
            "largest k",
            "seconds",
            marked=True,
        )
        return Section(self.id, self.title, about, tables, [picture], list(_run_time(findings)))

    def verdicts(self, findings: Findings) -> list[Verdict]:
        return [
            verdict
            for alpha in ALPHAS
            for steps in STEPS
            for model in printed(alpha)
            for verdict in _verdicts(findings, model, Stream("digits", steps))
        ]

    def claims(self, findings: Findings) -> list[Claim]:
        told, fastest = [], []
        for largest in (SMALLEST_K, *LARGER_K):
            ratio = _ratio(findings, STEPS[-1], largest)
            if ratio is None:
                return []
            told.append(f"{ratio.mean:.2f} at k {largest}")
            fastest.append(ratio.mean < 1.0)
        found = f"{PAPERS}'s run time over {VANILLA}'s, {STEPS[-1]:,} steps: {', '.join(told)}"
        claim = f"{PAPERS} takes less time than {VANILLA}, the more so as k grows"
        return [Claim(self.id, claim, found, all(fastest))]


def _run_time(findings: Findings) -> Iterator[str]:
    """LNUCB-TA's beside that of the plain sum, here and in print."""
    ratio = _ratio(findings, STEPS[-1], SMALLEST_K)
    if ratio is None:
        return
    theirs = [published()["matching"][name]["1"]["7500"][1] for name in (PAPERS, VANILLA)]
    word = "less" if ratio.mean < 1.0 else "more"
    yield (
        f"LNUCB-TA takes {word} time than (Lin+k-NN)-UCB, {ratio.mean:.2f} times as much in "
        f"{STEPS[-1]:,} rounds of digits; the paper prints {theirs[0] / theirs[1]:.2f} on its "
        "own log."
    )


def _verdicts(findings: Findings, model: Printed, stream: Stream) -> list[Verdict]:
    """The reward, for which there are no data, and the run time as a ratio."""
    found = model.published(stream)
    reference = next(each for each in printed(model.alpha) if each.name == VANILLA)
    theirs = reference.published(stream)
    assert found is not None
    assert theirs is not None
    name = f"{model}, {stream.steps:,} steps"
    lines = [Verdict.of("scalability", f"{name}: matches' reward", Published(found.reward), None)]
    ours = ratios(*(findings.values(one, stream, "seconds") for one in (model, reference)))
    if model.name != VANILLA and ours:
        ratio = Published(found.seconds / theirs.seconds, digits=3)
        lines.append(Verdict.of("scalability", f"{name}: run time over {VANILLA}'s", ratio, ours))
    return lines


def _ratio(findings: Findings, steps: int, largest: int) -> Spread | None:
    """LNUCB-TA's run time over that of the plain sum."""
    stream = Stream("digits", steps)
    return ratios(
        *(findings.values(growing(name, largest), stream, "seconds") for name in (PAPERS, VANILLA))
    )


def _table(findings: Findings, data: str, found: list[Stream]) -> Table:
    columns = [Column("model, alpha")]
    for stream in found:
        steps = f"{stream.steps:,}"
        columns += [
            Column(f"{steps}: reward", Spread, name=f"{stream.steps} reward"),
            Column("seconds", Spread, name=f"{stream.steps} seconds"),
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
    return Table(
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
                for k in (SMALLEST_K, *LARGER_K)
                if (spread := findings.spread(growing(name, k), stream, "seconds"))
            ]
            label = f"{name}, {stream.steps:,} steps"
            lines.append(Line(label, policy, [k for k, _ in places], [t for _, t in places]))
    return lines
