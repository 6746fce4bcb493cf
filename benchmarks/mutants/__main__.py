"""``python -m benchmarks.mutants --sample 400 --seed 7 --store mutants.jsonl``.

Draws mutants of policies, estimators, environments, experiments and reports, runs the tests of
each one's module on a copy of the tree, and keeps every outcome: the same command goes on where
it was stopped. A mutant that hangs counts as killed, one that changes nothing as survived.
"""

from __future__ import annotations

import argparse
import json
import tempfile
from collections import Counter
from dataclasses import asdict
from pathlib import Path

from benchmarks.mutants.files import PACKAGES, ROOT
from benchmarks.mutants.sample import Mutant, digest, interval, population, sampled
from benchmarks.mutants.workshop import KILLED, TIMED_OUT, Workshop

FOUND = (KILLED, TIMED_OUT)


def main(arguments: list[str] | None = None) -> None:
    options = parsed(arguments)
    head = {"sample": options.sample, "seed": options.seed, "source": digest(ROOT)}
    outcomes = read(options.store, head)
    mutants = sampled(population(ROOT), options.sample, options.seed)
    waiting = [mutant for mutant in mutants if mutant.key not in outcomes]
    with tempfile.TemporaryDirectory() as folder:
        workshop = Workshop(ROOT, Path(folder)) if waiting else None
        for mutant in waiting:
            assert workshop is not None
            outcomes[mutant.key] = workshop.outcome(mutant)
            append(options.store, {"mutant": asdict(mutant), "outcome": outcomes[mutant.key]})
            told = f"{len(outcomes)} of {len(mutants)}: {outcomes[mutant.key]} {named(mutant)}"
            print(told, flush=True)
    print(summary(mutants, outcomes))


def parsed(arguments: list[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="benchmarks.mutants", description=__doc__)
    parser.add_argument("--sample", type=int, default=400, help="how many mutants")
    parser.add_argument("--seed", type=int, required=True, help="draws the sample")
    parser.add_argument("--store", type=Path, required=True, help="JSON lines, one an outcome")
    options = parser.parse_args(arguments)
    if options.sample < 1:
        parser.error(f"--sample must be at least 1; got {options.sample}")
    return options


def read(store: Path, head: dict[str, object]) -> dict[str, str]:
    """Outcomes of a former run of the same sample; the store is begun if there is none."""
    if not store.exists():
        append(store, head)
        return {}
    first, *lines = (json.loads(line) for line in store.read_text().splitlines())
    if first != head:
        differing = ", ".join(key for key in head if first.get(key) != head[key])
        raise SystemExit(f"--store must be of the same sample; {store} has another {differing}")
    return {
        f"{line['mutant']['module']}#{line['mutant']['mutation']['number']}": line["outcome"]
        for line in lines
    }


def append(store: Path, line: dict[str, object]) -> None:
    with store.open("a") as file:
        file.write(json.dumps(line) + "\n")


def named(mutant: Mutant) -> str:
    change = mutant.mutation
    place = f"{mutant.module}:{change.line}"
    return f"{place} {change.kind}: {change.before!r} -> {change.after!r}"


def summary(mutants: list[Mutant], outcomes: dict[str, str]) -> str:
    """Killed with its interval, in all and by package, and every survivor."""
    lines = []
    for package in (*PACKAGES, "all"):
        group = [each for each in mutants if package in ("all", each.package)]
        counts = Counter(outcomes[each.key] for each in group)
        killed = sum(counts[each] for each in FOUND)
        low, high = interval(killed, len(group))
        share = f"{killed / len(group):.0%}" if group else "-"
        lines.append(
            f"{package:>12}: {killed} of {len(group)} killed, {share} [{low:.0%}, {high:.0%}]"
        )
    survivors = [each for each in mutants if outcomes[each.key] not in FOUND]
    return "\n".join([*lines, "survivors:", *(f"  {named(each)}" for each in survivors)])


if __name__ == "__main__":
    main()
