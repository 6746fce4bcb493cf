"""Seeing as much of a co-authorship network as 1,000 probes allow."""

from __future__ import annotations

from hybandit.experiments.experiment import Experiment, Scale, cell
from hybandit.experiments.tasks import PolicySpec, World

PROBERS = {
    "LNUCB-TA": PolicySpec("lnucb-ta"),
    "k-NN epsilon-greedy": PolicySpec("knn-epsilon-greedy"),
    "attention k-NN epsilon-greedy": PolicySpec("attention-knn-epsilon-greedy"),
    "k-NN UCB (Madhawa, Murata)": PolicySpec("probing-knn-ucb"),
    "LinUCB": PolicySpec("lin-ucb"),
    "random": PolicySpec("random-node"),
    "highest degree": PolicySpec("highest-degree"),
}


def define(scale: Scale) -> Experiment:
    runs = scale.count(full=5, quick=2)
    budget = 200 if scale.quick else 1000
    world = World("network", {"budget": budget})
    cells = tuple(
        cell(row, "AstroPh", world, policy, runs=runs, seed=scale.seed)
        for row, policy in PROBERS.items()
    )
    about = (
        "Giant component of ca-AstroPh (17,903 nodes), 5 % seen at the start by a random walk, "
        f"then {budget:,} probes, {runs} seeds. The paper leaves sampler, features and budget "
        "open; ours: degree, mean and median neighbour degree and share of probed neighbours, "
        "each over its largest. Policies rank the candidates as contexts of one arm."
    )
    return Experiment("network", "Exploring a network", about, cells)
