"""The regret of a part of an experiment until some rounds."""

from benchmarks.part import regrets
from hybandit.experiments import EnvironmentSpec, PolicySpec
from hybandit.experiments.experiment import Effort, Findings, Row
from hybandit.experiments.runs import Run


def test_regret_until_a_round_is_the_mean_over_runs():
    world = EnvironmentSpec("synthetic", {"kind": "linear"})
    cell = Row("UCB", PolicySpec("ucb")).cell("a place", world, (0, 1))
    results = {
        task.key: Run(10, 0.0, 8.0, 1.0, at=[1, 5, 10], regrets=[0.0, 4.0 + 2 * task.seed, 8.0])
        for task in cell.tasks
    }
    (line,) = regrets(Findings([cell], Effort(), results), [5, 10])
    assert line == ["a place", "UCB", "5.00 ± 1.41", "8.00 ± 0.00"]
