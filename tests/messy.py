"""Tables and logs as people have them, written to files."""

import numpy as np
import pandas as pd

from hybandit.datasets import open_log

GENERATOR = np.random.default_rng(0)
COUNT = 200


def people(count=COUNT, **more):
    generator = np.random.default_rng(1)
    age = generator.integers(18, 90, count)
    return pd.DataFrame(
        {
            "age": age,
            "town": generator.choice(["Köln", "Ulm", "Bonn"], count),
            **more,
            "bought": np.where(age > 50, "yes", "no"),
        }
    )


def log_frame(count=COUNT):
    generator = np.random.default_rng(2)
    return pd.DataFrame(
        {
            "age": generator.integers(18, 90, count),
            "action": generator.choice(["tea", "beer", "wine"], count),
            "clicked": generator.integers(0, 2, count),
            "propensity": np.full(count, 1 / 3),
        }
    )


def written(tmp_path, frame, name="data.csv", **options):
    path = tmp_path / name
    frame.to_csv(path, index=False, **options)
    return path


def broken(path, share):
    """The file with this share of its rows cut short or too long."""
    lines = path.read_text().splitlines()
    for number in range(1, round(share * COUNT) + 1):
        lines[number] = "30" if number % 2 else f"{lines[number]},surplus"
    path.write_text("\n".join(lines) + "\n")
    return path


def read_log(source, *columns, **options):
    """A log in memory, and what was read."""
    log = open_log(source, *columns, **options)
    return log.in_memory(), log.reading
