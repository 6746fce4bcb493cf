"""Experiments: an object with its tasks, its cells and its section of the report."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from hybandit.experiments.runs import Run
from hybandit.experiments.specs import EnvironmentSpec, PolicySpec
from hybandit.experiments.tasks import Task
from hybandit.reports.section import Column, Line, ReportTable, Section, Value
from hybandit.reports.spread import Difference, Spread, paired


@dataclass(frozen=True)
class Row:
    """A row of a table: the paper's name of a model, and the policy that is run for it.

    `variant` distinguishes rows of the same model, in print only.
    """

    name: str
    policy: PolicySpec
    variant: str = ""

    def __str__(self) -> str:
        return f"{self.name}, {self.variant}" if self.variant else self.name

    def cell(self, column: Hashable, environment: EnvironmentSpec, seeds: Iterable[int]) -> Cell:
        """The entry of this row in a column."""
        return Cell.of(self, column, environment, self.policy, seeds)


@dataclass(frozen=True)
class Cell:
    """One entry of a table, over several seeds. Row and column are objects, printed as labels."""

    row: Hashable
    column: Hashable
    tasks: tuple[Task, ...]

    @classmethod
    def of(
        cls,
        row: Hashable,
        column: Hashable,
        environment: EnvironmentSpec,
        policy: PolicySpec,
        seeds: Iterable[int],
    ) -> Cell:
        return cls(row, column, tuple(Task(environment, policy, seed) for seed in seeds))

    @property
    def policy(self) -> PolicySpec:
        return self.tasks[0].policy

    @property
    def environment(self) -> EnvironmentSpec:
        return self.tasks[0].environment

    def runs(self, results: dict[str, Run]) -> dict[int, Run]:
        """The finished runs by seed."""
        return {task.seed: results[task.key] for task in self.tasks if task.key in results}


@dataclass(frozen=True)
class Effort:
    """How much of an experiment to run: full, quick, or a given number of runs."""

    runs: int | None = None
    seed: int = 0
    quick: bool = False

    def rounds(self, full: int, quick: int) -> int:
        """How long a run is."""
        return quick if self.quick else full

    def count(self, *, full: int = 10, quick: int = 2) -> int:
        """How many runs a cell gets."""
        return self.runs or (quick if self.quick else full)

    def seeds(self, *, full: int = 10, quick: int = 2, first: int = 0) -> range:
        """The seed of each run of a cell, the first of them added to the one that was asked for."""
        start = first + self.seed
        return range(start, start + self.count(full=full, quick=quick))


class Findings:
    """The cells of an experiment with their finished runs."""

    def __init__(self, cells: Sequence[Cell], effort: Effort, results: dict[str, Run]) -> None:
        self.cells = cells
        self.effort = effort
        self.results = results
        self._by_place = {(cell.row, cell.column): cell for cell in cells}

    @property
    def rows(self) -> list[Hashable]:
        return list(dict.fromkeys(cell.row for cell in self.cells))

    @property
    def columns(self) -> dict[Hashable, str]:
        """With the title of each."""
        return {cell.column: str(cell.column) for cell in self.cells}

    def runs(self, row: Hashable, column: Hashable) -> dict[int, Run]:
        """A cell's finished runs by seed."""
        cell = self._by_place.get((row, column))
        return cell.runs(self.results) if cell else {}

    def values(self, row: Hashable, column: Hashable, measure: str) -> dict[int, float]:
        """One number for each finished run: regret, reward, mean reward or seconds."""
        return {seed: run.measured(measure) for seed, run in self.runs(row, column).items()}

    def spread(self, row: Hashable, column: Hashable, measure: str) -> Spread | None:
        """Mean and sd of a cell, None while no run has finished."""
        return Spread.of_any(list(self.values(row, column, measure).values()))

    def of(self, column: Hashable, measure: str) -> Callable[[Hashable], Spread | None]:
        """The same as a function of the row, for `table_of`."""
        return partial(self.spread, column=column, measure=measure)

    def difference(
        self,
        row: Hashable,
        reference: Hashable,
        column: Hashable,
        measure: str,
        comparisons: int = 1,
    ) -> Difference | None:
        """How much more a row has than the reference, by pairs of equal seeds.

        The interval is widened for so many `comparisons` (Bonferroni).
        """
        theirs, ours = (self.values(each, column, measure) for each in (row, reference))
        return paired(theirs, ours, comparisons=comparisons)

    def lines(self, column: Hashable, rows: Iterable[Hashable], measure: str) -> list[Line]:
        """A line for each row with any run: cumulative ``regrets`` or ``rewards``, or means."""
        found = [(row, self._by_place.get((row, column))) for row in rows]
        return [
            curve(row, cell.policy.name, list(runs.values()), measure)
            for row, cell in found
            if cell and (runs := cell.runs(self.results))
        ]

    def panels(
        self, columns: Mapping[Any, str], rows: Iterable[Hashable], measure: str
    ) -> dict[str, list[Line]]:
        """The lines of every column that has any, by its title."""
        shown = list(rows)
        found = {title: self.lines(column, shown, measure) for column, title in columns.items()}
        return {title: lines for title, lines in found.items() if lines}


