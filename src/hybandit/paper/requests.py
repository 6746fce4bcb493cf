"""What `hybandit reproduce` asked for, kept in the store so that its report can be made again."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from hybandit.errors import UnknownName
from hybandit.experiments.experiment import Effort
from hybandit.experiments.requests import NOTE
from hybandit.experiments.runs import Run
from hybandit.experiments.section import Section
from hybandit.experiments.store import Store
from hybandit.names import suggestion
from hybandit.paper.experiment import PaperExperiment
from hybandit.paper.experiments import EXPERIMENTS
from hybandit.paper.judgement.verdicts import Judged, conclusions_section, verdicts_section


@dataclass(frozen=True)
class Reproduce:
    """Experiments of the paper, by id."""

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
        """Conclusions, a section for each experiment with any finished run, all printed numbers."""
        found = [
            experiment.section(experiment.findings(self.effort, results))
            for experiment in self.experiments
            if any(task.key in results for task in experiment.tasks(self.effort))
        ]
        judged = Judged(self.experiments, self.effort, results)
        return [conclusions_section(judged), *found, verdicts_section(judged)]

    def written(self) -> dict[str, Any]:
        return {"command": "reproduce", "names": self.names, "effort": asdict(self.effort)}

    @classmethod
    def read(cls, written: dict[str, Any]) -> Reproduce:
        return cls.of(written["names"], Effort(**written["effort"]))
