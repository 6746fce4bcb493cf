"""The report of `hybandit reproduce`, and of any store."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from hybandit.errors import StoreError, UnknownName
from hybandit.experiments import Run, Store
from hybandit.experiments.definitions import EXPERIMENTS
from hybandit.experiments.experiment import Experiment, Scale
from hybandit.names import suggestion
from hybandit.reports.comparison import comparison_section
from hybandit.reports.page import Section
from hybandit.reports.sections import SECTIONS
from hybandit.reports.verdicts import verdicts


def chosen(names: list[str], scale: Scale) -> list[Experiment]:
    """The experiments by id, all of them if none is named."""
    for name in names:
        if name not in EXPERIMENTS:
            raise UnknownName(f"no experiment is called {name!r}{suggestion(name, EXPERIMENTS)}")
    return [EXPERIMENTS[name](scale) for name in names or EXPERIMENTS]


def reproduction(experiments: list[Experiment], results: dict[str, Run]) -> list[Section]:
    """First what reproduces, then a section for each experiment with any finished run."""
    sections = [
        SECTIONS[experiment.id](experiment, results)
        for experiment in experiments
        if any(task.key in results for task in experiment.tasks)
    ]
    return [verdicts(experiments, results), *sections]


def sections_of(store: Store) -> tuple[str, list[Section]]:
    """The title and sections of a store's report, from what was asked of it."""
    asked: dict[str, Any] | None = store.noted("asked")
    if asked is None:
        raise StoreError(f"{store.path} does not say what it was made for")
    results = store.get_many(store.tasks())
    if asked["kind"] == "compare":
        experiment = Experiment.read(asked["experiment"])
        return experiment.title, [comparison_section(experiment, results)]
    experiments = chosen(asked["names"], Scale(**asked["scale"]))
    return "The paper's experiments, again", reproduction(experiments, results)


def ask(store: Store, names: list[str], scale: Scale) -> None:
    """Note what a store is for: these experiments, with those asked of it before."""
    before: dict[str, Any] = store.noted("asked") or {}
    same = before.get("kind") == "reproduce" and before.get("scale") == asdict(scale)
    wanted = {*(before["names"] if same else []), *(names or EXPERIMENTS)}
    ordered = [name for name in EXPERIMENTS if name in wanted]
    store.note("asked", {"kind": "reproduce", "names": ordered, "scale": asdict(scale)})
