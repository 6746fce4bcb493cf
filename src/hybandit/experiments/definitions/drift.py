"""Worlds that change: what attention really gives."""

from __future__ import annotations

from hybandit.experiments.experiment import Experiment, Scale, cell
from hybandit.experiments.tasks import PolicySpec, World

# The value recommended in the docs.
FORGET = 0.998
STAYING = ("linear", "hybrid", "digits")
POLICIES = {
    "LinUCB, alpha 0.1": PolicySpec("lin-ucb", {"alpha": 0.1}),
    "LinUCB with attention": PolicySpec("lin-ucb", {"rate": "attention"}),
    "LinTS, v 0.1": PolicySpec("lin-ts", {"v": 0.1}),
    "LNUCB-TA": PolicySpec("lnucb-ta"),
    "StackedHybrid": PolicySpec("stacked-hybrid"),
}
# The same with forgetting, under the names they have here.
FORGETFUL = {row: f"{row}, forget" for row in ("LinUCB, alpha 0.1", "LNUCB-TA", "StackedHybrid")}


def define(scale: Scale) -> Experiment:
    runs = scale.count(full=10, quick=2)
    rounds = 2000 if scale.quick else 10_000
    worlds = {
        kind: World("synthetic", {"kind": kind, "rounds": rounds})
        for kind in ("linear", "hybrid", "abrupt", "slow")
    }
    worlds["digits"] = World("classification", {"data": "digits"})
    policies = dict(POLICIES)
    for row, name in FORGETFUL.items():
        plain = POLICIES[row]
        policies[name] = PolicySpec(plain.name, {**plain.settings, "forget": FORGET})
    cells = tuple(
        cell(row, column, world, policy, runs=runs, seed=scale.seed)
        for column, world in worlds.items()
        for row, policy in policies.items()
    )
    about = (
        f"Five arms, ten features, {rounds:,} rounds, noise 0.1, {runs} seeds. abrupt: arms trade "
        "places halfway; slow: every arm's parameter turns through a right angle. digits: 1,797 "
        f"images, ten arms, where nothing changes. forget: the setting forget={FORGET}."
    )
    return Experiment("drift", "Worlds that change", about, cells)
