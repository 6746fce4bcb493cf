"""Seeing as much of a co-authorship network as 1,000 probes allow."""

from __future__ import annotations

from typing import Any

from hybandit.experiments.experiment import Cell, Experiment, Findings, Model, Scale
from hybandit.experiments.section import Column, Lines, Section, Table
from hybandit.experiments.specs import EnvironmentSpec, PolicySpec
from hybandit.experiments.spread import Difference, Spread

PAPERS = Model("LNUCB-TA", PolicySpec("lnucb-ta"))
MODELS = (
    PAPERS,
    Model("k-NN epsilon-greedy", PolicySpec("knn-epsilon-greedy")),
    Model("attention k-NN epsilon-greedy", PolicySpec("attention-knn-epsilon-greedy")),
    Model("k-NN UCB (Madhawa, Murata)", PolicySpec("probing-knn-ucb")),
    Model("LinUCB", PolicySpec("lin-ucb")),
    Model("random", PolicySpec("random-node")),
    Model("highest degree", PolicySpec("highest-degree")),
)
GRAPH = "AstroPh"


class Network(Experiment):
    """New nodes by probe."""

    id = "network"
    title = "Exploring a network"

    def cells(self, scale: Scale) -> tuple[Cell, ...]:
        environment = EnvironmentSpec("network", {"budget": _budget(scale)})
        runs = scale.count(full=5, quick=2)
        return tuple(
            Cell.of(model, GRAPH, environment, model.policy, runs=runs, seed=scale.seed)
            for model in MODELS
        )

    def section(self, findings: Findings) -> Section:
        scale = findings.scale
        about = (
            "Giant component of ca-AstroPh (17,903 nodes), 5 % seen at the start by a random walk, "
            f"then {_budget(scale):,} probes, {scale.count(full=5, quick=2)} seeds. The paper "
            "leaves sampler, features and budget open; ours: degree, mean and median neighbour "
            "degree and share of probed neighbours, each over its largest. Policies rank the "
            "candidates as contexts of one arm."
        )
        rows: list[list[Any]] = [
            [
                str(model),
                findings.spread(model, GRAPH, "reward"),
                None if model == PAPERS else findings.difference(model, PAPERS, GRAPH, "reward"),
                findings.spread(model, GRAPH, "seconds"),
            ]
            for model in MODELS
        ]
        table = Table(
            self.id,
            "New nodes seen: mean ± sd over seeds",
            [
                Column("rule"),
                Column("new nodes", Spread),
                Column(f"more than {PAPERS}", Difference),
                Column("seconds", Spread),
            ],
            rows,
            note="Difference at equal seeds, with its 95 % interval.",
        )
        picture = Lines(
            self.id,
            "Nodes seen for the first time, by probe; bands are one sd over seeds.",
            {"AstroPh, 5 % seen at the start": findings.lines(GRAPH, MODELS, "rewards")},
            "probe",
            "new nodes",
        )
        return Section(self.id, self.title, about, [table], [picture], _notes(findings))


def _budget(scale: Scale) -> int:
    return 200 if scale.quick else 1000


def _notes(findings: Findings) -> list[str]:
    means = {
        model: found.mean for model in MODELS if (found := findings.spread(model, GRAPH, "reward"))
    }
    if PAPERS not in means:
        return []
    ranked = sorted(means, key=lambda model: means[model], reverse=True)
    return [
        f"The paper's figure has {PAPERS} ahead of all. With our reading of what it leaves "
        f"open it comes number {ranked.index(PAPERS) + 1} of {len(ranked)}; {ranked[0]} saw most."
    ]
