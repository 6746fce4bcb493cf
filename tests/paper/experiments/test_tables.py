"""What every experiment runs and shows, against golden files: cells, tables and figures.

After a change that is meant, other tuned settings for one,
``PYTHONPATH=src:tests python tests/experiments/paper/test_tables.py`` writes the files anew: look
at what changed in them.
"""

import re
import zlib
from pathlib import Path

import pytest
from made_up import EXTRA, findings

from hybandit.experiments.experiment import Effort
from hybandit.experiments.section import Bars, Boxes, Lines
from hybandit.experiments.specs import canonical
from hybandit.paper.experiments import EXPERIMENTS
from hybandit.reports.tables import csv_of

GOLDEN = Path(__file__).parent / "golden"
TWO = Effort(runs=2)
QUICK = Effort(quick=True)


def told(cell):
    """A cell in a line."""
    seeds = [task.seed for task in cell.tasks]
    environment = f"{cell.environment.name} {canonical(cell.environment.settings)}"
    parts = cell.row, cell.column, environment, cell.policy.label, f"{seeds[0]}+{len(seeds)}"
    return " | ".join(map(str, parts))


def level(cell, seed):
    """A number by cell, and a little by seed."""
    drawn = zlib.crc32(f"{cell.row} {cell.column}".encode())
    return 100.0 + drawn % 600 + (3 + drawn % 5) * (seed % 10)


def made(name):
    experiment, found = findings(name, level)
    for cell in experiment.cells(TWO):
        for task in cell.tasks:
            value = level(cell, task.seed)
            often = {"all": 0.3, "late": 0.4}
            found.results[task.key].extra.update(
                {"frequencies": often, **dict.fromkeys(EXTRA, value / 400.0)}
            )
    return experiment, found


def drawn(figure):
    """The numbers of a figure, in short."""
    if isinstance(figure, Lines):
        ends = [(title, line.label, line.policy, len(line.x), line.x[-1], line.y[-1])
                for title, lines in figure.panels.items() for line in lines]  # fmt: skip
        return [figure.x_label, figure.y_label, figure.logarithmic, figure.level, *ends]
    if isinstance(figure, Bars):
        bars = [(title, label, spread.mean, spread.sd)
                for title, each in figure.panels.items() for label, spread in each]  # fmt: skip
        return [figure.x_label, figure.y_label, figure.y_limit, *bars]
    if isinstance(figure, Boxes):
        return [figure.x_label, figure.y_label, *(
            (title, label, sum(values), len(values))
            for title, each in figure.panels.items() for label, values in each.items()
        )]  # fmt: skip
    points = [(label, [each and each.mean for each in spreads])
              for label, spreads in figure.series.items()]  # fmt: skip
    return [figure.x_label, figure.y_label, figure.y_limit, list(figure.ticks), *points]


def rounded(text):
    """Numbers to six digits: the last ones are the machine's."""
    return re.sub(r"-?\d+\.\d+(e-?\d+)?", lambda found: f"{float(found[0]):.6g}", text)


def text_of(name):
    experiment, found = made(name)
    section = experiment.section(found)
    parts = [f"{experiment.id}: {experiment.title}", "", "in full:"]
    parts += [told(cell) for cell in experiment.cells(Effort())]
    quick = [told(cell) for cell in experiment.cells(QUICK)]
    parts += ["", f"quick: {len(quick)} cells, {zlib.crc32(' '.join(quick).encode())}"]
    for table in [*section.tables, *section.details]:
        parts += ["", f"{table.name}: {table.title} (best: {table.best})", csv_of(table).rstrip()]
    for figure in section.figures:
        parts += ["", f"figure {figure.name}", *map(str, drawn(figure))]
    parts += ["", *(
        f"{each.number}: {each.published.mean}, ours {each.ours}: {each.outcome} {each.follows}"
        for each in experiment.verdicts(found)
    )]  # fmt: skip
    parts += [f"{each.claim}: {each.found}, {each.holds}" for each in experiment.claims(found)]
    parts += [f"{each.what}: {each.ours}, {each.outcome}" for each in experiment.words(found)]
    parts += [f"{each.text} ({each.table})" for each in experiment.conclusions(found)]
    parts += ["", section.about, *section.notes, *(table.note for table in section.tables)]
    parts.append(experiment.section(experiment.findings(QUICK, {})).about)
    return rounded("\n".join(parts)) + "\n"


@pytest.mark.parametrize("name", EXPERIMENTS)
def test_an_experiment_runs_and_shows_what_it_did(name):
    assert text_of(name) == (GOLDEN / f"{name}.txt").read_text()


if __name__ == "__main__":
    GOLDEN.mkdir(exist_ok=True)
    for each in EXPERIMENTS:
        (GOLDEN / f"{each}.txt").write_text(text_of(each))
