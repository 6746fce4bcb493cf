"""Seeing as much of a co-authorship network as 1,000 probes allow."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from hybandit.experiments.experiment import Cell, Effort, Findings, Row, table_of
from hybandit.experiments.specs import EnvironmentSpec, PolicySpec
from hybandit.paper.experiment import PaperExperiment
from hybandit.paper.experiments.headline import PAPERS
from hybandit.paper.judgement.judgements import Claim, claims_more
from hybandit.reports.section import Column, Lines, Section, Sentence, Value
from hybandit.reports.spread import Difference, Spread

GREEDY = Row("k-NN epsilon-greedy", PolicySpec("knn-epsilon-greedy"))
ATTENTION = Row("attention k-NN epsilon-greedy", PolicySpec("attention-knn-epsilon-greedy"))
MODELS = (
    PAPERS,
    GREEDY,
    ATTENTION,
    Row("k-NN UCB (Madhawa, Murata)", PolicySpec("probing-knn-ucb")),
    Row("LinUCB", PolicySpec("lin-ucb")),
    Row("random", PolicySpec("random-node")),
    Row("highest degree", PolicySpec("highest-degree")),
)
# How rewards are scaled before they are learned: by the largest so far, or all alike.
RUNNING, FIXED = "running scale", "fixed scale"
SCALES = {RUNNING: None, FIXED: 100.0}
BUDGET = 1000, 200


class Network(PaperExperiment):
    """New nodes by probe."""

    id = "network"
    title = "Exploring a network"

    def _cells(self, effort: Effort) -> tuple[Cell, ...]:
        environments = {
            name: EnvironmentSpec("network", {"budget": effort.rounds(*BUDGET), "scale": divisor})
            for name, divisor in SCALES.items()
        }
        return tuple(
            model.cell(name, environment, effort.seeds(full=5))
            for name, environment in environments.items()
            for model in MODELS
        )

    def section(self, findings: Findings) -> Section:
        effort = findings.effort
        about = (
            "Giant component of ca-AstroPh (17,903 nodes), 5 % seen at the start by a random walk, "
            f"then {effort.rounds(*BUDGET):,} probes, {effort.count(full=5)} seeds. The paper "
            "leaves sampler, features and budget open; ours: degree, mean and median neighbour "
            "degree and share of probed neighbours, each over its largest. Policies rank the "
            f"candidates as contexts of one arm. Rewards are learned over the largest ({RUNNING}), "
            f"or over {SCALES[FIXED]:g} ({FIXED})."
        )
        columns: dict[Column, Callable[[Row], Value]] = {}
        for name in SCALES:
            more = Column(f"more than {PAPERS}", Difference, name=f"{name}, more than {PAPERS}")
            seconds = Column("CPU seconds", Spread, name=f"{name}, seconds")
            columns |= {
                Column(f"new nodes, {name}", Spread): findings.of(name, "reward"),
                more: partial(_more, findings, name=name),
                seconds: findings.of(name, "seconds"),
            }
        note = "Difference at equal seeds, with its 95 % interval."
        title = "New nodes seen: mean ± sd over seeds"
        table = table_of(self.id, title, "rule", MODELS, columns, note)
        picture = Lines(
            self.id,
            "Nodes seen for the first time, by probe; bands are one sd over seeds.",
            findings.panels(findings.columns, MODELS, "rewards"),
            "probe",
            "new nodes",
        )
        return Section(self.id, self.title, about, [table], [picture])

    def claims(self, findings: Findings) -> list[Claim]:
        return [claim for name in SCALES for claim in _claims(findings, name)]

    def conclusions(self, findings: Findings) -> list[Sentence]:
        places = {name: _ranked(findings, name) for name in SCALES}
        if not all(places.values()):
            return []
        told = " and ".join(
            f"number {ranked.index(PAPERS) + 1} of {len(ranked)} by a {name} "
            f"({_beside_the_best(findings, ranked, name)})"
            for name, ranked in places.items()
        )
        text = f"Exploring a network, LNUCB-TA is {told}."
        return [Sentence(text, self.id)]


def _claims(findings: Findings, name: str) -> list[Claim]:
    nodes = {model: findings.values(model, name, "reward") for model in MODELS}
    rivals = {f"than {model}": (nodes[PAPERS], nodes[model]) for model in MODELS[1:]}
    attention = {"with attention": (nodes[ATTENTION], nodes[GREEDY])}
    return claims_more(Network.id, {
        f"LNUCB-TA sees most nodes ({name})": rivals,
        f"k-NN epsilon-greedy sees more nodes with attention ({name})": attention,
    })  # fmt: skip


def _beside_the_best(findings: Findings, ranked: list[Row], name: str) -> str:
    """The best of the others, and how much more or less it sees than LNUCB-TA."""
    best = next(model for model in ranked if model != PAPERS)
    gap = findings.difference(best, PAPERS, name, "reward")
    told = f", which sees {gap.in_words()}" if gap else ""
    return f"best of the others: {best}{told}"


def _more(findings: Findings, model: Row, name: str) -> Difference | None:
    return None if model == PAPERS else findings.difference(model, PAPERS, name, "reward")


def _ranked(findings: Findings, name: str) -> list[Row]:
    """Who saw most first; nothing before all have finished."""
    means = {
        model: found.mean for model in MODELS if (found := findings.spread(model, name, "reward"))
    }
    if len(means) < len(MODELS):
        return []
    return sorted(means, key=lambda model: means[model], reverse=True)
