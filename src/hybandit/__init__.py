"""Contextual bandits: LNUCB-TA, StackedHybrid, and what they are compared with."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

__version__ = "0.1.0"

if TYPE_CHECKING:
    from hybandit.policies import *  # noqa: F403


def __getattr__(name: str) -> object:
    """Load the policies, and the compiler behind them, only when one is asked for."""
    if name.startswith("_"):
        raise AttributeError(f"module 'hybandit' has no attribute {name!r}")
    policies = import_module("hybandit.policies")
    if name in policies.__all__:
        return getattr(policies, name)
    raise AttributeError(f"module 'hybandit' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted([*globals(), *import_module("hybandit.policies").__all__])
