"""``python -m stress.mutants --sample 400 --seed 7 --store mutants.jsonl --workers 2``.

Draws mutants of policies, estimators, environments, experiments and reports, runs the tests of
each one's module on a copy of the tree, one for each worker, and keeps every outcome: the same
command goes on where it was stopped. A mutant that hangs counts as killed, one that changes
nothing as survived.
"""

from __future__ import annotations

import argparse
import json
import tempfile
import time
from collections import Counter
from dataclasses import asdict
from pathlib import Path

from stress.mutants.files import PACKAGES, ROOT
from stress.mutants.sample import Mutant, digest, interval, population, sampled
from stress.mutants.workshop import KILLED, TIMED_OUT, BrokenTests, outcomes

FOUND = (KILLED, TIMED_OUT)


def main(arguments: list[str] | None = None, root: Path = ROOT) -> None:
    options = parsed(arguments)
    head = {"sample": options.sample, "seed": options.seed, "source": digest(root)}
    known = read(options.store, head)
    mutants = sampled(population(root), options.sample, options.seed)
    waiting = [mutant for mutant in mutants if mutant.key not in known]
    if waiting:
        try:
            known |= tried(waiting, root, options.store, options.workers)
        except BrokenTests as error:
            raise SystemExit(str(error)) from error
    print(summary(mutants, known))


def tried(waiting: list[Mutant], root: Path, store: Path, workers: int) -> dict[str, str]:
    """Outcomes by key, each kept and told as soon as it is known."""
    found: dict[str, str] = {}
    start = time.monotonic()
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        for mutant, outcome in outcomes(waiting, root, Path(folder), workers):
            found[mutant.key] = outcome
            append(store, {"mutant": asdict(mutant), "outcome": outcome})
            done, seconds = len(found), time.monotonic() - start
            left = seconds / done * (len(waiting) - done)
            told = f"{done} of {len(waiting)}, {left / 60:.0f} min left"
            print(f"{told}: {outcome} {named(mutant)}", flush=True)
    return found


def parsed(arguments: list[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="stress.mutants", description=__doc__)
    parser.add_argument("--sample", type=int, default=400, help="how many mutants")
    parser.add_argument("--seed", type=int, required=True, help="draws the sample")
    parser.add_argument("--store", type=Path, required=True, help="JSON lines, one an outcome")
    parser.add_argument("--workers", type=int, default=1, help="how many at a time")
    options = parser.parse_args(arguments)
    for name in ("sample", "workers"):
        if getattr(options, name) < 1:
            parser.error(f"--{name} must be at least 1; got {getattr(options, name)}")
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
