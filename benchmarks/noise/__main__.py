"""StackedHybrid beside an earlier version of itself, with noisy rewards and with raw contexts.

    HYBANDIT_DATA=... python -m benchmarks.noise --old CHECKOUT/src --only digits,mushroom
    HYBANDIT_DATA=... python -m benchmarks.noise --old CHECKOUT/src        # all parts

CHECKOUT is a git worktree of the earlier version. Seeds start at 1,000: no setting was picked on
them. Finished runs are kept in a file (``--store``), so a command that was stopped goes on, and
parts can be run one by one. Parts that need the code of before are skipped without ``--old``.
``--only mushroom:6`` plays six seeds of a data set. ``--out`` also writes the tables as Markdown,
as in docs/results/noise.md. `sparse` is an experiment of its own: ``hybandit reproduce sparse``.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
from rich.console import Console

from hybandit.reports.spread import Spread, paired
from hybandit.reports.tables import TableView

SEED = 1000
WORKER = Path(__file__).with_name("worker.py")
OURS = "stacked-hybrid"
ALONE = ("mean", "intercept", "stiff")
RIVALS = {
    "LinUCB, alpha 0.1": ("lin-ucb", {"alpha": 0.1}),
    "LinUCB, alpha 1": ("lin-ucb", {"alpha": 1.0}),
    "LNUCB-TA": ("lnucb-ta", {}),
    "NeuralUCB": ("neural-ucb", {}),
}


class Bench:
    """Plays what has not been played, each tree's runs in a process of its own."""

    def __init__(self, old, store, seeds):
        self.old, self.store, self.seeds = old, Path(store), seeds
        self.commit = commit(old) if old else ""
        self.console = Console()
        self.tables = []
        lines = self.store.read_text().splitlines() if self.store.exists() else []
        self.known = dict(json.loads(line) for line in lines)

    def runs(self, world, policy=OURS, settings=None, *, old=False, seeds=None, **more):
        """What the runs gave, by seed."""
        found = {}
        worker = None
        for seed in range(SEED, SEED + (seeds or self.seeds)):
            task = {"world": world, "policy": policy, "settings": settings or {}, "seed": seed}
            task |= more
            key = json.dumps([self.commit if old else "", task], sort_keys=True)
            if key not in self.known:
                worker = worker or self.started(old)
                self.known[key] = self.asked(worker, task)
                with self.store.open("a") as file:
                    file.write(json.dumps([key, self.known[key]]) + "\n")
            found[seed] = self.known[key]
        if worker:
            worker.stdin.close()
            worker.wait()
        return found

    def started(self, old):
        source = self.old if old else str(Path(__file__).parents[2] / "src")
        command = [sys.executable, str(WORKER)]
        environment = os.environ | {"PYTHONPATH": source}
        return subprocess.Popen(
            command, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )

    def asked(self, worker, task):
        worker.stdin.write(json.dumps(task) + "\n")
        worker.stdin.flush()
        answer = worker.stdout.readline()
        if not answer:
            raise SystemExit(f"the worker ended on {task}")
        return json.loads(answer)

    def table(self, title, heads, rows):
        texts = [[str(each) for each in row] for row in rows]
        name = f"noise-{len(self.tables) + 1}"
        self.tables.append(TableView(name, title, heads, texts))
        self.console.print(self.tables[-1].rich())


def commit(source):
    """What git says of the checkout with this folder."""
    form = "%h of %cs (%s)"
    command = ["git", "-C", str(source), "log", "-1", f"--format={form}"]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()


def of(runs, what="regret"):
    return {seed: run[what] for seed, run in runs.items()}


def spread(values):
    return Spread.of(list(values.values()))


def worst(values):
    return f"{max(values.values()):,.0f}"


