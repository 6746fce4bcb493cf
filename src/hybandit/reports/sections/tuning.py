"""Settings searched on separate seeds."""

from __future__ import annotations

from hybandit.experiments import Run
from hybandit.experiments.experiment import Experiment
from hybandit.experiments.grids import PAPER, best_settings, picked
from hybandit.experiments.tasks import Settings
from hybandit.reports.page import Section
from hybandit.reports.sections.common import NOTHING
from hybandit.reports.tables import TableView


def section(experiment: Experiment, results: dict[str, Run]) -> Section:
    found = best_settings(experiment, results)
    rows = [
        [policy, *(_shown(found.get(column, {}).get(policy)) for column in experiment.columns)]
        for policy in PAPER
    ]
    table = TableView("tuning", "Picked settings", ["policy", *experiment.columns], rows)
    differing = [
        f"{policy} on {column}"
        for column, policies in found.items()
        for policy, settings in policies.items()
        if settings != picked().get(column, {}).get(policy)
    ]
    notes = ["The table of regrets uses the settings in picked.json, in the package."]
    if differing and experiment.comparable:
        notes.append(f"This search found others for: {', '.join(differing)}.")
    return Section("tuning", experiment.title, experiment.about, [table], notes=notes)


def _shown(settings: Settings | None) -> str:
    if settings is None:
        return NOTHING
    return ", ".join(f"{name} {value:g}" for name, value in settings.items())
