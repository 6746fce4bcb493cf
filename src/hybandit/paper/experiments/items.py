"""Items with features: one model for all, against disjoint arms. Not in the paper."""

from __future__ import annotations

from functools import partial

from hybandit.environments.items import ITEM_WORLDS
from hybandit.experiments.experiment import (
    Cell,
    Effort,
    Findings,
    Row,
    differences_table,
    spreads_table,
    table_of,
)
from hybandit.experiments.specs import EnvironmentSpec, PolicySpec
from hybandit.paper.disclosure import ITEM_HYBRID
from hybandit.paper.experiment import PaperExperiment
from hybandit.reports.section import Column, Lines, ReportTable, Section
from hybandit.reports.spread import Spread

NEWS = "news log"
# Where items arrive while it runs.
CHANGING = ("clusters", "catalogue")
ROUNDS = 10_000, 2000
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
            kind: EnvironmentSpec("items", {"kind": kind, "rounds": effort.rounds(*ROUNDS)})
            for kind in ITEM_WORLDS
        }
        environments[NEWS] = EnvironmentSpec("items-replay")
        return tuple(
            model.cell(column, environment, effort.seeds())
            for column, environment in environments.items()
            for model in MODELS
            # As slots it would see features of very different sizes there.
            if (model, column) != (SLOTS, NEWS)
        )

    def section(self, findings: Findings) -> Section:
        effort = findings.effort
        about = (
            f"{effort.rounds(*ROUNDS):,} rounds of 10 candidates out of 500 items, 10 features of "
            f"the context and 10 of an item, {effort.count()} seeds; and the news log "
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


def _new_items(findings: Findings) -> ReportTable:
    def earned(model: Row, kind: str) -> Spread | None:
        found = [run.extra.get("new") for run in findings.runs(model, kind).values()]
        return Spread.of_any([each for each in found if each is not None])

    return table_of(
        "items-new",
        "Mean reward of new items in their first 20 plays: mean ± sd",
        "policy",
        MODELS,
        {Column(kind, Spread): partial(earned, kind=kind) for kind in CHANGING},
        "Of items that were first offered in the second half.",
    )