def beside_old(bench, world, seeds):
    """The new form beside the old one at the same seeds; the title says which has less regret."""
    new, old = (of(bench.runs(world, old=each, seeds=seeds)) for each in (False, True))
    gap = paired(new, old)
    limit = f"{100 * gap.high / spread(old).mean:+.1f} %"
    rows = [[world, spread(old), spread(new), worst(old), worst(new), gap, limit]]
    if world.startswith("news"):
        rows.append(clicks(world, new, old))
    heads = ["", "old", "new", "worst old", "worst new", "new - old, 95 %", "upper limit"]
    bench.table(f"Regret, {len(new)} seeds: {outcome(gap)}", heads, rows)


def outcome(gap):
    if gap.low > 0.0:
        return "a loss beyond chance"
    return "a gain beyond chance" if gap.high < 0.0 else "no difference beyond chance"


def clicks(world, new, old):
    """The same of 800 matches as it is reported elsewhere; the limit is of the loss."""
    new, old = ({seed: 800.0 - missed for seed, missed in each.items()} for each in (new, old))
    gap = paired(new, old)
    limit = f"{-100 * gap.low / spread(old).mean:+.2f} %"
    least = (f"{min(each.values()):,.0f}" for each in (old, new))
    return [f"{world}, clicks", spread(old), spread(new), *least, gap, limit]


def ablation(bench):
    """Each part alone beside none and all; the reward unit is in all of them."""
    variants = {"none": ALONE}
    variants |= {f"{part} alone": [each for each in ALONE if each != part] for part in ALONE}
    variants |= {"all": []}
    rows = []
    base = of(bench.runs("digits", without=list(ALONE)))
    for name, out in variants.items():
        line = [name]
        for world, measure in (("digits", "regret"), ("flipped", "regret"), ("offsets", "share")):
            found = of(bench.runs(world, without=list(out)), measure)
            line.append(spread(found))
            if world == "digits":
                line += [worst(found), paired(found, base)]
        rows.append(line)
    heads = ["", "digits", "worst", "less none", "30 % flipped", "offsets, of the best constant"]
    bench.table(f"What each change gives alone, {bench.seeds} seeds", heads, rows)


def raw(bench):
    """Contexts that nobody scaled: at most 130, 130 and 50."""
    rows = []
    for world in ("digits", "digits raw", "digits times 1000", "people"):
        auto, off = (of(bench.runs(world, settings={"scale": each})) for each in ("auto", "off"))
        rows.append([world, spread(off), spread(auto), worst(auto)])
    heads = ["regret", "scale off", "scale auto", "worst"]
    bench.table(f"Raw contexts, {bench.seeds} seeds", heads, rows)


def unit(bench):
    """Contexts of unit length: decisions must be the same whatever `scale`."""
    rows = []
    for world, seeds in (("digits", bench.seeds), ("mushroom", 3), ("magic", 3)):
        auto, off = (
            of(bench.runs(world, settings={"scale": each}, seeds=seeds), "choices")
            for each in ("auto", "off")
        )
        rows.append([world, sum(auto[seed] == off[seed] for seed in auto), len(auto)])
    bench.table("Unit length: runs with equal decisions", ["", "equal", "of"], rows)


def rewards(bench):
    """Rewards in other units, shifted, with a long tail."""
    plain = of(bench.runs("digits"))
    kinds = ("rewards times 1000", "rewards times 0.001", "rewards plus 1000", "long tail")
    rows = []
    for kind in kinds:
        found = of(bench.runs(f"digits {kind}"))
        ratio = spread(found).mean / spread(plain).mean
        line = [kind, spread(found), worst(found), f"{ratio:.3f}", paired(found, plain)]
        line.append(spread(of(bench.runs(f"digits {kind}", old=True))) if bench.old else "-")
        rows.append(line)
    heads = [f"digits, plain {spread(plain)}", "regret", "worst", "of plain", "- plain", "old"]
    bench.table(f"Rewards, {bench.seeds} seeds", heads, rows)


