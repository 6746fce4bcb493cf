"""Metrics for Prometheus: requests counted here, and what the database knows of each loop."""

from __future__ import annotations

import logging
import os
from collections.abc import Iterator
from functools import cache

from prometheus_client import CollectorRegistry, Counter, Histogram, generate_latest
from prometheus_client.metrics_core import CounterMetricFamily, GaugeMetricFamily, Metric
from prometheus_client.multiprocess import MultiProcessCollector
from prometheus_client.registry import Collector

from hybandit.loop import Loops

LOG = logging.getLogger("hybandit.service")
# Where the library keeps what several processes counted; it looks at this when it is imported.
FOLDER = "PROMETHEUS_MULTIPROC_DIR"
SECONDS = (0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 5.0)
COUNTED = {
    "events": "Decisions of a loop, by any process.",
    "rewards": "Rewards that came.",
    "late": "Rewards that came too late to be learned.",
    "closed": "Decisions whose reward is final.",
}
GAUGES = {
    "version": "The newest version of the model, a position in the journal.",
    "lag": "How many versions the model of the process that answers is behind.",
    "waiting": "Decisions that nothing has closed yet.",
    "overdue": "Decisions whose window is over, but which no learner has closed.",
}


class Metrics:
    """What one application counts, and how it is told."""

    def __init__(self, loops: Loops) -> None:
        self._registry = CollectorRegistry()
        self._stored = CollectorRegistry()
        self._stored.register(Stored(loops))
        self._requests = Counter(
            "hybandit_requests", "Requests by route and status.", ["method", "route", "status"],
            registry=self._registry,
        )  # fmt: skip
        self._seconds = Histogram(
            "hybandit_request_seconds", "Time to answer a request.", ["method", "route"],
            registry=self._registry, buckets=SECONDS,
        )  # fmt: skip
        # The library looks for them under a lock and by text.
        self._counted = cache(self._requests.labels)
        self._timed = cache(self._seconds.labels)

    def count(self, method: str, route: str, status: int, seconds: float) -> None:
        """Count a request that was answered."""
        self._counted(method, route, status).inc()
        self._timed(method, route).observe(seconds)

    def within(self, method: str, route: str, share: float) -> float | None:
        """Within how many seconds this share of the requests of a route was answered here.

        Rounded up to the next of `SECONDS`; None without requests, or if many take longer.
        """
        (family,) = self._seconds.collect()
        counts = {
            float(sample.labels["le"]): sample.value
            for sample in family.samples
            if sample.name.endswith("_bucket")
            and (sample.labels["method"], sample.labels["route"]) == (method, route)
        }
        total = counts.get(float("inf"), 0.0)
        enough = [edge for edge, count in counts.items() if total and count >= share * total]
        fastest = min(enough, default=float("inf"))
        return fastest if fastest < float("inf") else None

    def told(self) -> bytes:
        """Everything in Prometheus' text format; what several processes counted, in sum."""
        counted = self._registry
        if FOLDER in os.environ:
            counted = CollectorRegistry()
            MultiProcessCollector(counted)  # type: ignore[no-untyped-call]
        return generate_latest(counted) + generate_latest(self._stored)


class Stored(Collector):
    """What the database knows of each loop: it is the same whichever process is asked."""

    def __init__(self, loops: Loops) -> None:
        self._loops = loops

    def describe(self) -> list[Metric]:
        """Nothing is looked up when it is registered."""
        return []

    def collect(self) -> Iterator[Metric]:
        counters = {
            name: CounterMetricFamily(f"hybandit_loop_{name}", told, labels=["loop"])
            for name, told in COUNTED.items()
        }
        gauges = {
            name: GaugeMetricFamily(f"hybandit_loop_{name}", told, labels=["loop"])
            for name, told in GAUGES.items()
        }
        for loop in self._loops.names():
            try:
                status = self._loops[loop].status()
            except Exception:
                LOG.exception("the loop %s has no status", loop)
                continue
            for name, family in (counters | gauges).items():
                family.add_metric([loop], getattr(status, name))
        yield from counters.values()
        yield from gauges.values()
