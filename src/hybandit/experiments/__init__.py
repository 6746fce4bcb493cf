"""Experiments as data, the runner, and the store of results."""

from hybandit.experiments.runner import run
from hybandit.experiments.store import Run, Store
from hybandit.experiments.tasks import PolicySpec, Task, World

__all__ = ["PolicySpec", "Run", "Store", "Task", "World", "run"]
