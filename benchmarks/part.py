"""Plays a part of an experiment of `hybandit reproduce`: some rows, in some columns.

    python -m benchmarks.part plain --rows "^Stacked|^random" --columns "town$|donations"

Both are regular expressions for what stands in the tables. Finished runs are kept in ``--store``;
in that of `hybandit reproduce` it finds them again. Tables have what was played; with ``--at``,
rounds with commas between, also the regret until then.
"""

from __future__ import annotations

import argparse
import re
from pathlib import Path

import numpy as np

from hybandit.experiments import Store
from hybandit.experiments.engines import LocalEngine
from hybandit.experiments.experiment import Effort, Findings
from hybandit.experiments.runner import run
from hybandit.paper.experiments import EXPERIMENTS
from hybandit.reports.spread import Spread
from hybandit.reports.tables import TableView


def regrets(findings, rounds):
    """A line for each cell: the regret until each of these rounds."""
    for cell in findings.cells:
        runs = list(findings.runs(cell.row, cell.column).values())
        until = [[np.interp(each, one.at, one.regrets) for one in runs] for each in rounds]
        yield [str(cell.column), str(cell.row), *(str(Spread.of(values)) for values in until)]


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("experiment", choices=EXPERIMENTS)
    parser.add_argument("--rows", default="", help="expression for policies")
    parser.add_argument("--columns", default="", help="expression for columns")
    parser.add_argument("--at", default="", help="rounds at which regret is told")
    parser.add_argument("--runs", type=int, help="of each cell; default: all")
    parser.add_argument("--store", type=Path, default=Path("hybandit-results/results.sqlite"))
    parser.add_argument("--workers", type=int, default=1)
    options = parser.parse_args()
    experiment, effort = EXPERIMENTS[options.experiment], Effort(options.runs)
    cells = [
        cell
        for cell in experiment.cells(effort)
        if re.search(options.rows, str(cell.row)) and re.search(options.columns, str(cell.column))
    ]
    tasks = [task for cell in cells for task in cell.tasks]
    found = run(tasks, Store(options.store), engine=LocalEngine(options.workers))
    findings = Findings(cells, effort, found)
    for table in experiment.section(findings).tables:
        print(TableView.of(table).markdown())
    if options.at:
        heads = ["", "", *(f"{int(each):,} rounds" for each in options.at.split(","))]
        rows = list(regrets(findings, [int(each) for each in options.at.split(",")]))
        print(TableView("part", "Regret until a round", heads, rows, left=2).markdown())


if __name__ == "__main__":
    main()