def curve(row: Hashable, policy: str, runs: Sequence[Run], measure: str) -> Line:
    """The mean of runs over the rounds that all of them played, with its sd."""
    at = np.array(min(runs, key=lambda run: run.rounds).at)
    values = np.array([np.interp(at, run.at, _values(run, measure)) for run in runs])
    sd = values.std(axis=0, ddof=1).tolist() if len(runs) > 1 else None
    return Line(str(row), policy, at.tolist(), values.mean(axis=0).tolist(), sd)


def _values(run: Run, measure: str) -> list[float]:
    if measure == "mean rewards":
        return [reward / at for reward, at in zip(run.rewards, run.at, strict=True)]
    return run.regrets if measure == "regrets" else run.rewards


class Experiment(ABC):
    """Base of experiments: what is run, and what is shown of it."""

    id: str
    title: str
    _built: tuple[Effort, tuple[Cell, ...]] | None = None

    @abstractmethod
    def _cells(self, effort: Effort) -> tuple[Cell, ...]:
        """The cells to run."""

    @abstractmethod
    def section(self, findings: Findings) -> Section:
        """The section of the report, from finished runs only."""

    def cells(self, effort: Effort) -> tuple[Cell, ...]:
        """The cells to run, which are built once."""
        if self._built is None or self._built[0] != effort:
            self._built = effort, self._cells(effort)
        return self._built[1]

    def tasks(self, effort: Effort) -> list[Task]:
        return [task for cell in self.cells(effort) for task in cell.tasks]

    def findings(self, effort: Effort, results: dict[str, Run]) -> Findings:
        return Findings(self.cells(effort), effort, results)


def table_of(
    name: str,
    title: str,
    head: str,
    rows: Iterable[Any],
    columns: Mapping[Column, Callable[[Any], Value]],
    note: str = "",
) -> ReportTable:
    """A line for each row: what it is called, and what every column finds of it."""
    lines = [[str(row), *(find(row) for find in columns.values())] for row in rows]
    return ReportTable(name, title, [Column(head), *columns], lines, note)


def spreads_table(
    findings: Findings, name: str, title: str, measure: str, note: str = ""
) -> ReportTable:
    """Mean and sd of every cell: rows and columns as the cells have them."""
    columns = {
        Column(head, Spread): findings.of(column, measure)
        for column, head in findings.columns.items()
    }
    return table_of(name, title, "policy", findings.rows, columns, note)


def differences_table(
    findings: Findings,
    name: str,
    *,
    reference: Hashable,
    measure: str,
    columns: Mapping[Any, str] | None = None,
    comparisons: int = 1,
) -> ReportTable:
    """How much more than the reference every other row has, by pairs of equal seeds.

    Of some `columns`, each with its title; default: of all. The intervals are widened for so many
    `comparisons` (Bonferroni).
    """
    widened = f", corrected for {comparisons} comparisons (Bonferroni)" if comparisons > 1 else ""
    found = {
        Column(head, Difference): partial(
            findings.difference,
            reference=reference,
            column=column,
            measure=measure,
            comparisons=comparisons,
        )
        for column, head in (columns or findings.columns).items()
    }
    rows = [row for row in findings.rows if row != reference]
    title = f"How much more {measure} than {reference}"
    note = f"At equal seeds, with 95 % confidence intervals{widened}."
    return table_of(name, title, "policy", rows, found, note)
