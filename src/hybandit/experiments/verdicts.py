"""What reproduces and what does not: every printed number beside ours."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from hybandit.experiments.experiment import Experiment, Scale
from hybandit.experiments.runs import Run
from hybandit.experiments.section import (
    CANNOT_TELL,
    NOT_REPRODUCED,
    PRINTED_RUNS,
    REPRODUCED,
    Column,
    Published,
    Section,
    Table,
    Verdict,
)
from hybandit.experiments.spread import Spread

NOT_COMPARED = (
    "not compared: The second article matching table (2,500 to 7,500 steps) cannot come from "
    "this log by replay: it holds about 1,000 matches. Run times are of other machines. Figures "
    "without printed numbers (network, stability, run time) are shown in their sections. Runs of "
    "fewer rounds (--quick) are held against nothing; runs of fewer seeds are, as they are."
)


def verdicts_section(
    experiments: Sequence[Experiment], scale: Scale, results: dict[str, Run]
) -> Section:
    """A line for every printed number that the finished runs can be held against."""
    found: list[Verdict] = []
    for experiment in experiments:
        if experiment.quick_compares or not scale.quick:
            found += experiment.verdicts(experiment.findings(scale, results))
    counts = Counter(verdict.outcome for verdict in found)
    table = Table(
        "verdicts",
        f"{len(found)} printed numbers: {counts[REPRODUCED]} reproduced, "
        f"{counts[NOT_REPRODUCED]} not, {counts[CANNOT_TELL]} that nobody can tell",
        [
            Column("experiment"),
            Column("number"),
            Column("published", Published),
            Column("ours", Spread),
            Column("outcome"),
        ],
        [[each.experiment, each.number, each.published, each.ours, each.outcome] for each in found],
        note="By the 95 % interval of the difference, both spreads weighed (the paper's over "
        f"{PRINTED_RUNS} runs). Reproduced: it lies within 5 % of the printed number, or holds "
        "zero and reaches less than 5 %. Cannot tell: it holds zero and is wider.",
    )
    notes = [f"{each.id}: {each.reasons}" for each in experiments if each.reasons]
    tasks = {task.key for experiment in experiments for task in experiment.tasks(scale)}
    about = "Built from the store. A no is a finding, not an error of the page."
    if missing := len(tasks - results.keys()):
        about = f"NOT FINISHED: {missing:,} of {len(tasks):,} runs are still missing. {about}"
    title = "What reproduces and what does not"
    return Section("verdicts", title, about, [table], notes=[*notes, NOT_COMPARED])
