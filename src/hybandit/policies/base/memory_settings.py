"""The setting that bounds a policy's memory of past contexts."""

from __future__ import annotations

from hybandit.estimators.limits import RULE, WRITTEN, Limit
from hybandit.policies.base.contextual import ContextualPolicy
from hybandit.validation.settings import Rule, either, nothing, setting


def limit() -> Rule:
    return Rule(RULE, lambda value: isinstance(value, str) and bool(WRITTEN.fullmatch(value)))


class MemorySettings(ContextualPolicy):
    """Declares `memory`: all observations, or some of each arm at a constant cost for ever.

    Pull counts and mean rewards stay those of all observations.
    """

    memory: str | None = setting(
        default=None, rule=either(limit(), nothing()), doc="entries kept of each arm; None for all"
    )

    def _memory_limit(self) -> Limit | None:
        return None if self.memory is None else Limit.read(self.memory)
