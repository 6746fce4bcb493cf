"""What a decision among items costs, and what an item: `python -m benchmarks.items.speed`.

CPU milliseconds on one core, the median of many calls.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable

import numpy as np

from hybandit.policies.item_hybrid import ItemHybrid

FEATURES = 20
CALLS = 200


def median(call: Callable[[int], object]) -> float:
    spent = []
    for number in range(CALLS):
        start = time.process_time()
        call(number)
        spent.append(time.process_time() - start)
    return 1e3 * float(np.median(spent))


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.items.speed", description=__doc__)
    parser.add_argument("--learned", type=int, nargs="+", default=[10_000, 100_000])
    parser.add_argument("--items", type=int, default=2_000)
    arguments = parser.parse_args()
    generator = np.random.default_rng(0)
    items = generator.normal(size=(arguments.items, FEATURES))
    policy = ItemHybrid(FEATURES, FEATURES, seed=0)
    learned = 0

    def learn(_: int) -> None:
        place = int(generator.integers(arguments.items))
        context = generator.normal(size=FEATURES)
        policy.learn(context, items[place], float(generator.random() < 0.5), id=place)

    for wanted in arguments.learned:
        while learned < wanted:
            learn(0)
            learned += 1
        line = [f"{learned:9,} learned: learn {median(learn):.3f} ms"]
        for candidates in (10, 50, 1_000):
            context = generator.normal(size=FEATURES)
            chosen = generator.choice(arguments.items, candidates, replace=False)
            offer, ids = items[chosen], chosen.tolist()
            spent = median(lambda _, c=context, o=offer, i=ids: policy.decide(c, o, ids=i))
            line.append(f"decide of {candidates:,} {spent:.3f} ms")
        print(", ".join(line), flush=True)
    table = policy._stack.table
    each = sum(array[0].nbytes for array in (table.features, table.counts, table.totals))
    print(f"{each:,} bytes an item, {each * 100_000 / 1e6:,.0f} MB for 100,000")


if __name__ == "__main__":
    main()
