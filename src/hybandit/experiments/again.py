"""The report of an earlier command, written again from its store."""

from __future__ import annotations

from pathlib import Path

from hybandit.experiments import Store
from hybandit.experiments.provenance import provenance
from hybandit.experiments.requests import read_request, tasks_of
from hybandit.experiments.runner import remarks
from hybandit.experiments.runs_file import write_runs
from hybandit.reports.page import write_report


def write_again(path: Path, out: Path | None = None) -> tuple[Path, list[str]]:
    """Write the report of a store, by default where it was before; its page, and remarks."""
    store = Store(path, must_exist=True)
    request, folder = read_request(store)
    found = store.find(tasks_of(request))
    place = out or path.parent / folder
    page = write_report(request.title, request.sections(found.runs), provenance(store), place)
    write_runs(request.experiments, request.effort, found.runs, place)
    return page, remarks(found, store)
