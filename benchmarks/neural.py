"""What the kernel and neural policies cost, and how they compare with plain NumPy.

    python benchmarks/neural.py                    # Adult, Magic, Mushroom: some minutes
    python benchmarks/neural.py --data mnist       # MNIST: about twenty minutes

Needs HYBANDIT_DATA. Every policy plays 10,000 rounds (Mushroom 8,124) of the standard encoding
in a process of its own, on the cores there are; the table gives seconds, peak memory with the
data included, and regret. The ratio is NeuralUCB's speed to that of tests/twins.py's NeuralTwin,
the same schedule in NumPy, each on one thread over the same first rounds.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import subprocess
import sys
import time
from pathlib import Path

POLICIES = [
    "kernel-ucb",
    "kernel-ts",
    "neural-ucb",
    "neural-ts",
    "neural-epsilon-greedy",
    "bootstrap-nn",
    "neural-linear",
    "npr",
    "neural-bandit",
]
# Plain NumPy needs half a second a round on MNIST.
TWIN_ROUNDS = {"mnist": 400}
ONE_THREAD = {f"{library}_NUM_THREADS": "1" for library in ("OMP", "OPENBLAS", "MKL", "NUMBA")}


def one_run(data, policy):
    from hybandit.experiments import EnvironmentSpec, PolicySpec
    from hybandit.experiments.environments import make_environment

    environment = make_environment(EnvironmentSpec("classification", {"data": data}))
    run = environment.run(PolicySpec(policy), 0)
    megabytes = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(json.dumps([run.seconds, megabytes, run.regret]))


def against_twin(data):
    sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))
    import numpy as np
    from twins import NeuralTwin

    import hybandit
    from hybandit.environments import Classification
    from hybandit.experiments.environments import read_table

    rounds = TWIN_ROUNDS.get(data, 3000)
    labels = read_table(data).labels
    world = Classification(read_table(data).encoded("standard"), labels, seed=0, rounds=rounds)
    turns = list(world)

    def policy():
        return hybandit.NeuralUCB(world.n_arms, world.n_features, ties="first", seed=0)

    def seconds(choose, learn):
        start = time.perf_counter()
        for turn in turns:
            arm = choose(turn.context)
            learn(turn.context, arm, turn.reward(arm))
        return time.perf_counter() - start

    ours = policy()
    seconds(ours.choose, ours.learn)
    ours, twin = policy(), NeuralTwin(policy())
    fast = seconds(ours.choose, ours.learn)
    plain = seconds(lambda x: int(np.argmax(twin.scores(x))), twin.learn)
    print(json.dumps([plain / fast, rounds]))


def in_own_process(*arguments, one_thread=False):
    environment = {**os.environ, **(ONE_THREAD if one_thread else {})}
    command = [sys.executable, __file__, *arguments]
    done = subprocess.run(command, capture_output=True, text=True, check=True, env=environment)
    return json.loads(done.stdout.splitlines()[-1])


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", nargs="+", default=["adult", "magic", "mushroom"])
    parser.add_argument("--policies", nargs="+", default=POLICIES)
    parser.add_argument("--one", nargs=2, help=argparse.SUPPRESS)
    parser.add_argument("--twin", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.one:
        return one_run(*arguments.one)
    if arguments.twin:
        return against_twin(arguments.twin)
    from rich.console import Console
    from rich.progress import track

    from hybandit.reports.tables import TableView

    rows = []
    cells = [(data, policy) for data in arguments.data for policy in arguments.policies]
    for data, policy in track(cells, "policies", transient=True):
        seconds, megabytes, regret = in_own_process("--one", data, policy)
        rows.append([data, policy, f"{seconds:.1f}", f"{megabytes:.0f}", f"{regret:,.0f}"])
    columns = ["data", "policy", "seconds", "peak MB", "regret"]
    console = Console(width=110)
    console.print(TableView("cost", "Cost of a run", columns, rows, left=2).rich())
    ratios = []
    for data in track(arguments.data, "plain NumPy", transient=True):
        ratio, rounds = in_own_process("--twin", data, one_thread=True)
        ratios.append([data, f"{rounds:,}", f"{ratio:.1f}"])
    columns = ["data", "rounds", "speed, plain NumPy = 1"]
    console.print(TableView("ratio", "NeuralUCB, one thread", columns, ratios).rich())
    return None


if __name__ == "__main__":
    main()
