"""Models a to d: what each part adds."""

from __future__ import annotations

import statistics
from collections.abc import Callable, Mapping, Sequence
from itertools import chain
from typing import Any, ClassVar

from hybandit.experiments.experiment import Cell, Effort, Findings
from hybandit.experiments.specs import PolicySpec, Settings
from hybandit.paper.experiment import PaperExperiment
from hybandit.paper.experiments.news_models import ALPHAS, ARM, PROBABLY, SHARED, Contexts
from hybandit.paper.experiments.parameters import FINE, SIX
from hybandit.paper.judgement.judgements import Claim, Pairs, Verdict, claims_more
from hybandit.paper.judgement.published import published
from hybandit.paper.judgement.values import Published, PublishedShare
from hybandit.reports.section import Boxes, Column, ReportTable, Section
from hybandit.reports.spread import Spread

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
# The paper does not say which rates its numbers are over: the first are held, all are shown.
HELD = "news table"
RATES: dict[str, tuple[float, ...]] = {HELD: ALPHAS, "LNUCB-TA's six": FINE, "UCB's six": SIX}
ALL_RATES = sorted({alpha for rates in RATES.values() for alpha in rates})
# What is printed of a model, and how it is gathered over the alphas of a seed.
GATHERED: dict[str, Callable[[Sequence[float]], float]] = {
    "mean": statistics.mean,
    "sd": statistics.stdev,
    "median": statistics.median,
}


class Ablation(PaperExperiment):
    """The spread of each model over exploration rates and seeds."""

    id = "ablation"
    title = "Ablation: models a to d"
    reasons = (
        "The paper does not say which rates its numbers are over; held are the three of its news "
        "table, arm contexts. With others, shown in the section, some outcomes change."
    )

    explanations: ClassVar[Mapping[str, str]] = {
        "a: LinUCB": "contradicts the paper's own news table: see the paper against itself",
        "d: LNUCB-TA": PROBABLY,
        ":": "the paper does not say which rates its numbers are over",
    }

    def _cells(self, effort: Effort) -> tuple[Cell, ...]:
        return tuple(
            Cell.of(
                model,
                (contexts, alpha),
                contexts.environment,
                PolicySpec(policy, {**settings, "alpha": alpha}),
                effort.seeds(),
            )
            for contexts in CONTEXTS
            for model, (_, policy, settings) in MODELS.items()
            for alpha in ALL_RATES
        )

    def section(self, findings: Findings) -> Section:
        about = (
            f"Mean reward over 800 matches of the news log, alpha {_told(ALPHAS)} (others in the "
            f"second table), {findings.effort.count()} seeds."
        )
        boxes = Boxes(
            "ablation",
            "Mean reward over alphas and seeds: median, quartiles and range.",
            {
                f"contexts: {contexts}": {
                    model: _all_values(findings, model, contexts) for model in MODELS
                }
                for contexts in CONTEXTS
            },
            "mean reward",
        )
        tables = [_table(findings), _by_rates(findings)]
        return Section(self.id, self.title, about, tables, [boxes])

    def verdicts(self, findings: Findings) -> list[Verdict]:
        return verdicts_over(findings, HELD)

    def claims(self, findings: Findings) -> list[Claim]:
        by_seed = {
            (letter, what): by_seed_over(findings, model, ARM, HELD, what)
            for letter, model in BY_LETTER.items()
            for what in GATHERED
        }

        def pairs(more: str, less: str, what: str) -> Pairs:
            """The one with more of it, or all others, first."""
            return {
                f"{one} less {other}": (by_seed[one, what], by_seed[other, what])
                for one in more
                for other in less
            }

        return claims_more(self.id, {
            "Model b is steadier than a (sd over rates)": pairs("a", "b", "sd"),
            "Model c has a higher mean reward than a": pairs("c", "a", "mean"),
            "Model c has a higher mean reward than b": pairs("c", "b", "mean"),
            "Model c varies more than b (sd over rates)": pairs("c", "b", "sd"),
            "Model d has the highest mean reward": pairs("d", "abc", "mean"),
            "Model d has the highest median reward": pairs("d", "abc", "median"),
            "Model d is the steadiest (sd over rates)": pairs("abc", "d", "sd"),
        })  # fmt: skip


def verdicts_over(findings: Findings, rates: str) -> list[Verdict]:
    """The printed numbers, if they were over these rates."""
    return [
        Verdict.of(
            Ablation.id,
            f"{BY_LETTER[letter]}: {what}",
            Published(value, digits=2),
            Spread.of(list(ours.values())),
        )
        for letter, printed in published()["ablation"].items()
        for what, value in printed.items()
        if (ours := by_seed_over(findings, BY_LETTER[letter], ARM, rates, what))
    ]


def by_seed_over(
    findings: Findings, model: str, contexts: Contexts, rates: str, what: str
) -> dict[int, float]:
    """Mean, sd or median over the alphas, for each seed that has them all."""
    by_alpha = [findings.values(model, (contexts, alpha), "mean reward") for alpha in RATES[rates]]
    seeds = sorted(set.intersection(*(set(each) for each in by_alpha)))
    return {seed: GATHERED[what]([values[seed] for values in by_alpha]) for seed in seeds}


def _all_values(findings: Findings, model: str, contexts: Contexts) -> list[float]:
    """Over the held alphas and all seeds."""
    return [
        value
        for alpha in RATES[HELD]
        for value in findings.values(model, (contexts, alpha), "mean reward").values()
    ]


def _table(findings: Findings) -> ReportTable:
    rows: list[list[Any]] = []
    for model, (letter, _, _) in MODELS.items():
        line: list[Any] = [model]
        for contexts in CONTEXTS:
            each = _all_values(findings, model, contexts)
            line += [Spread.of(each), statistics.median(each)] if each else [None, None]
        printed = published()["ablation"][letter] if letter else {}
        share = PublishedShare(printed.get("mean"), printed.get("sd")) if printed else None
        rows.append([*line, share])
    return ReportTable(
        "ablation",
        "Mean reward over three alphas and all seeds",
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


def _by_rates(findings: Findings) -> ReportTable:
    """What each printed number would be held against with other rates."""
    found = {
        rates: {each.number: each for each in verdicts_over(findings, rates)} for rates in RATES
    }
    columns = [Column("number"), Column("published", Published)]
    for rates, alphas in RATES.items():
        columns += [
            Column(f"over {_told(alphas)}", Spread, name=rates),
            Column("outcome", name=f"{rates} outcome"),
        ]
    rows: list[list[Any]] = []
    for number, held in found[HELD].items():
        others = [lines.get(number) for lines in found.values()]
        entries = [[each.ours, each.outcome] if each else [None, None] for each in others]
        rows.append([number, held.published, *chain(*entries)])
    return ReportTable(
        "ablation-rates",
        "Every printed number of the ablation, by the rates it may be over",
        columns,
        rows,
        note="Mean ± sd over seeds. The first rates, the news table's, count; the others are of "
        "the table of parameters.",
    )


def _told(alphas: Sequence[float]) -> str:
    return ", ".join(f"{alpha:g}" for alpha in alphas)
