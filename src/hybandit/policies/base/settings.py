"""Settings that several policies have, each declared once.

A policy has one by a line such as ``forget: float | None = settings.forget()``.
"""

from __future__ import annotations

from typing import Any

from hybandit.estimators.limits import RULE, WRITTEN
from hybandit.validation.settings import (
    Rule,
    at_least,
    between,
    either,
    inside,
    nothing,
    one_of,
    setting,
    whole,
)


def fading() -> Rule:
    """The rule for `forget`. Smaller values than 0.001 would overflow."""
    return either(inside(1e-3, 1), nothing())


def limit() -> Rule:
    """The rule for `memory`, where it is given."""
    return Rule(RULE, lambda value: isinstance(value, str) and bool(WRITTEN.fullmatch(value)))


def ties() -> Any:
    return setting(
        default="random", rule=one_of("random", "first"), doc="which of equal scores wins"
    )


def seed() -> Any:
    return setting(default=None, rule=either(whole(0), nothing()), doc="seed of all its randomness")


def forget(doc: str = "what the past counts; 0.998 if rewards change") -> Any:
    """At every observation the past of two arms is weighted by this factor.

    They are the arm played and one other in turn (`hybandit.estimators.Fading`). Off by
    default; 0.998 follows an abrupt change and costs little where nothing changes.
    """
    return setting(default=None, rule=fading(), doc=doc)


def memory() -> Any:
    """All observations, or some of each arm at a constant cost for ever.

    Pull counts and mean rewards stay those of all observations.
    """
    return setting(
        default=None, rule=either(limit(), nothing()), doc="entries kept of each arm; None for all"
    )


def scale(default: str) -> Any:
    """Contexts as they come, or standardised unless about unit length (`ContextScale`).

    When the scale changes, after 2, 4, 8, ... 1,024 contexts of the played arms, the model is
    rebuilt from its memory as if all contexts had had the new scale; where the memory is
    bounded, from what it retains.
    """
    return setting(
        default=default,
        rule=one_of("auto", "off"),
        doc="contexts standardised unless about unit length, or as they come",
    )


def ridge(doc: str = "ridge") -> Any:
    return setting(default=1.0, rule=between(1e-12, 1e12), doc=doc)


def kappa() -> Any:
    return setting(
        default=0.5, rule=between(0, 1), doc="share of global attention; the rest is local"
    )


def attention() -> Any:
    return setting(default=0.1, rule=at_least(0), doc="how fast attention leaves played arms")


def k_min() -> Any:
    return setting(default=1, rule=whole(1), doc="neighbours when rewards do not vary")


def k_max() -> Any:
    return setting(default=5, rule=whole(1), doc="neighbours when their variance is 1")


def weights() -> Any:
    return setting(
        default="uniform", rule=one_of("uniform", "distance"), doc="how neighbours weigh"
    )


def rounding() -> Any:
    return setting(default="floor", rule=one_of("floor", "nearest", "ceil"), doc="how k is rounded")
