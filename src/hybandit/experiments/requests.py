"""What a command asked for, kept in the store so that its report can be written again."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from typing import Any, Protocol

from hybandit.errors import DataFileError, StoreError, UnknownName
from hybandit.experiments.comparison import Comparison
from hybandit.experiments.environments import make_environment
from hybandit.experiments.experiment import Experiment, Scale
from hybandit.experiments.log_evaluation import LogEvaluation
from hybandit.experiments.paper import EXPERIMENTS
from hybandit.experiments.runs import Run
from hybandit.experiments.section import Section
from hybandit.experiments.side_by_side import SideBySide
from hybandit.experiments.store import Store
from hybandit.experiments.tasks import Task
from hybandit.experiments.verdicts import Judged, conclusions_section, verdicts_section
from hybandit.names import suggestion

NOTE = "asked"


class Request(Protocol):
    """Experiments at a scale, and the report that they make."""

    @property
    def title(self) -> str: ...
    @property
    def experiments(self) -> Sequence[Experiment]: ...
    @property
    def scale(self) -> Scale: ...

    def sections(self, results: dict[str, Run]) -> list[Section]:
        """The report, from finished runs only."""
        ...

    def written(self) -> dict[str, Any]:
        """The request as JSON, which `read_request` reads."""
        ...


@dataclass(frozen=True)
class Question:
    """Policies side by side, by `hybandit compare` or `evaluate`."""

    experiment: SideBySide
    scale: Scale

    @property
    def experiments(self) -> Sequence[Experiment]:
        return (self.experiment,)

    @property
    def title(self) -> str:
        return self.experiment.title

    def sections(self, results: dict[str, Run]) -> list[Section]:
        return [self.experiment.section(self.experiment.findings(self.scale, results))]

    def written(self) -> dict[str, Any]:
        asked = {"command": self.experiment.id, "experiment": self.experiment.written()}
        return {**asked, "scale": asdict(self.scale)}

    @classmethod
    def read(cls, written: dict[str, Any]) -> Question:
        kind = QUESTIONS[written["command"]]
        return cls(kind.read(written["experiment"]), Scale(**written["scale"]))


@dataclass(frozen=True)
class Reproduce:
    """Experiments of the paper, by id."""

    names: tuple[str, ...]
    scale: Scale

    title = "The paper's experiments, again"

    @classmethod
    def of(cls, names: Iterable[str], scale: Scale) -> Reproduce:
        """These experiments, all if none is named."""
        wanted = list(names) or list(EXPERIMENTS)
        for name in wanted:
            if name not in EXPERIMENTS:
                near = suggestion(name, EXPERIMENTS)
                raise UnknownName(f"no experiment is called {name!r}{near}")
        return cls(tuple(name for name in EXPERIMENTS if name in wanted), scale)

    @property
    def experiments(self) -> Sequence[Experiment]:
        return [EXPERIMENTS[name] for name in self.names]

    def with_former(self, store: Store) -> Reproduce:
        """Including the experiments that were asked for before at the same scale."""
        former = store.noted(NOTE) or {}
        if former.get("command") != "reproduce" or Scale(**former["scale"]) != self.scale:
            return self
        return Reproduce.of([*former["names"], *self.names], self.scale)

    def sections(self, results: dict[str, Run]) -> list[Section]:
        """Conclusions, a section for each experiment with any finished run, all printed numbers."""
        found = [
            experiment.section(experiment.findings(self.scale, results))
            for experiment in self.experiments
            if any(task.key in results for task in experiment.tasks(self.scale))
        ]
        judged = Judged(self.experiments, self.scale, results)
        return [conclusions_section(judged), *found, verdicts_section(judged)]

    def written(self) -> dict[str, Any]:
        return {"command": "reproduce", "names": self.names, "scale": asdict(self.scale)}

    @classmethod
    def read(cls, written: dict[str, Any]) -> Reproduce:
        return cls.of(written["names"], Scale(**written["scale"]))


QUESTIONS: dict[str, type[SideBySide]] = {each.id: each for each in (Comparison, LogEvaluation)}
REQUESTS: dict[str, type[Question] | type[Reproduce]] = {
    **dict.fromkeys(QUESTIONS, Question),
    "reproduce": Reproduce,
}


def note_request(store: Store, request: Request, folder: str) -> None:
    """Keep in the store what was asked of it last, and where its report goes."""
    store.note(NOTE, {**request.written(), "folder": folder})


def read_request(store: Store) -> tuple[Request, str]:
    """What was asked of a store last, and the folder of its report."""
    written = store.noted(NOTE)
    try:
        return REQUESTS[written["command"]].read(written), written["folder"]
    except (KeyError, TypeError) as error:
        raise StoreError(f"{store.path} does not say what it was made for") from error


def tasks_of(request: Request) -> list[Task]:
    return [task for each in request.experiments for task in each.tasks(request.scale)]


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
