"""Checks of the arguments of policies: arrays, sequences, numbers, names and ids.

Each check returns a value or raises `InvalidInput`, even for objects that raise other errors.
"""

from __future__ import annotations

import numbers
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NoReturn

import numpy as np

from hybandit.errors import InvalidInput, Unquoted
from hybandit.state import INPUTS, LARGEST_INPUT, Array, Flags, Floats
from hybandit.validation import contexts
from hybandit.validation.settings import Rule, is_whole

ANY_REWARD = Rule(
    f"a finite number of at most {LARGEST_INPUT:g} in size",
    lambda value: abs(value) <= LARGEST_INPUT,
    INPUTS,
)
UNIT_REWARD = Rule("a number from 0 to 1", lambda value: 0.0 <= value <= 1.0, (0.0, 1.0))
LARGEST_ID = 2**63
Id = str | int


def array(parameter: str, given: Any, rule: str) -> Array:
    """The argument as an array, if nothing in it is masked."""
    try:
        masked = _is_masked(given)
        made: Array = np.asarray(given)
    except Exception:
        raise InvalidInput(parameter, rule, given) from None
    if masked:
        raise InvalidInput(parameter, f"{rule}, none of them masked", given)
    return made


def numbers_in(parameter: str, given: Any) -> Array:
    """Anything array-like that holds real numbers."""
    rule = "an array of numbers"
    if _is_of_pandas(given):
        return contexts.as_rows(given, parameter)
    made = given if type(given) is np.ndarray else array(parameter, given, rule)
    if made.dtype.kind == "O" and made.ndim:
        return contexts.as_rows(made, parameter)
    if made.dtype.kind not in "fiub":
        raise InvalidInput(parameter, rule, given)
    return made


def mask(parameter: str, given: Any, count: int) -> Flags:
    """A mask of `count` entries: booleans, or 0 and 1."""
    rule = f"a mask of {count} booleans, one for each arm"
    made = array(parameter, given, rule)
    if made.shape != (count,) or made.dtype.kind not in "biufO":
        raise InvalidInput(parameter, rule, given)
    if made.dtype == np.bool_:
        return made
    if not all(type(entry) in (bool, int, float) and entry in (0, 1) for entry in made.tolist()):
        raise InvalidInput(parameter, rule, given)
    return made.astype(bool)


def rows(parameter: str, given: Any, shape: tuple[int | None, ...]) -> Floats:
    """Numbers of this shape (None: any), none of them NaN, infinite or too large."""
    found = numbers_in(parameter, given)
    fits = found.ndim == len(shape) and all(
        want is None or want == have for want, have in zip(shape, found.shape, strict=True)
    )
    if not fits:
        written = ", ".join("n" if want is None else str(want) for want in shape)
        comma = "," if len(shape) == 1 else ""
        rule = f"of shape ({written}{comma})"
        raise InvalidInput(parameter, rule, Unquoted(f"shape {found.shape}"))
    return within(parameter, found)


def within(parameter: str, given: Array) -> Floats:
    """As float64, if no entry is NaN, infinite or too large."""
    found = as_floats(given)
    if not np.abs(found).max(initial=0.0) <= LARGEST_INPUT:
        refuse_entry(parameter, found)
    return found


def as_floats(given: Array) -> Floats:
    """As float64; numbers that do not fit become infinite.

    Kernels are compiled for writable arrays, although they do not write to these.
    """
    with np.errstate(over="ignore"):
        return np.require(given, np.float64, ["C", "W"])


def refuse_entry(parameter: str, given: Floats) -> NoReturn:
    """Name the first entry that is NaN, infinite or too large."""
    where = tuple(int(index) for index in np.argwhere(~(np.abs(given) <= LARGEST_INPUT))[0])
    rule = f"finite numbers of at most {LARGEST_INPUT:g} in size"
    raise InvalidInput(parameter, rule, Unquoted(f"{given[where]} at {list(where)}"))


def sequence(parameter: str, given: Any) -> list[Any]:
    """The entries as a list; a text is not taken for a sequence of letters."""
    rule = "a sequence"
    if isinstance(given, (str, bytes, Mapping)):
        raise InvalidInput(parameter, rule, given)
    if isinstance(given, np.ndarray):
        given = array(parameter, given, rule)
    try:
        return list(given.tolist() if isinstance(given, np.ndarray) and given.ndim == 1 else given)
    except Exception:
        raise InvalidInput(parameter, rule, given) from None


def nested(given: Any) -> list[Any] | None:
    """The entries, if each of them has entries of its own."""
    if isinstance(given, np.ndarray):
        return list(given) if given.ndim == 2 else None
    entries = _listed(given)
    return entries if entries and all(_listed(each) is not None for each in entries) else None


def text(given: Any) -> Any:
    """A text of NumPy as one of Python; anything else unchanged."""
    return str(given) if isinstance(given, str) else given


def texts(given: Any) -> list[str] | None:
    """The entries, if there are any and all are texts."""
    entries = _listed(given)
    if not entries or not all(isinstance(each, str) for each in entries):
        return None
    return [str(each) for each in entries]


def real(given: Any) -> float:
    """A number as a float; NaN, which every rule refuses, for anything else."""
    number = isinstance(given, (numbers.Real, np.bool_)) and not isinstance(given, np.timedelta64)
    try:
        return float(given) if number else np.nan
    except OverflowError:
        return np.inf
    except Exception:
        return np.nan


def reward(given: Any, rule: Rule) -> float:
    value: float = given if type(given) is float else real(contexts.as_reward(given))
    if not rule.holds(value):
        raise InvalidInput("reward", rule.text, given)
    return value


def item_id(given: Any) -> Id:
    if isinstance(given, str):
        return str(given)
    if not is_whole(given) or not -LARGEST_ID <= given < LARGEST_ID:
        raise InvalidInput("id", "a str, or an int of at most 64 bits", given)
    return int(given)


def item_ids(given: Any) -> list[Id]:
    return [item_id(each) for each in sequence("ids", given)]


def as_many(parameter: str, given: Any, count: int, others: str) -> None:
    if len(given) != count:
        raise InvalidInput(parameter, f"as many as the {count} {others}", len(given))


def path(given: Any, parameter: str = "path") -> Path:
    try:
        found = Path(os.fsdecode(given))
        writable = b"\0" not in os.fsencode(found)
    except Exception:
        raise InvalidInput(parameter, "the name of a file", given) from None
    if not writable or not found.name:
        raise InvalidInput(parameter, "the name of a file", given)
    return found


def arrays(given: Any) -> dict[str, Array]:
    """Arrays by name, as `state` of a policy returns them."""
    if not isinstance(given, dict) or any(type(name) is not str for name in given):
        raise InvalidInput("arrays", "a dict of arrays, as `state` gives it", given)
    return given


def _listed(given: Any) -> list[Any] | None:
    """The entries of a collection, or None for anything else."""
    if isinstance(given, (str, bytes, Mapping)):
        return None
    try:
        return list(given)
    except Exception:
        return None


def _is_of_pandas(given: Any) -> bool:
    """Whether it is a table or a column of pandas."""
    return type(given).__module__.partition(".")[0] == "pandas" and hasattr(given, "to_numpy")


def _is_masked(given: Any) -> bool:
    """Whether an entry is masked, in an array or in nested lists of arrays."""
    if isinstance(given, np.ma.MaskedArray):
        return bool(np.ma.getmaskarray(given).any())
    if type(given) not in (list, tuple):
        return False
    return any(type(each) is not float and _is_masked(each) for each in given)
