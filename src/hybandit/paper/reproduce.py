"""Run the paper's experiments and write their report: what `hybandit reproduce` does."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from hybandit.experiments import Store
from hybandit.experiments.engines import Engine
from hybandit.experiments.requests import note_request, tasks_of, without_missing_data
from hybandit.experiments.runner import run
from hybandit.experiments.section import Section
from hybandit.paper.requests import Reproduce
from hybandit.reports.folders import point_latest
from hybandit.reports.page import write_report
from hybandit.reports.runs import write_runs

# The report's folder beside the store.
FOLDER = "reproduce"


@dataclass(frozen=True)
class Reproduced:
    """A report, its sections, and the data sets that were missing with what is wrong."""

    page: Path
    sections: Sequence[Section]
    skipped: dict[str, str]


def reproduce(
    request: Reproduce,
    out: Path,
    *,
    engine: Engine | None = None,
    command: str = "",
    say: Callable[[str], None] = print,
) -> Reproduced:
    """Run what is not in the store of this folder yet, and write the report of all.

    `say` is told what is skipped because data are missing.
    """
    store = Store(out / "results.sqlite")
    whole = request.with_former(store)
    note_request(store, whole, FOLDER)
    store.note("command", command)
    skipped: dict[str, str] = {}
    for experiment in request.experiments:
        tasks = experiment.tasks(request.effort)
        ready, wrong = without_missing_data(tasks)
        if wrong:
            part = f"{len(tasks) - len(ready)} of {len(tasks)} runs of {experiment.id}"
            say(f"skipped {part}: no data {', '.join(wrong)}")
        skipped |= wrong
        run(ready, store, engine=engine, title=experiment.id)
    results = store.get_many(tasks_of(whole))
    sections = whole.sections(results)
    page = write_report(whole.title, sections, store, out / FOLDER)
    write_runs(whole.experiments, whole.effort, results, out / FOLDER)
    point_latest(out / FOLDER)
    return Reproduced(page, sections, skipped)
