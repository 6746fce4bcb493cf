"""Experiments as data, the runner, and the store of results."""

from hybandit.experiments.calls import compare, evaluate
from hybandit.experiments.results import ComparisonResult, EvaluationResult
from hybandit.experiments.runner import run
from hybandit.experiments.runs import Run
from hybandit.experiments.specs import EnvironmentSpec, PolicySpec
from hybandit.experiments.store import Store
from hybandit.experiments.tasks import Task

__all__ = [
    "ComparisonResult",
    "EnvironmentSpec",
    "EvaluationResult",
    "PolicySpec",
    "Run",
    "Store",
    "Task",
    "compare",
    "evaluate",
    "run",
]
