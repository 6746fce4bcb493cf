"""What other policies would have earned on a loop's own newest events."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from hybandit.evaluation import Always
from hybandit.evaluation.evaluate import evaluate_many
from hybandit.evaluation.judging import How
from hybandit.evaluation.progressive import FIRST, Logged
from hybandit.loop import Loop
from hybandit.policies import make_policy

# So many of the newest events: that is what it costs, however long the journal is.
NEWEST = 2_000
FEWEST = 50
ESTIMATOR = "snips"
POLICIES = ("item-hybrid", "item-lin-ucb", "item-lnucb-ta")
LOOP, BASELINE = "this loop, as it was", "always the first action of the call"


@dataclass(frozen=True)
class Compared:
    """What a policy would have earned per decision, with a 95 % interval for one look."""

    policy: str
    value: float
    low: float
    high: float


def compared(loop: Loop) -> tuple[int, list[Compared]]:
    """How many events there were, and the policies, the best first; none from too few events."""
    log = loop.log(newest=NEWEST)
    if len(log) < FEWEST:
        return len(log), []
    judged: dict[str, Any] = {LOOP: Logged(), BASELINE: Always(FIRST)}
    judged |= {name: make_policy(name, *log.sizes, seed=0) for name in POLICIES}
    found = evaluate_many(list(judged.values()), log, How((ESTIMATOR,)))
    rows = []
    for name, evaluation in zip(judged, found, strict=True):
        (estimate,) = evaluation.estimates
        rows.append(Compared(name, estimate.value, *estimate.bootstrap))
    return len(log), sorted(rows, key=lambda row: -row.value)
