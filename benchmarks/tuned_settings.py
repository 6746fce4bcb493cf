"""Write the package's picked.json from the store of ``hybandit reproduce tuning``."""

from __future__ import annotations

import argparse
import json
from pathlib import Path

from hybandit.experiments import Store
from hybandit.experiments.definitions import EXPERIMENTS
from hybandit.experiments.experiment import Scale
from hybandit.experiments.grids import best_settings

TARGET = Path(__file__).parents[1] / "src/hybandit/experiments/picked.json"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("store", type=Path, help="a results.sqlite of 'hybandit reproduce tuning'")
    arguments = parser.parse_args()
    experiment = EXPERIMENTS["tuning"](Scale())
    store = Store(arguments.store, must_exist=True)
    results = store.get_many(experiment.tasks)
    missing = len(experiment.tasks) - len(results)
    if missing:
        parser.error(f"{missing} of {len(experiment.tasks)} runs are not in the store")
    found = best_settings(experiment, results)
    lines = ",\n".join(f"  {json.dumps(column)}: {json.dumps(found[column])}" for column in found)
    TARGET.write_text(f"{{\n{lines}\n}}\n")
    print(f"wrote {TARGET}")


if __name__ == "__main__":
    main()
