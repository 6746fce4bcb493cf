"""Models a to d: what each part adds."""

from __future__ import annotations

import statistics
from typing import Any

from hybandit.experiments.experiment import Cell, Experiment, Findings, Scale
from hybandit.experiments.paper.news import ARM, SHARED
from hybandit.experiments.paper.parameters import FINE
from hybandit.experiments.published import published
from hybandit.experiments.section import Boxes, Column, PublishedShare, Section, Table
from hybandit.experiments.specs import PolicySpec, Settings
from hybandit.experiments.spread import Spread

CONTEXTS = (ARM, SHARED)
# By label: the paper's letter, where it is one of the paper's, the policy and its settings.
MODELS: dict[str, tuple[str | None, str, Settings]] = {
    "a: LinUCB": ("a", "lin-ucb", {}),
    "b: with attention": ("b", "lin-ucb", {"rate": "attention"}),
    "c: with neighbours": ("c", "lin-knn-ucb", {}),
    "d: LNUCB-TA": ("d", "lnucb-ta", {}),
    "d, fitting rewards": (None, "lnucb-ta", {"target": "reward"}),
}


class Ablation(Experiment):
    """The spread of each model over exploration rates and seeds."""

    id = "ablation"
    title = "Ablation: models a to d"

    def cells(self, scale: Scale) -> tuple[Cell, ...]:
        return tuple(
            Cell.of(
                model,
                (contexts, alpha),
                contexts.environment,
                PolicySpec(policy, {**settings, "alpha": alpha}),
                runs=scale.count(full=5, quick=2),
                seed=scale.seed,
            )
            for contexts in CONTEXTS
            for model, (_, policy, settings) in MODELS.items()
            for alpha in FINE
        )

    def section(self, findings: Findings) -> Section:
        found = {
            contexts: {
                model: [
                    value
                    for alpha in FINE
                    for value in findings.values(model, (contexts, alpha), "mean reward").values()
                ]
                for model in MODELS
            }
            for contexts in CONTEXTS
        }
        rows: list[list[Any]] = []
        for model, (letter, _, _) in MODELS.items():
            line: list[Any] = [model]
            for contexts in CONTEXTS:
                each = found[contexts][model]
                line += [Spread.of(each), statistics.median(each)] if each else [None, None]
            printed = published()["ablation"][letter] if letter else None
            rows.append([*line, PublishedShare(*printed) if printed else None])
        table = Table(
            "ablation",
            "Mean reward over all alphas and seeds",
            [
                Column("model"),
                Column("arm: mean ± sd", Spread, name="arm"),
                Column("median", float, ".2f", name="arm median"),
                Column("shared: mean ± sd", Spread, name="shared"),
                Column("median", float, ".2f", name="shared median"),
                Column("published", PublishedShare),
            ],
            rows,
            note="The spread is over alphas and seeds: how little a model depends on alpha.",
        )
        alphas = ", ".join(f"{alpha:g}" for alpha in FINE)
        runs = findings.scale.count(full=5, quick=2)
        about = f"Mean reward over 800 matches of the news log, alpha {alphas}, {runs} seeds."
        boxes = Boxes(
            "ablation",
            "Mean reward over alphas and seeds: median, quartiles and range.",
            {f"contexts: {contexts}": found[contexts] for contexts in CONTEXTS},
            "mean reward",
        )
        return Section(self.id, self.title, about, [table], [boxes])
