"""The paper's experiments, one definition each."""

from collections.abc import Callable

from hybandit.experiments.definitions import (
    ablation,
    drift,
    enhanced,
    network,
    news,
    parameters,
    regret,
    scalability,
    schedules,
    stability,
    theory,
    tuning,
)
from hybandit.experiments.experiment import Experiment, Scale

EXPERIMENTS: dict[str, Callable[[Scale], Experiment]] = {
    "tuning": tuning.define,
    "regret": regret.define,
    "schedules": schedules.define,
    "news": news.define,
    "parameters": parameters.define,
    "enhanced": enhanced.define,
    "ablation": ablation.define,
    "stability": stability.define,
    "network": network.define,
    "scalability": scalability.define,
    "drift": drift.define,
    "theory": theory.define,
}

__all__ = ["EXPERIMENTS"]
