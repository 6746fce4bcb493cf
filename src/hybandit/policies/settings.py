"""The settings of a policy: declared once, checked in one place, shown everywhere."""

from __future__ import annotations

import math
import numbers
from collections.abc import Callable
from dataclasses import Field, dataclass, field, fields
from typing import Any

import numpy as np

from hybandit.errors import InvalidInput


@dataclass(frozen=True)
class Rule:
    """What a setting must be: in words, and as a test."""

    text: str
    holds: Callable[[Any], bool]


def setting(default: Any, rule: Rule, doc: str) -> Any:
    """A keyword setting of a policy, with its rule and a line for the reader."""
    return field(default=default, kw_only=True, metadata={"rule": rule, "doc": doc})


def size(rule: Rule, doc: str) -> Any:
    """A size of a policy: positional and without default."""
    return field(kw_only=False, metadata={"rule": rule, "doc": doc})


def at_least(low: float) -> Rule:
    return Rule(f"a number of at least {low:g}", lambda value: _is_real(value) and value >= low)


def above(low: float) -> Rule:
    return Rule(f"a number above {low:g}", lambda value: _is_real(value) and value > low)


def between(low: float, high: float) -> Rule:
    return Rule(
        f"a number from {low:g} to {high:g}",
        lambda value: _is_real(value) and low <= value <= high,
    )


def inside(low: float, high: float) -> Rule:
    return Rule(
        f"a number above {low:g} and below {high:g}",
        lambda value: _is_real(value) and low < value < high,
    )


def whole(low: int) -> Rule:
    return Rule(f"a whole number of at least {low}", lambda value: is_whole(value) and value >= low)


def one_of(*names: str) -> Rule:
    listed = " or ".join(repr(name) for name in names)
    return Rule(listed, lambda value: isinstance(value, str) and value in names)


def boolean() -> Rule:
    return Rule("True or False", lambda value: isinstance(value, bool))


def either(first: Rule, second: Rule) -> Rule:
    return Rule(
        f"{first.text}, or {second.text}",
        lambda value: first.holds(value) or second.holds(value),
    )


def nothing() -> Rule:
    return Rule("None", lambda value: value is None)


def is_whole(value: object) -> bool:
    return isinstance(value, numbers.Integral) and not isinstance(value, bool)


def settings_of(policy: object) -> tuple[Field[Any], ...]:
    """The declared sizes and settings of a policy or its class, in order."""
    return tuple(entry for entry in fields(policy) if "rule" in entry.metadata)  # type: ignore[arg-type]


def check_settings(policy: object) -> None:
    """Hold every declared setting against its rule."""
    for entry in settings_of(policy):
        value = getattr(policy, entry.name)
        rule: Rule = entry.metadata["rule"]
        if not rule.holds(value):
            raise InvalidInput(entry.name, rule.text, value)


def _is_real(value: object) -> bool:
    if isinstance(value, bool) or not isinstance(value, (int, float, np.integer, np.floating)):
        return False
    try:
        return math.isfinite(value)
    except OverflowError:
        return False
