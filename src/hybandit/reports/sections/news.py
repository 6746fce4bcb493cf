"""News recommendation by replay."""

from __future__ import annotations

from hybandit.experiments import Run
from hybandit.experiments.definitions.news import WORLDS
from hybandit.experiments.experiment import Experiment
from hybandit.reports.figures import curves
from hybandit.reports.page import Section
from hybandit.reports.sections.common import NOTHING, entry, groups, published, spread
from hybandit.reports.tables import TableView


def section(experiment: Experiment, results: dict[str, Run]) -> Section:
    tables = [_clicks(experiment, results), _seconds(experiment, results)]
    at_one = [row for row in experiment.rows if row.endswith((", 1", "(0.3)"))]
    panels = {"arm, raw": "arm contexts, raw", "shared, unit": "shared, unit length"}
    runs = groups(experiment, results, panels, at_one)
    pictures = [
        curves(
            "news-cumulative", "Cumulative reward by matches, alpha 1.", runs,
            measure="rewards", x_label="match",
        ),
        curves(
            "news-mean", "Mean reward by matches, alpha 1.", runs,
            measure="mean rewards", x_label="match", y_label="mean reward",
        ),
    ]  # fmt: skip
    best = spread(experiment, results, "LNUCB-TA, 1", "arm, raw", "reward")
    notes = []
    if best:
        notes = [
            f"LNUCB-TA at alpha 1: {best} here, 752 printed. Proper replay neither learns from "
            "unmatched events nor counts them; learning from them, which the protocol forbids, "
            "is the only way we know to the printed number with arm contexts."
        ]
    return Section("news", experiment.title, experiment.about, tables, pictures, notes)


def _clicks(experiment: Experiment, results: dict[str, Run]) -> TableView:
    rows = []
    for row in experiment.rows:
        reward = _printed(row)[0]
        arm, *shared = (entry(spread(experiment, results, row, each, "reward")) for each in WORLDS)
        rows.append([row, arm, NOTHING if reward is None else str(reward), *shared])
    return TableView(
        "news",
        "Clicks in 800 matches: mean ± sd over seeds",
        ["model, alpha", "arm, raw", "published", *list(WORLDS)[1:]],
        rows,
        note="Published numbers are for arm contexts. One run where nothing is left to chance.",
    )


def _seconds(experiment: Experiment, results: dict[str, Run]) -> TableView:
    rows = []
    for row in experiment.rows:
        ours = spread(experiment, results, row, "arm, raw", "seconds")
        theirs = _printed(row)[1]
        if theirs is not None:
            rows.append([row, entry(ours), f"{theirs:.0f}"])
    return TableView(
        "news-seconds",
        "Seconds for 800 matches, arm contexts",
        ["model, alpha", "ours", "published"],
        rows,
        note="The published times are of another machine; every event counts, matched or not.",
    )


def _printed(row: str) -> tuple[int | None, float | None]:
    """The paper's clicks and seconds of a row."""
    model, alpha = row.rsplit(", ", 1)
    reward, seconds = published()["news"].get(model, {}).get(alpha, (None, None))
    return reward, seconds
