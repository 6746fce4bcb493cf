"""A log as people have it: texts, dates, gaps; five actions, chosen by a softmax.

    python -m benchmarks.people_logs [--rows 200000] [--before FOLDER] [--logs 100]

Prints in one run how long `hybandit evaluate` takes with the default policies and two workers,
with and without propensities, beside a clone of an earlier version if one is given; then in how
many of 100 logs the intervals hold the truth, of constant choices and of a fixed policy.

Beside the seconds stand those of processors, of all processes and of the first one with the
busiest of its workers: two idle cores would take about so long, whatever else runs here.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

TOWNS = ["Ulm", "Bonn", "Köln", "Kiel", "Jena", "Graz"]
DEVICES = ["phone", "tablet", "desktop"]
ARMS = np.array(list("abcde"))
CHOOSING = 0.6 * np.random.default_rng(5).normal(size=(6, 5))
PAYING = 0.8 * np.random.default_rng(6).normal(size=(6, 5))
COLUMNS = {"arm": "shown", "reward": "paid"}
ROOT = Path(__file__).parents[1]
LOGS, ROWS_OF_A_LOG = 100, 20_000
EXPECTED = 90


def world(rows: int, seed: int) -> tuple[pd.DataFrame, np.ndarray, np.ndarray]:
    """What is known of each person, as a table and as numbers, and what every arm pays."""
    generator = np.random.default_rng([seed, 1])
    age, income = generator.normal(40, 12, rows), np.exp(generator.normal(10, 0.5, rows))
    town = generator.choice(TOWNS, rows, p=[0.3, 0.25, 0.2, 0.1, 0.1, 0.05])
    device, member = generator.choice(DEVICES, rows), generator.integers(0, 2, rows)
    hours = generator.integers(0, 24 * 365, rows)
    seen = pd.Timestamp("2024-01-01") + pd.to_timedelta(hours, "h")
    known = np.stack(
        [(age - 40) / 12, town == "Ulm", device == "phone", np.log(income) - 10, member,
         hours % 24 / 24], axis=1,
    )  # fmt: skip
    table = pd.DataFrame(
        {
            "age": np.where(generator.random(rows) < 0.02, np.nan, age.round(1)),
            "town": np.where(generator.random(rows) < 0.02, None, town),
            "device": device,
            "seen": seen.strftime("%d.%m.%Y %H:%M"),
            "income": income.round(),
            "member": member,
        }
    )
    return table, known.astype(float), 1.0 / (1.0 + np.exp(0.5 - known.astype(float) @ PAYING))


def log(rows: int, seed: int) -> pd.DataFrame:
    table, known, means = world(rows, seed)
    generator = np.random.default_rng([seed, 2])
    powers = np.exp(known @ CHOOSING)
    chances = powers / powers.sum(axis=1, keepdims=True)
    arms = (generator.random((rows, 1)) < chances.cumsum(axis=1)).argmax(axis=1)
    places = np.arange(rows)
    paid = (generator.random(rows) < means[places, arms]).astype(int)
    return table.assign(shown=ARMS[arms], paid=paid, p=chances[places, arms])


def evaluated(path: Path, out: Path, root: Path, *more: str) -> tuple[float, float, float]:
    """Seconds of the command by a clone, those of processors, and the busiest processes' share."""
    call = "from hybandit.cli import main; main()"
    command = [sys.executable, "-c", call, "evaluate", str(path), "--arm", "shown", "--reward"]
    environment = {**os.environ, "PYTHONPATH": str(root / "src")}
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    start = time.perf_counter()
    with subprocess.Popen(
        [*command, "paid", "--out", str(out), "--json", *more],
        env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, process_group=0,
    ) as process:  # fmt: skip
        used: dict[int, float] = {}
        while process.poll() is None:
            used |= processors_of(process.pid)
            time.sleep(0.5)
    if process.returncode:
        sys.exit(f"{root} failed")
    seconds, after = time.perf_counter() - start, resource.getrusage(resource.RUSAGE_CHILDREN)
    spent = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    first = used.pop(process.pid, 0.0)
    return seconds, spent, first + max(used.values(), default=0.0)


