"""Training after every round, or every fifty: what the cheaper schedule costs in regret."""

from __future__ import annotations

from hybandit.experiments.experiment import Experiment, Scale, cell
from hybandit.experiments.tasks import PolicySpec, Settings, World

DATA = {"Magic": "magic", "Mushroom": "mushroom"}
SCHEDULES: dict[str, Settings] = {
    "published": {"schedule": "published"},
    "fast": {"schedule": "fast"},
    "fast, step 0.01, no momentum": {"learning_rate": 0.01, "momentum": 0.0},
}
POLICIES = {"NeuralUCB": "neural-ucb", "NeuralTS": "neural-ts"}


def define(scale: Scale) -> Experiment:
    runs = scale.count(full=5, quick=1)
    rounds = 200 if scale.quick else 1000
    cells = tuple(
        cell(
            f"{title}, {label}",
            column,
            World("classification", {"data": data, "encoding": "ordinal", "rounds": rounds}),
            PolicySpec(policy, settings),
            runs=runs,
            seed=scale.seed,
        )
        for column, data in DATA.items()
        for title, policy in POLICIES.items()
        for label, settings in SCHEDULES.items()
    )
    about = (
        f"The same networks, {rounds:,} rounds, ordinal encoding, {runs} shuffles. published: 100 "
        "steps of 0.01 on everything after every round. fast: 100 steps of 0.05 with momentum "
        "0.9 on batches of 512, every 50 rounds."
    )
    return Experiment("schedules", "What training less often costs", about, cells)
