"""The settings of a loop: checked, and kept with it."""

from __future__ import annotations

from datetime import timedelta
from typing import Any, Final

import numpy as np

from hybandit.errors import InvalidInput
from hybandit.estimators.limits import window
from hybandit.loop.policy import DEFAULT, LoopPolicy
from hybandit.loop.storage import LEARN, LOG, Closing
from hybandit.policies.base.settings import fading, limit
from hybandit.state import LARGEST_INPUT
from hybandit.validation.settings import (
    Rule,
    above,
    between,
    either,
    nothing,
    one_of,
    size,
)

# The model has numbers for all pairs of columns: more columns would fill the memory.
WIDEST = 10_000
# The end of a window must be a date.
LONGEST_WAIT = timedelta(days=36_525)
ONLINE, APPRENTICE, LOG_ONLY = "online", "apprentice", "log-only"


class Stored:
    """Stands for a setting that was not given: the loop's own, or else the default."""

    def __repr__(self) -> str:
        return "as stored"


STORED: Any = Stored()


def _is_span(value: Any) -> bool:
    return isinstance(value, timedelta) and timedelta(0) < value <= LONGEST_WAIT


def _is_text(value: Any) -> bool:
    return isinstance(value, str) and bool(value)


RULES: Final[dict[str, tuple[Any, Rule]]] = {
    "explore": (0.05, between(0, 1)),
    "wait": (
        None,
        either(Rule("a timedelta above 0 and of at most 100 years", _is_span), nothing()),
    ),
    "aggregate": ("earliest", one_of("earliest", "sum", "last")),
    "default_reward": (0.0, between(-LARGEST_INPUT, LARGEST_INPUT)),
    "mode": (ONLINE, one_of(ONLINE, APPRENTICE, LOG_ONLY)),
    "keep": (None, either(above(0), nothing())),
    "staleness": (1.0, above(0)),
    "context_width": (64, size(2, WIDEST)),
    "action_width": (32, size(2, WIDEST)),
    "memory": (window(500), limit()),
    "forget": (None, fading()),
    "policy": (DEFAULT, Rule("a policy as text, such as 'item-hybrid:alpha=1'", _is_text)),
}


def checked(given: dict[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
    """All defaults, and those settings that were given, as they are stored."""
    values = {name: value for name, value in given.items() if not isinstance(value, Stored)}
    for name, value in values.items():
        RULES[name][1].check(name, value)
    defaults = {name: default for name, (default, _) in RULES.items()}
    stored = {name: _plain(value) for name, value in values.items()}
    if "policy" in stored:
        stored["policy"] = checked_policy(stored["policy"], defaults | stored)
    return defaults, stored


def checked_policy(text: Any, settings: dict[str, Any]) -> str:
    """A policy in the form in which it is stored, if it can be made in a loop of these settings."""
    RULES["policy"][1].check("policy", text)
    if text == DEFAULT:
        return DEFAULT
    policy = LoopPolicy(text, settings)
    policy.made()
    rewards, without = policy.kind.rewards, settings["default_reward"]
    if settings["wait"] is not None and not rewards.holds(without):
        rule = f"{rewards.text}, as the policy {policy.text} takes rewards"
        raise InvalidInput("default_reward", rule, without)
    return policy.text


def closing(settings: dict[str, Any]) -> Closing:
    """When events close under these settings."""
    return Closing(
        settings["wait"],
        settings["aggregate"],
        settings["default_reward"],
        LOG if settings["mode"] == LOG_ONLY else LEARN,
    )


def _plain(value: Any) -> Any:
    if isinstance(value, timedelta):
        return value.total_seconds()
    return value.item() if isinstance(value, np.generic) else value
