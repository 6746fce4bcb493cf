"""Seeing as much of a co-authorship network as 1,000 probes allow."""

from __future__ import annotations

from typing import Any

from hybandit.experiments.experiment import Cell, Experiment, Findings, Model, Scale
from hybandit.experiments.judgements import Claim
from hybandit.experiments.section import Column, Lines, Section, Sentence, Table
from hybandit.experiments.specs import EnvironmentSpec, PolicySpec
from hybandit.experiments.spread import Difference, Spread

PAPERS = Model("LNUCB-TA", PolicySpec("lnucb-ta"))
GREEDY = Model("k-NN epsilon-greedy", PolicySpec("knn-epsilon-greedy"))
ATTENTION = Model("attention k-NN epsilon-greedy", PolicySpec("attention-knn-epsilon-greedy"))
MODELS = (
    PAPERS,
    GREEDY,
    ATTENTION,
    Model("k-NN UCB (Madhawa, Murata)", PolicySpec("probing-knn-ucb")),
    Model("LinUCB", PolicySpec("lin-ucb")),
    Model("random", PolicySpec("random-node")),
    Model("highest degree", PolicySpec("highest-degree")),
)
# How rewards are scaled before they are learned: by the largest so far, or all alike.
RUNNING, FIXED = "running scale", "fixed scale"
SCALES = {RUNNING: None, FIXED: 100.0}


class Network(Experiment):
    """New nodes by probe."""

    id = "network"
    title = "Exploring a network"

    def cells(self, scale: Scale) -> tuple[Cell, ...]:
        runs = scale.count(full=5, quick=2)
        return tuple(
            Cell.of(
                model,
                name,
                EnvironmentSpec("network", {"budget": _budget(scale), "scale": divisor}),
                model.policy,
                runs=runs,
                seed=scale.seed,
            )
            for name, divisor in SCALES.items()
            for model in MODELS
        )

    def section(self, findings: Findings) -> Section:
        scale = findings.scale
        about = (
            "Giant component of ca-AstroPh (17,903 nodes), 5 % seen at the start by a random walk, "
            f"then {_budget(scale):,} probes, {scale.count(full=5, quick=2)} seeds. The paper "
            "leaves sampler, features and budget open; ours: degree, mean and median neighbour "
            "degree and share of probed neighbours, each over its largest. Policies rank the "
            "candidates as contexts of one arm. They learn a reward over the largest so far "
            f"({RUNNING}), which makes the same probe worth less later, or over "
            f"{SCALES[FIXED]:g} ({FIXED})."
        )
        columns = [Column("rule")]
        for name in SCALES:
            columns += [
                Column(f"new nodes, {name}", Spread),
                Column(f"more than {PAPERS}", Difference, name=f"{name}, more than {PAPERS}"),
                Column("seconds", Spread, name=f"{name}, seconds"),
            ]
        rows = [
            [str(model), *(entry for name in SCALES for entry in _entries(findings, model, name))]
            for model in MODELS
        ]
        table = Table(
            self.id,
            "New nodes seen: mean ± sd over seeds",
            columns,
            rows,
            note="Difference at equal seeds, with its 95 % interval.",
        )
        picture = Lines(
            self.id,
            "Nodes seen for the first time, by probe; bands are one sd over seeds.",
            {name: lines for name in SCALES if (lines := findings.lines(name, MODELS, "rewards"))},
            "probe",
            "new nodes",
        )
        return Section(self.id, self.title, about, [table], [picture])

    def claims(self, findings: Findings) -> list[Claim]:
        return [
            claim
            for name in SCALES
            if (ranked := _ranked(findings, name))
            for claim in (
                Claim(
                    self.id,
                    f"LNUCB-TA sees most nodes ({name})",
                    f"number {ranked.index(PAPERS) + 1} of {len(ranked)}; most: {ranked[0]}",
                    ranked[0] == PAPERS,
                ),
                Claim(
                    self.id,
                    f"k-NN epsilon-greedy sees more nodes with attention ({name})",
                    f"number {ranked.index(ATTENTION) + 1}, without it {ranked.index(GREEDY) + 1}",
                    ranked.index(ATTENTION) < ranked.index(GREEDY),
                ),
            )
        ]

    def conclusions(self, findings: Findings) -> list[Sentence]:
        places = {name: _ranked(findings, name) for name in SCALES}
        if not all(places.values()):
            return []
        told = " and ".join(
            f"number {ranked.index(PAPERS) + 1} of {len(ranked)} by a {name} (most: {ranked[0]})"
            for name, ranked in places.items()
        )
        text = f"In exploring a network, where the paper has it ahead of all, LNUCB-TA is {told}."
        return [Sentence(text, self.id)]


def _budget(scale: Scale) -> int:
    return 200 if scale.quick else 1000


def _entries(findings: Findings, model: Model, name: str) -> list[Any]:
    return [
        findings.spread(model, name, "reward"),
        None if model == PAPERS else findings.difference(model, PAPERS, name, "reward"),
        findings.spread(model, name, "seconds"),
    ]


def _ranked(findings: Findings, name: str) -> list[Model]:
    """Who saw most first; nothing before all have finished."""
    means = {
        model: found.mean for model in MODELS if (found := findings.spread(model, name, "reward"))
    }
    if len(means) < len(MODELS):
        return []
    return sorted(means, key=lambda model: means[model], reverse=True)
