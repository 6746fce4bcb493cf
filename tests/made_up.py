"""Experiments with made-up runs: every number is told by cell and seed."""

from hybandit.experiments import Run
from hybandit.experiments.experiment import Effort
from hybandit.paper.experiments import EXPERIMENTS

THREE = Effort(runs=3)
# What runs of any experiment tell beside reward, regret and seconds.
EXTRA = ("ball", "width", "optimism", "squares", "plain_bound", "claimed_slope", "determinant",
         "potential", "largest_reward", "limit", "fixed", "own", "rising", "slope", "bound",
         "leftover", "width_there", "width_rounds", "optimism_there", "optimism_rounds",
         "all_squares", "step", "of_most", "rising_positive", "bias", "new", "seen")  # fmt: skip


def findings(name, reward, *, seconds=lambda cell, seed: 1.0, scale=THREE):
    """Every run of an experiment; regret is 1,000 less the reward."""
    experiment = EXPERIMENTS[name]
    results = {}
    for cell in experiment.cells(scale):
        for task in cell.tasks:
            value = float(reward(cell, task.seed))
            results[task.key] = Run(
                rounds=1000, reward=value, regret=1000.0 - value,
                seconds=float(seconds(cell, task.seed)), at=[1, 1000],
                rewards=[0.0, value], regrets=[0.0, 1000.0 - value],
            )  # fmt: skip
    return experiment, experiment.findings(scale, results)
