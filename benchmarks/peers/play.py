"""Play one problem with one peer: a script for the peer's own environment.

python play.py ADAPTER.py KIND STREAM.npz SEED LIMIT [profile]

Prints what came of it as one line of JSON; with `profile`, where the time went instead. CPU time
counts, of all threads; `prepare` and a first play with a policy that is thrown away do not. After
LIMIT seconds it stops, wherever it is.
"""

from __future__ import annotations

import cProfile
import importlib.util
import json
import pstats
import resource
import sys
import time
from importlib.metadata import version
from pathlib import Path

import numpy as np

STEP = 50


def adapter(path):
    spec = importlib.util.spec_from_file_location(f"adapter_{Path(path).stem}", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


class Clock:
    """CPU seconds, and after how many rounds they had been spent."""

    def __init__(self):
        self.rounds, self.seconds = [0], [0.0]

    def start(self):
        self._started = time.process_time()

    def stop(self, rounds):
        """So many rounds are played; returns the seconds spent."""
        self.rounds.append(rounds)
        self.seconds.append(self.seconds[-1] + time.process_time() - self._started)
        return self.seconds[-1]

    def by_step(self):
        """The seconds after every STEP rounds."""
        steps = range(STEP, self.rounds[-1] + 1, STEP)
        return np.interp(steps, self.rounds, self.seconds)


def online(player, stream, limit):
    """Choose, then learn that one reward, round after round: the arms, and the clock."""
    arms, clock = [], Clock()
    for begin in range(0, len(stream["contexts"]), STEP):
        rows = player.prepare(stream["contexts"][begin : begin + STEP])
        rewards = stream["rewards"][begin : begin + STEP].tolist()
        clock.start()
        for row, paid in zip(rows, rewards, strict=True):
            arm = player.choose(row)
            player.learn(row, arm, paid[arm])
            arms.append(arm)
        if clock.stop(len(arms)) > limit:
            break
    return arms, clock


def batch(player, stream, limit):
    """Choose for many rows with what the log taught: the arms, and the clock."""
    arms, clock = [], Clock()
    for begin in range(0, len(stream["contexts"]), player.at_once):
        rows = player.prepare(stream["contexts"][begin : begin + player.at_once])
        clock.start()
        chosen = player.choose_many(rows)
        spent = clock.stop(len(arms) + len(rows))
        arms.extend(int(arm) for arm in chosen)
        if spent > limit:
            break
    return arms, clock


def play(kind, make, stream, limit):
    log = stream.pop("log")
    taught = {name: array[: len(log)] for name, array in stream.items()}
    fresh = {name: array[len(log) :] for name, array in stream.items()}
    player = make()
    if kind != "batch":
        return online(player, fresh, limit), fresh["means"]
    paid = taught["rewards"][np.arange(len(log)), log]
    player.learn_many(taught["contexts"], log.tolist(), paid.tolist())
    player.choose_many(player.prepare(fresh["contexts"][:STEP]))
    return batch(player, fresh, limit), fresh["means"]


def warm_up(kind, make, stream):
    """So that nothing is compiled or imported on the clock."""
    head = {name: array[: 2 * STEP] for name, array in stream.items() if name != "log"}
    if kind != "batch":
        online(make(), head, limit=5.0)


def profile(task):
    """Functions and their own seconds, most first."""
    profiler = cProfile.Profile()
    profiler.runcall(task)
    found = pstats.Stats(profiler).stats.items()
    named = [(f"{Path(file).stem}.{name}".removeprefix("~."), own)
             for (file, _, name), (_, _, own, _, _) in found]  # fmt: skip
    return sorted(named, key=lambda entry: -entry[1])


def peak_memory():
    """Of this process, in MB. `ru_maxrss` also remembers the parent's, before exec."""
    try:
        status = Path("/proc/self/status").read_text()
        return int(status.split("VmHWM:")[1].split()[0]) / 1e3
    except (OSError, IndexError):
        unit = 1e6 if sys.platform == "darwin" else 1e3
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / unit


def main():
    path, kind, stream_path, seed, limit, *profiled = sys.argv[1:]
    with np.load(stream_path) as arrays:
        stream = {name: arrays[name] for name in arrays.files}
    module = adapter(path)
    found = {"version": version(module.PACKAGE)}
    if kind not in module.PLAYERS:
        print(json.dumps({**found, "absent": module.ABSENT[kind]}))
        return
    kind_of_player = module.PLAYERS[kind]
    found |= {name: getattr(kind_of_player, name) for name in ("setup", "nearest", "remark")}
    sizes = stream["means"].shape[1], stream["contexts"].shape[1]

    def make():
        return kind_of_player(*sizes, int(seed))

    warm_up(kind, make, stream)
    if profiled:
        print(json.dumps(profile(lambda: play(kind, make, stream, float(limit)))))
        return
    (arms, clock), means = play(kind, make, stream, float(limit))
    means = means[: len(arms)]
    lost = np.cumsum(means.max(axis=1) - means[np.arange(len(arms)), arms])
    found |= {
        "rounds": len(arms),
        "seconds": clock.seconds[-1],
        "clock": clock.by_step().round(7).tolist(),
        "memory": peak_memory(),
        "regret": lost[STEP - 1 :: STEP].round(3).tolist(),
    }
    print(json.dumps(found))


if __name__ == "__main__":
    main()