def processors_of(group: int) -> dict[int, float]:
    """Seconds of processors by process of a group, as Linux tells them."""
    used = {}
    for place in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):
            fields = place.read_text().rpartition(")")[2].split()
            if int(fields[2]) == group:
                ticks = int(fields[11]) + int(fields[12])
                used[int(place.parent.name)] = ticks / os.sysconf("SC_CLK_TCK")
    return used


def compare_speed(rows: int, before: Path | None) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "log.csv"
        log(rows, seed=0).to_csv(path, index=False)
        for name, options in (("with", ["--propensity", "p"]), ("without", ["--drop", "p"])):
            told = f"{rows:,} rows {name} propensities"
            ways = {"now, two workers": (ROOT, ["--workers", "2"])}
            if before:
                ways = {"before": (before, []), **ways}
            for way, (root, more) in ways.items():
                out = Path(folder) / name / way.split(",")[0]
                seconds, spent, busiest = evaluated(path, out, root, *options, *more)
                print(
                    f"{told}, {way}: {seconds:.0f} s, {spent:.0f} s of processors, "
                    f"{busiest:.0f} s of the busiest",
                    flush=True,
                )


def truth() -> tuple[Any, dict[str, float]]:
    """A policy that was taught on a log of its own, and the true values on new people."""
    import hybandit
    from hybandit.datasets import open_log

    taught = open_log(log(5000, seed=999), **COLUMNS, drop=["p"])
    policy = hybandit.LinUCB(*taught.sizes, alpha=0.0, seed=0)
    (batch,) = taught.batches()
    policy.learn_many(batch.features, batch.arms, batch.rewards)
    table, _, means = world(400_000, seed=1000)
    features = taught.reading.encoder.transform(table)
    arms = policy.choose_many(features)
    values = {f"always:{arm}": float(means[:, place].mean()) for place, arm in enumerate(ARMS)}
    values["lin-ucb"] = float(means[np.arange(len(arms)), arms].mean())
    return (policy, taught.reading.encoder), values


def coverage(logs: int) -> None:
    """In how many logs the 95 % intervals of each estimator hold the truth."""
    from hybandit.datasets import EventLog
    from hybandit.evaluation import Always, How, evaluate_many

    (policy, encoder), true = truth()
    policies = {"lin-ucb": policy} | {f"always:{arm}": Always(arm) for arm in ARMS}
    held: dict[tuple[str, str, str], int] = {}
    warned = 0
    for seed in range(logs):
        table = log(ROWS_OF_A_LOG, seed)
        features = encoder.transform(table)
        arms = np.searchsorted(ARMS, table["shown"].to_numpy(str))
        rewards = table["paid"].to_numpy(float)
        for given, chances in (("given", table["p"].to_numpy()), ("estimated", None)):
            events = EventLog(arms, rewards, features, chances, tuple(ARMS.tolist()))
            found = evaluate_many(list(policies.values()), events, How(learn="nothing"))
            for name, each in zip(policies, found, strict=True):
                warned += given == "estimated" and any("too large" in n for n in each.notes)
                for one in each.estimates:
                    inside = one.bootstrap.low <= true[name] <= one.bootstrap.high
                    key = given, one.estimator, name
                    held[key] = held.get(key, 0) + inside
    for given in ("given", "estimated"):
        for estimator in ("ips", "snips", "doubly-robust"):
            counts = {name: held[given, estimator, name] for name in policies}
            print(f"{given}, {estimator}: {json.dumps(counts)} of {logs}")
    print(f"'weights too large' with estimated propensities: {warned} of {logs * len(policies)}")
    least = min(count for key, count in held.items() if key[1] == "doubly-robust")
    if least < EXPECTED * logs / 100:
        sys.exit(f"doubly robust: {least} of {logs}, fewer than {EXPECTED} in 100")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rows", type=int, default=200_000)
    parser.add_argument("--before", type=Path, help="a clone of an earlier version")
    parser.add_argument("--logs", type=int, default=LOGS)
    options = parser.parse_args()
    if options.rows:
        compare_speed(options.rows, options.before)
    if options.logs:
        coverage(options.logs)


if __name__ == "__main__":
    main()
