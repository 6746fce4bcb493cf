"""What a command asked for, kept in the store so that its report can be written again."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass
from typing import Any, Protocol

from hybandit.errors import DataFileError, StoreError
from hybandit.experiments.comparison import Comparison
from hybandit.experiments.environments import make_environment
from hybandit.experiments.experiment import Effort, Experiment
from hybandit.experiments.log_evaluation import LogEvaluation
from hybandit.experiments.runs import Run
from hybandit.experiments.side_by_side import SideBySide
from hybandit.experiments.store import Store
from hybandit.experiments.tasks import Task
from hybandit.reports.section import Section

NOTE = "asked"


class Request(Protocol):
    """Experiments with an effort, and the report that they make."""

    @property
    def title(self) -> str: ...
    @property
    def experiments(self) -> Sequence[Experiment]: ...
    @property
    def effort(self) -> Effort: ...

    def sections(self, results: dict[str, Run]) -> list[Section]:
        """The report, from finished runs only."""
        ...

    def written(self) -> dict[str, Any]:
        """The request as JSON, which `read_request` reads."""
        ...


@dataclass(frozen=True)
class ComparisonRequest:
    """Policies side by side, by `hybandit compare` or `evaluate`."""

    experiment: SideBySide
    effort: Effort

    @property
    def experiments(self) -> Sequence[Experiment]:
        return (self.experiment,)

    @property
    def title(self) -> str:
        return self.experiment.title

    def sections(self, results: dict[str, Run]) -> list[Section]:
        return [self.experiment.section(self.experiment.findings(self.effort, results))]

    def written(self) -> dict[str, Any]:
        asked = {"command": self.experiment.id, "experiment": self.experiment.written()}
        return {**asked, "effort": asdict(self.effort)}

    @classmethod
    def read(cls, written: dict[str, Any]) -> ComparisonRequest:
        kind = COMPARISONS[written["command"]]
        return cls(kind.read(written["experiment"]), Effort(**written["effort"]))


COMPARISONS: dict[str, type[SideBySide]] = {each.id: each for each in (Comparison, LogEvaluation)}
Reader = Callable[[dict[str, Any]], Request]
_readers: dict[str, Reader] = dict.fromkeys(COMPARISONS, ComparisonRequest.read)


def register_request(command: str, read: Reader) -> None:
    """Let `read_request` read what another command has `written`."""
    _readers[command] = read


def note_request(store: Store, request: Request, folder: str) -> None:
    """Keep in the store what was asked of it last, and where its report goes."""
    store.note(NOTE, {**request.written(), "folder": folder})


def read_request(store: Store) -> tuple[Request, str]:
    """What was asked of a store last, and the folder of its report."""
    written = store.noted(NOTE)
    try:
        return _readers[written["command"]](written), written["folder"]
    except (KeyError, TypeError) as error:
        raise StoreError(f"{store.path} does not say what it was made for") from error


def tasks_of(request: Request) -> list[Task]:
    return [task for each in request.experiments for task in each.tasks(request.effort)]


def without_missing_data(tasks: Iterable[Task]) -> tuple[list[Task], dict[str, str]]:
    """The tasks whose data are available, and what is wrong with the other data."""
    wrong: dict[str, str] = {}
    checked: set[str] = set()
    ready = []
    for task in tasks:
        datasets = make_environment(task.environment).datasets
        for dataset in datasets:
            if dataset.name not in checked:
                checked.add(dataset.name)
                try:
                    dataset.fetch()
                except DataFileError as error:
                    wrong[dataset.name] = str(error)
        if not any(dataset.name in wrong for dataset in datasets):
            ready.append(task)
    return ready, wrong