def offsets(bench):
    """Arms better everywhere. The linear part's length is set so that the oracle has 1.16."""
    runs = bench.runs("offsets")
    rows = [["oracle", spread(of(runs, "oracle"))], [OURS, spread(of(runs, "share"))]]
    if bench.old:
        rows.append(["old", spread(of(bench.runs("offsets", old=True), "share"))])
    for alpha in (0.1, 1.0):
        found = bench.runs("offsets", "lin-ucb", {"alpha": alpha}, constant=True)
        rows.append([f"LinUCB with an intercept, alpha {alpha:g}", spread(of(found, "share"))])
    bench.table(f"Of the best constant arm's reward, {bench.seeds} seeds", ["", "share"], rows)


def speed(bench):
    """Rounds per second of CPU time and memory beside the old code, by turns, a process each."""
    rows = []
    for world, seeds in (("digits", 5), ("mnist", 2)):
        pairs = []
        for number in range(seeds):
            found = [
                bench.runs(world, old=old, seeds=1, turn=number)[SEED] for old in (True, False)
            ]
            pairs.append(found)
        ratio = np.median([old["seconds"] / new["seconds"] for old, new in pairs])
        size, peak = (
            np.median([new[what] / old[what] for old, new in pairs]) for what in ("bytes", "peak")
        )
        rate = np.median([new["rounds"] / new["seconds"] for _, new in pairs])
        rows.append([world, f"{rate:,.0f}", f"{ratio:.2f}", f"{size:.2f}", f"{peak:.2f}"])
    heads = ["", "rounds/s", "speed, of old", "model, of old", "peak memory, of old"]
    bench.table("Speed and memory (target: at least 0.6, at most 1.6)", heads, rows)


def shipped(bench):
    """Sets that scikit-learn ships, columns as they are but for `flipped` digits."""
    worlds = ("wine", "cancer", "iris", "flipped")
    rows = []
    for name, (policy, settings) in ({"StackedHybrid": (OURS, {})} | RIVALS).items():
        rows.append([name, *(spread(of(bench.runs(world, policy, settings))) for world in worlds)])
    heads = ["regret", "wine", "breast cancer", "iris", "digits, 30 % flipped"]
    bench.table(f"Shipped sets, raw columns, {bench.seeds} seeds", heads, rows)


# With how many times `--seeds`: digits, whose runs differ most, with twice, slow MNIST with few.
PAIRED = {
    "digits": 2.0, "mushroom": 1.0, "magic": 1.0, "adult": 1.0, "mnist": 0.15,
    "news shared": 1.0, "news raw": 1.0,
}  # fmt: skip
PARTS = {
    "ablation": ablation, "raw": raw, "unit": unit, "rewards": rewards, "offsets": offsets,
    "speed": speed, "shipped": shipped,
}  # fmt: skip


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--old", help="the src folder of the checkout to compare with")
    parser.add_argument("--only", help=f"parts, with commas between: {', '.join(PAIRED | PARTS)}")
    parser.add_argument("--seeds", type=int, default=20, help="how many, from 1,000 upwards")
    parser.add_argument("--store", default="noise.jsonl", help="file of finished runs")
    parser.add_argument("--out", type=Path, help="Markdown file to write the tables to")
    options = parser.parse_args()
    bench = Bench(options.old, options.store, options.seeds)
    wanted = options.only.split(",") if options.only else list(PAIRED | PARTS)
    for each in wanted:
        part, _, few = each.partition(":")
        if part in PARTS and (part != "speed" or options.old):
            PARTS[part](bench)
        elif part in PAIRED and options.old:
            beside_old(bench, part, int(few or max(2, PAIRED[part] * options.seeds)))
        else:
            bench.console.print(f"{part}: unknown, or it needs --old")
    if options.out:
        title = f"# {__doc__.splitlines()[0].rstrip('.')}\n"
        before = f"; `old` is commit {bench.commit}" if bench.old else ""
        note = f"Written by `python -m benchmarks.noise`{before}.\n"
        tables = (table.markdown() for table in bench.tables)
        options.out.write_text("\n".join([title, note, *tables]))


if __name__ == "__main__":
    main()
