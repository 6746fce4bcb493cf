"""Worlds that change: what attention really gives."""

from __future__ import annotations

from hybandit.experiments.experiment import Experiment, Scale, cell
from hybandit.experiments.tasks import PolicySpec, World

POLICIES = {
    "LinUCB, alpha 0.1": PolicySpec("lin-ucb", {"alpha": 0.1}),
    "LinUCB with attention": PolicySpec("lin-ucb", {"rate": "attention"}),
    "LinTS, v 0.1": PolicySpec("lin-ts", {"v": 0.1}),
    "LNUCB-TA": PolicySpec("lnucb-ta"),
    "StackedHybrid": PolicySpec("stacked-hybrid"),
}


def define(scale: Scale) -> Experiment:
    runs = scale.count(full=10, quick=2)
    rounds = 2000 if scale.quick else 10_000
    cells = tuple(
        cell(
            row,
            kind,
            World("synthetic", {"kind": kind, "rounds": rounds}),
            policy,
            runs=runs,
            seed=scale.seed,
        )
        for kind in ("linear", "hybrid", "abrupt", "slow")
        for row, policy in POLICIES.items()
    )
    about = (
        f"Five arms, ten features, {rounds:,} rounds, noise 0.1, {runs} seeds. abrupt: arms trade "
        "places halfway; slow: every arm's parameter turns through a right angle."
    )
    return Experiment("drift", "Worlds that change", about, cells)
