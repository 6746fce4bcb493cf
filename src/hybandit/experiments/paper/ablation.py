"""Models a to d: what each part adds."""

from __future__ import annotations

import statistics
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from hybandit.experiments.experiment import Cell, Experiment, Findings, Scale
from hybandit.experiments.judgements import Claim, Verdict
from hybandit.experiments.paper.news import ARM, SHARED, Contexts
from hybandit.experiments.paper.parameters import FINE
from hybandit.experiments.published import published
from hybandit.experiments.section import (
    Boxes,
    Column,
    Published,
    PublishedShare,
    Section,
    Table,
)
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


BY_LETTER = {letter: model for model, (letter, _, _) in MODELS.items() if letter}
# What is printed of a model, and how it is gathered over the alphas of a seed.
GATHERED: dict[str, Callable[[Sequence[float]], float]] = {
    "mean": statistics.mean,
    "sd": statistics.stdev,
    "median": statistics.median,
}


class Ablation(Experiment):
    """The spread of each model over exploration rates and seeds."""

    id = "ablation"
    title = "Ablation: models a to d"
    reasons = (
        "The paper does not say which rates its numbers are over; ours are over the six of its "
        "table of parameters, arm contexts."
    )

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
            printed = published()["ablation"][letter] if letter else {}
            share = PublishedShare(printed.get("mean"), printed.get("sd")) if printed else None
            rows.append([*line, share])
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
        return Section(self.id, self.title, about, [table], [boxes], list(_moved(findings)))

    def verdicts(self, findings: Findings) -> list[Verdict]:
        return [
            Verdict.of(self.id, f"{BY_LETTER[letter]}: {what}", Published(value, digits=2), ours)
            for letter, printed in published()["ablation"].items()
            for what, value in printed.items()
            if (ours := gathered(findings, BY_LETTER[letter], ARM, what))
        ]

    def claims(self, findings: Findings) -> list[Claim]:
        found = {
            letter: (gathered(findings, model, ARM, "mean"), gathered(findings, model, ARM, "sd"))
            for letter, model in BY_LETTER.items()
        }
        means = {letter: mean.mean for letter, (mean, _) in found.items() if mean}
        sds = {letter: sd.mean for letter, (_, sd) in found.items() if sd}
        if len(sds) < len(BY_LETTER):
            return []
        best, steadiest = max(means, key=lambda each: means[each]), min(sds, key=lambda e: sds[e])
        told = f"highest mean: {best} ({means[best]:.2f}); steadiest: {steadiest}"
        told += f" ({sds[steadiest]:.3f}); d: {means['d']:.2f} and {sds['d']:.3f}"
        claim = "Model d has the highest mean reward and is the steadiest"
        return [Claim(self.id, claim, told, (best, steadiest) == ("d", "d"))]


def _moved(findings: Findings) -> Iterator[str]:
    """What attention does to the spread over rates, and neighbours to the mean reward."""
    steadied, raised = _change(findings, "b", "sd"), _change(findings, "c", "mean")
    if steadied and raised:
        yield (
            f"On the news log attention changes LinUCB's spread over rates {steadied} (printed: "
            f"from 0.32 to 0.02), and neighbours change its mean reward {raised} (printed: from "
            "0.37 to 0.62)."
        )


def _change(findings: Findings, letter: str, what: str) -> str | None:
    """From LinUCB to another model, in words."""
    before, after = (gathered(findings, BY_LETTER[each], ARM, what) for each in ("a", letter))
    return f"from {before.mean:.2f} to {after.mean:.2f}" if before and after else None


def gathered(findings: Findings, model: str, contexts: Contexts, what: str) -> Spread | None:
    """Mean, sd or median over the alphas, one for each seed that has them all."""
    by_alpha = [findings.values(model, (contexts, alpha), "mean reward") for alpha in FINE]
    seeds = sorted(set.intersection(*(set(each) for each in by_alpha)))
    each = [GATHERED[what]([values[seed] for values in by_alpha]) for seed in seeds]
    return Spread.of(each) if each else None
