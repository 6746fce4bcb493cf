"""What an experiment is: named cells of a table, each a few tasks that differ in seed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from hybandit.experiments.store import Run
from hybandit.experiments.tasks import PolicySpec, Task, World


@dataclass(frozen=True)
class Cell:
    """One entry of a table: a policy (row) in a world (column), over several seeds."""

    row: str
    column: str
    tasks: tuple[Task, ...]

    def runs(self, results: dict[str, Run]) -> dict[int, Run]:
        """The finished runs by seed."""
        return {task.seed: results[task.key] for task in self.tasks if task.key in results}


@dataclass(frozen=True)
class Experiment:
    """A question put to the library: its cells and what they are about."""

    id: str
    title: str
    about: str
    cells: tuple[Cell, ...]
    # Whether its numbers may be held against the published ones: same rounds, same data.
    comparable: bool = True

    @property
    def tasks(self) -> list[Task]:
        return [task for cell in self.cells for task in cell.tasks]

    @property
    def rows(self) -> list[str]:
        return list(dict.fromkeys(cell.row for cell in self.cells))

    @property
    def columns(self) -> list[str]:
        return list(dict.fromkeys(cell.column for cell in self.cells))

    def written(self) -> dict[str, Any]:
        """As JSON takes it; `read` makes it again."""
        cells = [[cell.row, cell.column, [task.text for task in cell.tasks]] for cell in self.cells]
        return {"id": self.id, "title": self.title, "about": self.about, "cells": cells}

    @classmethod
    def read(cls, data: dict[str, Any]) -> Experiment:
        cells = tuple(
            Cell(row, column, tuple(Task.from_text(text) for text in tasks))
            for row, column, tasks in data["cells"]
        )
        return cls(data["id"], data["title"], data["about"], cells)

    def cell(self, row: str, column: str) -> Cell | None:
        found = (cell for cell in self.cells if (cell.row, cell.column) == (row, column))
        return next(found, None)


@dataclass(frozen=True)
class Scale:
    """How much of an experiment to run: full, quick, or a given number of runs."""

    runs: int | None = None
    seed: int = 0
    quick: bool = False

    def count(self, *, full: int, quick: int) -> int:
        """How many runs a cell gets."""
        return self.runs or (quick if self.quick else full)


def cell(
    row: str, column: str, world: World, policy: PolicySpec, *, runs: int, seed: int = 0
) -> Cell:
    """A cell with seeds ``seed`` to ``seed + runs - 1``."""
    tasks = tuple(Task(world, policy, number) for number in range(seed, seed + runs))
    return Cell(row, column, tasks)
