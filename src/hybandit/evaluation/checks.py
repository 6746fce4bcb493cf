"""Checks of the arrays of a log; messages name the row of a bad entry."""

from __future__ import annotations

from collections.abc import Callable, Collection

import numpy as np
import numpy.typing as npt

from hybandit.errors import InvalidInput, Unquoted
from hybandit.policies.settings import whole
from hybandit.state import LARGEST_INPUT, Flags, Floats

FEWEST = 2


def numbers(parameter: str, given: npt.ArrayLike, count: int | None = None) -> Floats:
    """One finite number for each event."""
    array = np.asarray(given)
    if array.dtype.kind == "O":
        array = _from_objects(parameter, array)
    if array.dtype.kind not in "fiub":
        shown = array.ravel()[0].item() if array.size else given
        raise InvalidInput(parameter, "numbers, one for each event", shown)
    if array.ndim != 1 or len(array) < FEWEST:
        rule = f"one number for each event, and at least {FEWEST} events"
        raise InvalidInput(parameter, rule, Unquoted(f"shape {array.shape}"))
    if count is not None and len(array) != count:
        raise InvalidInput(parameter, f"as many as the {count} rewards", len(array))
    values = array.astype(np.float64)
    _refuse_where(~np.isfinite(values), parameter, "finite numbers, none missing", values)
    return values


def propensities(given: npt.ArrayLike, count: int) -> Floats:
    """The probability of each logged arm: above 0, or it could not have been logged."""
    return _within("propensities", given, count, "above 0 and at most 1", lambda p: p > 0.0)


def probabilities(given: npt.ArrayLike, count: int) -> Floats:
    """The probability with which the policy would have chosen each logged arm."""
    return _within("target", given, count, "from 0 to 1", lambda p: p >= 0.0)


def threshold(given: float) -> float:
    """The weight above which an estimator treats an event differently."""
    if not given > 0.0:
        raise InvalidInput("threshold", "a number above 0", given)
    return given


def matches(given: int | None, estimators: Collection[str]) -> None:
    """After how many matches replay stops."""
    if given is None:
        return
    if "replay" not in estimators:
        rule = "left out unless 'replay', which stops there, is among the estimators"
        raise InvalidInput("matches", rule, given)
    whole(1).check("matches", given)


def features(given: Floats, count: int) -> None:
    """A row of finite numbers for each event, none too large for a policy."""
    if len(given) != count:
        raise InvalidInput("features", f"a row for each of {count} events", len(given))
    fits = np.abs(given) <= LARGEST_INPUT
    if not fits.all():
        row = int(np.argwhere(~fits)[0, 0])
        rule = f"finite numbers of at most {LARGEST_INPUT:g} in size"
        raise InvalidInput("features", rule, Unquoted(f"{given[~fits][0]} at row {row}"))


def _within(
    parameter: str, given: npt.ArrayLike, count: int, rule: str, low: Callable[[Floats], Flags]
) -> Floats:
    values = numbers(parameter, given, count)
    # Probabilities that were added up may exceed 1 by rounding.
    _refuse_where(~low(values) | (values > 1.0 + 1e-9), parameter, rule, values)
    return values


def _from_objects(parameter: str, array: npt.NDArray[np.object_]) -> Floats:
    try:
        return np.array([np.nan if _is_missing(entry) else entry for entry in array], np.float64)
    except (TypeError, ValueError):
        bad = next(entry for entry in array.ravel() if isinstance(entry, str) or np.ndim(entry))
        raise InvalidInput(parameter, "numbers, one for each event", bad) from None


def _is_missing(entry: object) -> bool:
    import pandas as pd

    return entry is None or entry is pd.NA


def _refuse_where(bad: Flags, parameter: str, rule: str, values: Floats) -> None:
    if bad.any():
        row = int(bad.argmax())
        raise InvalidInput(parameter, rule, Unquoted(f"{values[row]:g} at row {row}"))
