"""The paper's experiments and their report: what `hybandit reproduce` asks for and does."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from hybandit.errors import UnknownName
from hybandit.experiments import Store
from hybandit.experiments.engines import Engine
from hybandit.experiments.experiment import Effort
from hybandit.experiments.folders import point_latest
from hybandit.experiments.provenance import provenance
from hybandit.experiments.requests import NOTE, note_request, tasks_of, without_missing_data
from hybandit.experiments.runner import run
from hybandit.experiments.runs import Run
from hybandit.experiments.runs_file import write_runs
from hybandit.names import suggestion
from hybandit.paper.experiment import PaperExperiment
from hybandit.paper.experiments import EXPERIMENTS
from hybandit.paper.judgement.verdicts import Judged, conclusions_section, verdicts_section
from hybandit.reports.page import write_report
from hybandit.reports.section import Section

# The report's folder beside the store.
FOLDER = "reproduce"


@dataclass(frozen=True)
class Reproduce:
    """Experiments of the paper, by id; kept in the store so that its report can be made again."""

    names: tuple[str, ...]
    effort: Effort

    title = "The paper's experiments, again"

    @classmethod
    def of(cls, names: Iterable[str], effort: Effort) -> Reproduce:
        """These experiments, all if none is named."""
        wanted = list(names) or list(EXPERIMENTS)
        for name in wanted:
            if name not in EXPERIMENTS:
                near = suggestion(name, EXPERIMENTS)
                raise UnknownName(f"no experiment is called {name!r}{near}")
        return cls(tuple(name for name in EXPERIMENTS if name in wanted), effort)

    @property
    def experiments(self) -> Sequence[PaperExperiment]:
        return [EXPERIMENTS[name] for name in self.names]

    def with_former(self, store: Store) -> Reproduce:
        """Including the experiments that were asked for before at the same effort."""
        former = store.noted(NOTE) or {}
        if former.get("command") != "reproduce" or Effort(**former["effort"]) != self.effort:
            return self
        return Reproduce.of([*former["names"], *self.names], self.effort)

    def sections(self, results: dict[str, Run]) -> list[Section]:
        """Conclusions, a section for each experiment with any finished run, all printed numbers.

        None if nothing has run, such as for want of data.
        """
        found = [
            experiment.section(experiment.findings(self.effort, results))
            for experiment in self.experiments
            if any(task.key in results for task in experiment.tasks(self.effort))
        ]
        if not found:
            return []
        judged = Judged(self.experiments, self.effort, results)
        return [conclusions_section(judged), *found, verdicts_section(judged)]

    def written(self) -> dict[str, Any]:
        return {"command": "reproduce", "names": self.names, "effort": asdict(self.effort)}

    @classmethod
    def read(cls, written: dict[str, Any]) -> Reproduce:
        return cls.of(written["names"], Effort(**written["effort"]))


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
    page = write_report(whole.title, sections, provenance(store), out / FOLDER)
    write_runs(whole.experiments, whole.effort, results, out / FOLDER)
    point_latest(out / FOLDER)
    return Reproduced(page, sections, skipped)
