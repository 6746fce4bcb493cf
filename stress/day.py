"""A day of a busy site in short: does a loop that keeps one day stay small and fast?

    python stress/day.py --events 1000000
    python stress/day.py --events 100000 --speed 1000
    python stress/day.py --seconds 800 --url day.db    # again: goes on where it was

Each event has a new text in its context and ten actions, of which one gives way to a new one after
every `renew` events; half of the events get a reward. The clock of the loop runs `speed` times as
fast as the one on the wall, so that days pass and old events are removed while it ranks. Prints the
size of the file, the memory of this process and the median and the 99th percentile of `rank` again
and again. It fails if anything older than was to be kept is still there at the end.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from pathlib import Path

import numpy as np

from hybandit import Loop

DAY = 86_400.0


class FastLoop(Loop):
    """A loop whose clock runs `speed` times as fast."""

    speed = 100.0
    # When this process began, and what the loop's clock showed then.
    start = began = time.time()

    def _now(self) -> float:
        return self.began + (time.time() - self.start) * self.speed


def play(loop: Loop, number: int, renew: int) -> float:
    """One visit; returns how many seconds `rank` took."""
    context = {"hour": number % 24, "query": f"words that nobody wrote before {number}"}
    oldest = number // renew
    articles = {
        f"article {place}": {"topic": f"topic {place % 9}", "title": f"news of {place} " * 5}
        for place in range(oldest, oldest + 10)
    }
    start = time.perf_counter()
    decision = loop.rank(context, articles)
    took = time.perf_counter() - start
    if number % 2:
        loop.reward(decision.event, float(decision.action.endswith("3")))
    return took


def memory() -> float:
    """What this process has in memory, in MB (Linux)."""
    return int(Path("/proc/self/statm").read_text().split()[1]) * 4096 / 1e6


def report(loop: FastLoop, times: list[float], first: float) -> None:
    now = loop.status()
    median, slow = np.percentile(np.array(times) * 1e3, [50, 99])
    days = (loop._now() - first) / DAY
    print(
        f"{days:5.2f} days  {now.events:9,} events  {now.actions:7,} actions  "
        f"{now.bytes / 1e6:8.1f} MB on disk  {memory():7.1f} MB in memory  "
        f"rank {median:6.2f} ms, 99 % below {slow:7.2f} ms  {now.lag} behind  {now.error or ''}",
        flush=True,
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--events", type=int, default=1_000_000)
    parser.add_argument("--speed", type=float, default=100.0)
    parser.add_argument("--keep", type=float, default=1.0)
    parser.add_argument("--url", help="default: a new SQLite file")
    parser.add_argument("--renew", type=int, default=20, help="events until an action is new")
    parser.add_argument("--policy", default="default", help="such as item-hybrid:max_items=500")
    parser.add_argument("--seconds", type=float, default=float("inf"), help="stop after so long")
    parser.add_argument("--every", type=int, default=20_000, help="events between two lines")
    options = parser.parse_args()
    FastLoop.speed = options.speed
    with tempfile.TemporaryDirectory() as folder:
        place = options.url or f"{folder}/day.db"
        with FastLoop(place, keep=options.keep, wait=None, policy=options.policy) as loop:
            with loop._counted() as tally:
                known, first, last = tally.all.shown, tally.all.first, tally.all.last
            if known:
                FastLoop.start, FastLoop.began = time.time(), last
            else:
                first = loop.began
            start, times, number = time.perf_counter(), [], known
            while number < options.events and time.perf_counter() < start + options.seconds:
                times.append(play(loop, number, options.renew))
                number += 1
                if number % options.every == 0:
                    report(loop, times, first)
                    times.clear()
            print(f"{(number - known) / (time.perf_counter() - start):.0f} events a second")
            oldest = loop._now() - options.keep * DAY
            check(loop, oldest)


def check(loop: FastLoop, moment: float) -> None:
    """Wait until all that is older is gone; an error if it is not."""
    deadline = time.monotonic() + 120.0
    while any(history.event.at < moment for history in loop._storage.event_histories()):
        if time.monotonic() > deadline:
            raise SystemExit("what is older than was to be kept is still there")
        time.sleep(1.0)
    now = loop.status()
    print(f"left: {now.events:,} events, {now.actions:,} actions, {now.bytes / 1e6:.1f} MB")


if __name__ == "__main__":
    main()
