"""The loop in a process of its own, without HTTP: pairs of rank and reward from threads.

    python -m benchmarks.service.embedded PLACE --connections 8 --seconds 10

Prints JSON as the client does, with the CPU seconds of the process.
"""

import argparse
import json
import threading
import time

from benchmarks.loop import World
from benchmarks.service.client import BODIES, quantiles
from hybandit.loop import Loops


def pairs(loop, arguments, place, began, found):
    world = World(asked=arguments.seed)
    requests = [world.request() for _ in range(BODIES)]
    number = place
    while time.perf_counter() - began < arguments.seconds:
        name, started = f"{arguments.seed}-{number}", time.perf_counter()
        loop.rank(*requests[number % BODIES], event=name)
        ranked = time.perf_counter()
        loop.reward(name, float(number % 2))
        found["rank"].append(ranked - started)
        found["reward"].append(time.perf_counter() - ranked)
        number += arguments.connections


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("place")
    parser.add_argument("--loop", default="load")
    parser.add_argument("--connections", type=int, default=8)
    parser.add_argument("--seconds", type=float, default=10.0)
    parser.add_argument("--seed", type=int, default=0)
    arguments = parser.parse_args()
    with Loops(arguments.place) as loops:
        loop = loops[arguments.loop]
        loop.rank({}, ["first"])
        loop.wait_for(timeout=600.0)
        found = {"rank": [], "reward": []}
        began, cpu = time.perf_counter(), time.process_time()
        threads = [
            threading.Thread(target=pairs, args=(loop, arguments, place, began, found))
            for place in range(arguments.connections)
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        seconds = time.perf_counter() - began
        loop.wait_for(timeout=600.0)
        cpu = time.process_time() - cpu
    counts = {"pairs": len(found["reward"]), "seconds": seconds, "cpu": cpu}
    print(json.dumps({**counts, **quantiles(found)}))


if __name__ == "__main__":
    main()
