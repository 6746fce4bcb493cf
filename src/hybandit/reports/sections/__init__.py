"""One section of the report for each experiment."""

from collections.abc import Callable

from hybandit.experiments import Run
from hybandit.experiments.experiment import Experiment
from hybandit.reports.page import Section
from hybandit.reports.sections import (
    ablation,
    drift,
    network,
    news,
    regret,
    scalability,
    schedules,
    settings,
    stability,
    theory,
    tuning,
)

SECTIONS: dict[str, Callable[[Experiment, dict[str, Run]], Section]] = {
    "tuning": tuning.section,
    "regret": regret.section,
    "schedules": schedules.section,
    "news": news.section,
    "parameters": settings.parameters_section,
    "enhanced": settings.enhanced_section,
    "ablation": ablation.section,
    "stability": stability.section,
    "network": network.section,
    "scalability": scalability.section,
    "drift": drift.section,
    "theory": theory.section,
}

__all__ = ["SECTIONS"]
