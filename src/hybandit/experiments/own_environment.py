"""Environments of one's own, as tasks and in Python."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, ClassVar

from hybandit.environments.rounds import check_environment, is_of_items
from hybandit.errors import InvalidInput, UnknownName
from hybandit.experiments.runs import Run
from hybandit.experiments.specs import PolicySpec, Settings
from hybandit.experiments.task_environment import TaskEnvironment, World, played, size_of
from hybandit.policies import named_settings
from hybandit.policies.base.plugins import is_reference, referenced, source_of

WorldMaker = Callable[[int], World]
RULE = "an environment, a class or function that makes one from `seed`, or 'module:Class'"


@dataclass(frozen=True)
class OwnTask(TaskEnvironment):
    """``module:Class`` of an environment of one's own, of arms or of items.

    It is made with `options` and the seed.
    """

    reference: str
    options: Settings = field(default_factory=dict)

    results_version: ClassVar[int] = 1

    @classmethod
    def named(cls, text: str) -> Settings:
        """The settings of a task from ``module:Class:option=value,...``."""
        reference, options = named_settings(text, "environment")
        if not is_reference(reference):
            raise InvalidInput("environment", "written module:Class", text)
        task = cls(reference, options)
        task.world(0)
        return {"reference": reference, "options": options}

    def identity(self) -> Settings:
        return super().identity() | {"source": source_of(self._kind())}

    @property
    def size(self) -> tuple[int, int]:
        return size_of(self.world(0))

    @property
    def of_items(self) -> bool:
        return is_of_items(self.world(0))

    def world(self, seed: int) -> World:
        return maker(self._kind(), self.options)(seed)

    def run(self, policy: PolicySpec, seed: int) -> Run:
        return played(policy, self.world(seed), seed)

    def _kind(self) -> Callable[..., Any]:
        found: Callable[..., Any] = referenced(self.reference, callable, "environment")
        return found


def worlds_of(environment: Any) -> WorldMaker:
    """What makes an environment for each run: an object gives all runs the same rounds."""
    if isinstance(environment, str):
        return OwnTask(**OwnTask.named(environment)).world
    if hasattr(environment, "__iter__") and not isinstance(environment, (str, type)):
        made = checked(environment)
        return lambda _: made
    if not callable(environment):
        raise InvalidInput("environment", RULE, environment)
    return maker(environment, {})


def maker(kind: Callable[..., Any], options: Settings) -> WorldMaker:
    """A function that makes an environment from a seed."""
    try:
        inspect.signature(kind).bind(seed=0, **options)
    except TypeError as error:
        told = f"{getattr(kind, '__name__', kind)} cannot be made with a seed"
        if options:
            told += f" and {', '.join(options)}"
        raise UnknownName(f"{told}: {error}") from error

    def world(seed: int) -> World:
        return checked(kind(seed=seed, **options))

    return world


def checked(environment: Any) -> World:
    check_environment(environment)
    made: World = environment
    return made
