"""Plays again what the store of an earlier version holds of StackedHybrid, and compares in pairs.

    HYBANDIT_DATA=... python -m benchmarks.earlier STORE --only probabilities

``--only`` is a regular expression for the text of an environment: those of `sparse` contain
`probabilities`, those of `fresh` the names of their data: `phishing|segments|bananas|flares`. Of
each environment the first seeds are played, at most ``--seeds`` and as many as took ``--seconds``
then. Finished runs are kept in ``--store``. Settings and rows are those of then; a column that
tables have been given since is not taken out, so a difference is that of versions, not of the
policy alone.
"""

from __future__ import annotations

import argparse
import json
import re
import sqlite3
from contextlib import closing
from pathlib import Path

import numpy as np

from hybandit.experiments import Store, Task
from hybandit.experiments.engines import LocalEngine
from hybandit.experiments.runner import run
from hybandit.reports.spread import Spread, paired
from hybandit.reports.tables import TableView

OURS = '"stacked-hybrid"'


def chosen(path, pattern, most, seconds):
    """For each environment its first runs of then, by today's task: as many as are wanted."""
    with closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True)) as store:
        lines = store.execute("SELECT task, result FROM runs").fetchall()
    tasks = [(Task.from_text(text), json.loads(result)) for text, result in lines if OURS in text]
    places = {}
    for task, known in sorted(tasks, key=lambda each: each[0].seed):
        text = json.dumps(task.environment.settings, sort_keys=True)
        if not task.policy.settings and re.search(pattern, text):
            runs = places.setdefault(text, {})
            spent = known["seconds"] + sum(each["seconds"] for each in runs.values())
            if len(runs) < most and (not runs or spent <= seconds):
                runs[task] = known
    return dict(sorted(places.items()))


def row(place, then, now):
    """Both in expected rewards: what the best arm earns, less the regret."""
    settings = json.loads(place)
    best = max(settings.get("probabilities", [1.0]))
    earned = [
        {task.seed: best * run["rounds"] - run["regret"] for task, run in runs.items()}
        for runs in (now, then)
    ]
    new, old = (Spread.of(list(each.values())) for each in earned)
    steps = [earned[0][seed] - earned[1][seed] for seed in earned[1]]
    gap = paired(*earned) or f"{np.mean(steps):+,.1f} (one run)"
    share = f"{100 * np.mean(steps) / old.mean:+.2f} %"
    name = ", ".join(f"{key} {value}" for key, value in settings.items() if key != "encoding")
    return [name, str(len(then)), str(old), str(new), str(gap), share]


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("earlier", type=Path, help="the store of an earlier version")
    parser.add_argument("--only", required=True, help="expression for environments")
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--seconds", type=float, default=450.0, help="of each environment, then")
    parser.add_argument("--store", type=Path, default=Path("earlier.sqlite"))
    options = parser.parse_args()
    places = chosen(options.earlier, options.only, options.seeds, options.seconds)
    tasks = [task for runs in places.values() for task in runs]
    found = run(tasks, Store(options.store), engine=LocalEngine(1))
    rows = [
        row(place, runs, {task: vars(found[task.key]) for task in runs})
        for place, runs in places.items()
    ]
    heads = ["", "runs", "then", "now", "now - then, 95 %", "of then"]
    print(TableView("earlier", "Expected rewards of a run", heads, rows).markdown())


if __name__ == "__main__":
    main()
