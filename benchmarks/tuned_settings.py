"""Write the package's tuned_settings.json from the store of ``hybandit reproduce tuning``."""

from __future__ import annotations

import argparse
import json
from pathlib import Path

from hybandit.experiments import Store
from hybandit.experiments.experiment import Effort
from hybandit.paper.experiments.tuning import Tuning, best_settings

TARGET = Path(__file__).parents[1] / "src/hybandit/paper/players/tuned_settings.json"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("store", type=Path, help="a results.sqlite of 'hybandit reproduce tuning'")
    arguments = parser.parse_args()
    experiment, scale = Tuning(), Effort()
    tasks = experiment.tasks(scale)
    results = Store(arguments.store, must_exist=True).get_many(tasks)
    missing = len(tasks) - len(results)
    if missing:
        parser.error(f"{missing} of {len(tasks)} runs are not in the store")
    TARGET.write_text(written(best_settings(experiment.findings(scale, results))))
    print(f"wrote {TARGET}")


def written(best) -> str:
    """JSON with a line for each data set and encoding."""
    found: dict[str, dict[str, dict]] = {}
    for (place, policy), settings in best.items():
        found.setdefault(place.data, {}).setdefault(place.encoding, {})[policy.label] = settings
    parts = []
    for data, encodings in found.items():
        lines = [f"    {json.dumps(key)}: {json.dumps(each)}" for key, each in encodings.items()]
        parts.append(f"  {json.dumps(data)}: {{\n" + ",\n".join(lines) + "\n  }")
    return "{\n" + ",\n".join(parts) + "\n}\n"


if __name__ == "__main__":
    main()
