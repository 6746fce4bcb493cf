"""Items with features: one model for all, against disjoint arms. Not in the paper."""

from __future__ import annotations

from typing import Any

from hybandit.environments.items import ITEM_WORLDS
from hybandit.experiments.experiment import (
    Cell,
    Effort,
    Findings,
    Row,
    differences_table,
    spreads_table,
)
from hybandit.experiments.section import Column, Lines, ReportTable, Section
from hybandit.experiments.specs import EnvironmentSpec, PolicySpec
from hybandit.experiments.spread import Spread
from hybandit.paper.disclosure import ITEM_HYBRID
from hybandit.paper.experiment import PaperExperiment

NEWS = "news log"
# Where items arrive while it runs.
CHANGING = ("clusters", "catalogue")
OURS = Row("ItemHybrid", PolicySpec("item-hybrid"))
SLOTS = Row("StackedHybrid", PolicySpec("stacked-hybrid"), "slots")
MODELS = (
    OURS,
    Row("ItemHybrid", PolicySpec("item-hybrid", {"explore": 0.05}), "explore 0.05"),
    Row("ItemHybrid", PolicySpec("item-hybrid", {"explore": "gap"}), "explore gap"),
    Row("ItemLinUCB", PolicySpec("item-lin-ucb", {"alpha": 0.1}), "alpha 0.1"),
    Row("ItemLNUCBTA", PolicySpec("item-lnucb-ta")),
    SLOTS,
)


class Items(PaperExperiment):
    """Mean rewards in worlds of items and on the news log, and what new items earn."""

    id = "items"
    title = "Items with features"

    def _cells(self, effort: Effort) -> tuple[Cell, ...]:
        environments = {
            kind: EnvironmentSpec("items", {"kind": kind, "rounds": _rounds(effort)})
            for kind in ITEM_WORLDS
        }
        environments[NEWS] = EnvironmentSpec("items-replay")
        return tuple(
            Cell.of(model, column, environment, model.policy, effort.seeds())
            for column, environment in environments.items()
            for model in MODELS
            # As slots it would see features of very different sizes there.
            if (model, column) != (SLOTS, NEWS)
        )

    def section(self, findings: Findings) -> Section:
        effort = findings.effort
        about = (
            f"{_rounds(effort):,} rounds of 10 candidates out of 500 items, 10 features of the "
            f"context and 10 of an item, {effort.count()} seeds; and the news log "
            "by replay until 800 matches: all 100 numbers are the context, an article's own 10 and "
            "its id the item. slots: disjoint arms, one for each place."
        )
        tables = [
            spreads_table(findings, "items", "Mean reward: mean ± sd", "mean reward"),
            differences_table(findings, "items-differences", reference=OURS, measure="mean reward"),
            _new_items(findings),
        ]
        curves = findings.panels({kind: kind for kind in ITEM_WORLDS}, MODELS, "regrets")
        picture = Lines(
            "items", "Cumulative regret by world.", curves, "round", "cumulative regret"
        )
        notes = [
            "On the news log an article's own numbers mean something else for each article; "
            "compare StackedHybrid on shared contexts in the section on news.",
            str(ITEM_HYBRID),
        ]
        return Section(self.id, self.title, about, tables, [picture], notes)


def _rounds(effort: Effort) -> int:
    return 2000 if effort.quick else 10_000


def _new_items(findings: Findings) -> ReportTable:
    rows: list[list[Any]] = []
    for model in MODELS:
        row: list[Any] = [str(model)]
        for kind in CHANGING:
            runs = findings.runs(model, kind).values()
            means = [run.extra["new"] for run in runs if run.extra.get("new") is not None]
            row.append(Spread.of(means) if means else None)
        rows.append(row)
    return ReportTable(
        "items-new",
        "Mean reward of new items in their first 20 plays: mean ± sd",
        [Column("policy"), *(Column(kind, Spread) for kind in CHANGING)],
        rows,
        note="Of items that were first offered in the second half.",
    )
