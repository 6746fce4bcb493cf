"""A compressed CSV file with every run behind a report, so that anyone can check a cell."""

from __future__ import annotations

import csv
import gzip
import io
import json
from collections.abc import Iterator, Sequence
from pathlib import Path

from hybandit.atomic import atomic_write
from hybandit.experiments.experiment import Effort, Experiment
from hybandit.experiments.runs import Run
from hybandit.experiments.specs import canonical

FILE = "runs.csv.gz"
HEAD = ("experiment", "row", "column", "seed", "rounds", "reward", "regret", "seconds", "policy",
        "environment", "extra")  # fmt: skip


def write_runs(
    experiments: Sequence[Experiment], effort: Effort, results: dict[str, Run], folder: Path
) -> Path:
    """Write runs.csv.gz; the same runs give the same bytes.

    `extra`, in JSON, is what only some environments measure.
    """
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(HEAD)
    for experiment in experiments:
        writer.writerows(_rows(experiment, effort, results))
    folder.mkdir(parents=True, exist_ok=True)
    with atomic_write(folder / FILE) as file:
        file.write(gzip.compress(out.getvalue().encode(), mtime=0))
    return folder / FILE


def _rows(
    experiment: Experiment, effort: Effort, results: dict[str, Run]
) -> Iterator[tuple[object, ...]]:
    for cell in experiment.cells(effort):
        environment = f"{cell.environment.name} {canonical(cell.environment.settings)}"
        for seed, run in cell.runs(results).items():
            yield (
                experiment.id,
                str(cell.row),
                str(cell.column),
                seed,
                run.rounds,
                run.reward,
                "" if run.regret is None else run.regret,
                f"{run.seconds:.4f}",
                cell.policy.label,
                environment,
                json.dumps(run.extra, sort_keys=True) if run.extra else "",
            )
