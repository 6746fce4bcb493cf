"""Checks of the arrays of a log; messages name the row of a bad entry."""

from __future__ import annotations

from collections.abc import Callable, Collection
from numbers import Real
from typing import Any

import numpy as np
import numpy.typing as npt

from hybandit.errors import InvalidInput, Unquoted
from hybandit.evaluation.intervals import Intervals
from hybandit.state import LARGEST_INPUT, Flags, Floats
from hybandit.validation.checks import array, real
from hybandit.validation.settings import whole

FEWEST = 2
# One over a smaller probability is too large to be squared.
LEAST = 1.0 / LARGEST_INPUT


def numbers(parameter: str, given: npt.ArrayLike, count: int | None = None) -> Floats:
    """One finite number for each event."""
    found = array(parameter, given, "numbers, one for each event")
    if found.dtype.kind == "O":
        found = _from_objects(parameter, found)
    if found.dtype.kind not in "fiub":
        shown = found.ravel()[0].item() if found.size else given
        raise InvalidInput(parameter, "numbers, one for each event", shown)
    if found.ndim != 1 or len(found) < FEWEST:
        rule = f"one number for each event, and at least {FEWEST} events"
        raise InvalidInput(parameter, rule, Unquoted(f"shape {found.shape}"))
    if count is not None and len(found) != count:
        raise InvalidInput(parameter, f"as many as the {count} rewards", len(found))
    values = found.astype(np.float64)
    _refuse_where(~np.isfinite(values), parameter, "finite numbers, none missing", values)
    return values


def propensities(given: npt.ArrayLike, count: int) -> Floats:
    """The probability of each logged arm: above 0, or it could not have been logged."""
    values = _within("propensities", given, count, "above 0 and at most 1", lambda p: p > 0.0)
    _refuse_where(values < LEAST, "propensities", f"at least {LEAST:g}", values)
    return values


def probabilities(given: npt.ArrayLike, count: int) -> Floats:
    """The probability with which the policy would have chosen each logged arm."""
    return _within("target", given, count, "from 0 to 1", lambda p: p >= 0.0)


def threshold(given: float) -> float:
    """The weight above which an estimator treats an event differently; it may be infinite."""
    value = real(given)
    if isinstance(given, (bool, np.bool_)) or not value > 0.0:
        raise InvalidInput("threshold", "a number above 0", given)
    return value


def matches(given: int | None, estimators: Collection[str]) -> None:
    """After how many matches replay stops."""
    if given is None:
        return
    if "replay" not in estimators:
        rule = "left out unless 'replay', which stops there, is among the estimators"
        raise InvalidInput("matches", rule, given)
    whole(1).check("matches", given)


def intervals(given: Any) -> Intervals:
    """The settings of the intervals."""
    if not isinstance(given, Intervals):
        raise InvalidInput("intervals", "an Intervals of hybandit.evaluation", given)
    return given


def has_methods(parameter: str, given: Any, *names: str) -> None:
    """An object that can do all this."""
    if not all(callable(getattr(given, name, None)) for name in names):
        raise InvalidInput(parameter, f"an object with {' and '.join(names)}", given)


def features(given: Floats, count: int | None, parameter: str = "features") -> None:
    """A row of finite numbers for each event, none too large for a policy."""
    if given.dtype.kind not in "fiub":
        raise InvalidInput(parameter, "an array of numbers", Unquoted(f"dtype {given.dtype}"))
    if count is not None and len(given) != count:
        raise InvalidInput(parameter, f"a row for each of {count} events", len(given))
    fits = np.abs(given) <= LARGEST_INPUT
    if not fits.all():
        row = int(np.argwhere(~fits)[0, 0])
        rule = f"finite numbers of at most {LARGEST_INPUT:g} in size"
        raise InvalidInput(parameter, rule, Unquoted(f"{given[~fits][0]} at row {row}"))


def _within(
    parameter: str, given: npt.ArrayLike, count: int, rule: str, low: Callable[[Floats], Flags]
) -> Floats:
    values = numbers(parameter, given, count)
    # Probabilities that were added up may exceed 1 by rounding.
    _refuse_where(~low(values) | (values > 1.0 + 1e-9), parameter, rule, values)
    return values


def _from_objects(parameter: str, given: npt.NDArray[np.object_]) -> Floats:
    try:
        return np.array([np.nan if _is_missing(entry) else entry for entry in given], np.float64)
    except Exception:
        known = (entry for entry in given.ravel() if not _is_missing(entry))
        bad = next((entry for entry in known if not isinstance(entry, Real)), given)
        raise InvalidInput(parameter, "numbers, one for each event", bad) from None


def _is_missing(entry: object) -> bool:
    import pandas as pd

    return entry is None or entry is pd.NA


def _refuse_where(bad: Flags, parameter: str, rule: str, values: Floats) -> None:
    if bad.any():
        row = int(bad.argmax())
        raise InvalidInput(parameter, rule, Unquoted(f"{values[row]:g} at row {row}"))
