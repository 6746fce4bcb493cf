"""A log that no memory holds: rates, peak memory, and the same sums by a database.

    python -m benchmarks.long_log [--rows 10000000] [--files 10] [--folder /tmp]

Makes a log of several Parquet files, each of so many rows of 20 columns, in a folder of its own
that is deleted in the end. It prints in one run, each in a process of its own:

- reading its columns batch by batch and nothing else,
- DuckDB computing the same IPS of the constant choices in SQL,
- `hybandit.evaluate` of a fixed policy, all constant choices and what made the log,
- LinUCB that learns every 1,000 events, on the first file alone.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

ARMS = ("gold", "silver", "bronze", "tin", "clay")
NUMBERS, FLAGS = 12, 4
ROWS_AT_ONCE = 1_000_000
COLUMNS = {"arm": "shown", "reward": "paid", "propensity": "p"}
ESTIMATORS = ("ips", "snips", "doubly-robust")
ROOT = Path(__file__).parents[1]


def parts(rows: int, number: int) -> Iterator[Any]:
    """Twelve numbers, four flags, a town, the arm, its reward and its propensity: 20 columns."""
    import pyarrow as pa

    taste = np.random.default_rng(0).normal(size=(NUMBERS, len(ARMS))) / 4.0
    generator = np.random.default_rng([1, number])
    towns = pa.array(["Ulm", "Bonn", "Kiel", "Jena"])
    for start in range(0, rows, ROWS_AT_ONCE):
        count = min(ROWS_AT_ONCE, rows - start)
        # Two digits: as a person would write them, and small on disk.
        numbers = generator.normal(size=(count, NUMBERS)).round(2)
        liking = numbers @ taste
        powers = np.exp(0.5 * liking)
        chances = powers / powers.sum(axis=1, keepdims=True)
        arms = (generator.random((count, 1)) < chances.cumsum(axis=1)).argmax(axis=1)
        places = np.arange(count)
        paid = generator.random(count) < 1.0 / (1.0 + np.exp(1.0 - liking[places, arms]))
        columns = {f"x{place}": numbers[:, place] for place in range(NUMBERS)}
        columns |= {f"f{place}": generator.integers(0, 2, count, np.int8) for place in range(FLAGS)}
        town = pa.DictionaryArray.from_arrays(generator.integers(0, 4, count, np.int8), towns)
        shown = pa.DictionaryArray.from_arrays(arms.astype(np.int8), pa.array(ARMS))
        yield pa.table(
            {
                **columns, "town": town, "shown": shown, "paid": paid.astype(np.int8),
                "p": chances[places, arms],
            }
        )  # fmt: skip


def make(path: Path, rows: int, number: int) -> None:
    import pyarrow.parquet as pq

    writer = None
    for table in parts(rows, number):
        writer = writer or pq.ParquetWriter(path, table.schema)
        writer.write_table(table, row_group_size=ROWS_AT_ONCE // 4)
    assert writer is not None
    writer.close()


def read(path: Path) -> dict[str, Any]:
    """Only read, as the log is read."""
    from hybandit.datasets.sources import parts_of

    return {"rows": sum(len(part.frame) for part in parts_of(path).parts())}


def by_duckdb(path: Path) -> dict[str, Any]:
    """IPS and its weights for every arm, in SQL."""
    import duckdb

    found = duckdb.sql(
        f"""select shown, sum(paid / p), sum(1 / p), sum(1 / (p * p)), count(*)
        from read_parquet('{path}/*.parquet') group by shown"""
    ).fetchall()
    rows = sum(row[-1] for row in found)
    return {"rows": rows, "ips": {row[0]: row[1] / rows for row in found}}


def fixed(path: Path) -> dict[str, Any]:
    """A policy that was taught before, all constants and the log itself."""
    import hybandit
    from hybandit.datasets import open_log
    from hybandit.evaluation import Logged
    from hybandit.experiments.log_players import always

    log = open_log(path, **COLUMNS)
    first = next(log.batches(20_000))
    policy = hybandit.LinUCB(*log.sizes, alpha=0.1, seed=0)
    policy.learn_many(first.features, first.arms, first.rewards)
    policies = [policy, *map(always, ARMS), Logged()]
    found = hybandit.evaluate(log, policies, learn="nothing", estimators=ESTIMATORS).table
    ips = found[found["estimator"] == "ips"].set_index("policy")["value"]
    return {
        "rows": len(log),
        "ips": {arm: float(ips[f"always:{arm}"]) for arm in ARMS},
        "policy": found[["estimator", "value", "low", "high"]].values[: len(ESTIMATORS)].tolist(),
    }


def learning(path: Path) -> dict[str, Any]:
    """LinUCB, which learns every 1,000 events."""
    import hybandit

    found = hybandit.evaluate(
        str(path), "lin-ucb", learn_every=1000, estimators=ESTIMATORS, **COLUMNS
    ).table
    return {
        "rows": int(found["events"].iloc[0]),
        "policy": found[["estimator", "value", "low", "high"]].values.tolist(),
    }


WAYS = {"make": make, "read": read, "duckdb": by_duckdb, "fixed": fixed, "learning": learning}


def measured(way: str, path: Path, *more: Any) -> dict[str, Any]:
    """What a way found in a process of its own, its seconds, and its memory at most."""
    command = [sys.executable, "-m", "benchmarks.long_log", "--way", way, str(path)]
    command += map(str, more)
    start = time.perf_counter()
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        text = process.stdout.read()
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    if status:
        sys.exit(f"{way} failed")
    return {
        "seconds": time.perf_counter() - start,
        "processors": usage.ru_utime + usage.ru_stime,
        "megabytes": usage.ru_maxrss / 1024,
        **(json.loads(text) or {}),
    }


def told(name: str, found: dict[str, Any], base: float | None = None) -> None:
    """By seconds of processors, which other work on the machine changes less."""
    spent = found["processors"]
    ratio = f", {spent / base:.1f} times reading alone" if base else ""
    print(
        f"{name}: {found['seconds']:,.0f} s, {spent:,.1f} s of processors, "
        f"{found['rows'] / spent:,.0f} rows in each{ratio}, {found['megabytes']:,.0f} MB at most",
        flush=True,
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rows", type=int, default=10_000_000)
    parser.add_argument("--files", type=int, default=10)
    parser.add_argument("--folder", type=Path, default=Path(tempfile.gettempdir()))
    parser.add_argument("--way", nargs="+")
    options = parser.parse_args()
    if options.way:
        way, path, *more = options.way
        print(json.dumps(WAYS[way](Path(path), *map(int, more))))
        return
    with tempfile.TemporaryDirectory(dir=options.folder) as folder:
        files = [Path(folder) / f"part-{number}.parquet" for number in range(options.files)]
        made = [measured("make", each, options.rows, part) for part, each in enumerate(files)]
        print(
            f"{options.files} files of {options.rows:,} x 20, "
            f"{sum(each.stat().st_size for each in files) / 1e9:.2f} GB, made in "
            f"{sum(each['processors'] for each in made):,.0f} s of processors",
            flush=True,
        )
        alone = measured("read", Path(folder))
        told("reading alone", alone)
        database = measured("duckdb", Path(folder))
        told("DuckDB, IPS of the constants", database, alone["processors"])
        ours = measured("fixed", Path(folder))
        told("a fixed policy, 5 constants, the log", ours, alone["processors"])
        print(f"  against DuckDB: {ours['processors'] / database['processors']:.1f} times")
        apart = max(abs(ours["ips"][arm] - database["ips"][arm]) for arm in ARMS)
        print(f"  IPS of the constants, both: apart by at most {apart:.1e}")
        print(f"  the policy: {ours['policy']}")
        alone = measured("read", files[0])
        told("reading one file alone", alone)
        found = measured("learning", files[0])
        told("LinUCB, learning every 1,000, on it", found, alone["processors"])
        print(f"  {found['policy']}")


if __name__ == "__main__":
    main()
