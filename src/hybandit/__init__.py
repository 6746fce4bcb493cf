"""Contextual bandits: LNUCB-TA, StackedHybrid, and what they are compared with."""

from __future__ import annotations

from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING

__version__ = "0.1.0"
ERRORS = (
    "EvaluationWarning",
    "HybanditError",
    "InvalidInput",
    "ModelFileError",
    "ScaleWarning",
    "UnknownName",
)

if TYPE_CHECKING:
    from hybandit.errors import EvaluationWarning as EvaluationWarning
    from hybandit.errors import HybanditError as HybanditError
    from hybandit.errors import InvalidInput as InvalidInput
    from hybandit.errors import ModelFileError as ModelFileError
    from hybandit.errors import ScaleWarning as ScaleWarning
    from hybandit.errors import UnknownName as UnknownName
    from hybandit.policies import *  # noqa: F403


def __getattr__(name: str) -> object:
    """Load a room, or the policies and the compiler behind them, only when asked for."""
    if not name.startswith("_"):
        if find_spec(f"hybandit.{name}") is not None:
            return import_module(f"hybandit.{name}")
        if name in ERRORS:
            return getattr(import_module("hybandit.errors"), name)
        policies = import_module("hybandit.policies")
        if name in policies.__all__:
            return getattr(policies, name)
    raise AttributeError(f"module 'hybandit' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted([*globals(), *import_module("hybandit.policies").__all__])
