"""State as named arrays, so that a model can be saved and loaded exactly."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import Any, ClassVar, Generic, TypeVar
from weakref import WeakValueDictionary

import numpy as np
import numpy.typing as npt

from hybandit.errors import InvalidInput, ModelFileError

A = TypeVar("A")
T = TypeVar("T", bound=np.generic)
Array = npt.NDArray[Any]
Floats = npt.NDArray[np.float64]
Singles = npt.NDArray[np.float32]
Flags = npt.NDArray[np.bool_]
Integers = npt.NDArray[np.int64]


# Squares and products of larger inputs would leave the range of float64.
LARGEST_INPUT = 1e100
INPUTS = -LARGEST_INPUT, LARGEST_INPUT
# Numbers that are computed from inputs stay within this range: their squares do not overflow.
DERIVED = -1e150, 1e150
POSITIVE = 0.0, 1e300
# Products of two inputs, added up.
PRODUCTS = -1e300, 1e300
COUNTS = 0.0, 2.0**53


class Stateful:
    """Base of objects whose whole state is a few arrays and other such objects, their parts.

    `_arrays` lists the attributes that are arrays. `_children` lists those that are parts, lists
    of parts, or None where a setting leaves a part out. `_ranges` gives the allowed range of an
    array; float arrays without an entry must lie within `DERIVED`.
    """

    _arrays: ClassVar[tuple[str, ...]] = ()
    _children: ClassVar[tuple[str, ...]] = ()
    _ranges: ClassVar[dict[str, tuple[float, float]]] = {}

    def state(self) -> dict[str, Array]:
        """Every array by its path, such as ``linear/weights``. The arrays are not copied."""
        arrays = {name: getattr(self, name) for name in self._arrays}
        for child, part in self._named_parts():
            for path, array in part.state().items():
                arrays[f"{child}/{path}"] = array
        return arrays

    def restore(self, arrays: dict[str, Array]) -> None:
        """Load the arrays that `state` of an equal part returned."""
        for name in self._arrays:
            setattr(self, name, self._fitting(name, arrays))
        for child, part in self._named_parts():
            prefix = f"{child}/"
            part.restore(
                {
                    path.removeprefix(prefix): array
                    for path, array in arrays.items()
                    if path.startswith(prefix)
                }
            )

    def _named_parts(self) -> Iterator[tuple[str, Stateful]]:
        for name in self._children:
            child = getattr(self, name)
            if isinstance(child, list):
                yield from ((f"{name}/{number}", part) for number, part in enumerate(child))
            elif child is not None:
                yield name, child

    def _arm_parts(self) -> list[Part]:
        """The parts that know something of every arm."""
        return [part for _, part in self._named_parts() if isinstance(part, Part)]

    def _fitting(self, name: str, arrays: dict[str, Array]) -> Array:
        own: Array = getattr(self, name)
        limits = self._ranges.get(name, DERIVED if own.dtype.kind == "f" else None)
        return fitting(name, arrays, own.dtype, own.shape, limits)


class Part(Stateful):
    """A part that knows something of every arm, in rows of its arrays or in parts of its own.

    `_new_rows` says which of its arrays have a row for each arm. What else depends on the arms
    follows in `add_arm` and `drop_arm`, which call those of the base.
    """

    def _new_rows(self) -> dict[str, npt.ArrayLike]:
        """What an arm begins with in each array that has a row for every arm."""
        return {}

    def add_arm(self) -> None:
        """Add an arm that was never played, after the others."""
        for name, row in self._new_rows().items():
            setattr(self, name, with_row(getattr(self, name), row))
        for part in self._arm_parts():
            part.add_arm()

    def drop_arm(self, arm: int) -> None:
        """Forget an arm; the numbers of later arms decrease by one."""
        for name in self._new_rows():
            setattr(self, name, without_row(getattr(self, name), arm))
        for part in self._arm_parts():
            part.drop_arm(arm)


def fitting(
    name: str,
    arrays: dict[str, Array],
    dtype: npt.DTypeLike,
    shape: tuple[int | None, ...],
    limits: tuple[float, float] | None = None,
) -> Array:
    """A copy of the array `name`, checked: dtype, shape (None for any), finite, within limits."""
    if name not in arrays:
        raise ModelFileError(f"the array {name!r} is missing")
    array = arrays[name]
    if type(array) is not np.ndarray:
        raise ModelFileError(f"{name!r} is not an array")
    fits = array.ndim == len(shape) and all(
        want is None or want == have for want, have in zip(shape, array.shape, strict=True)
    )
    if array.dtype != dtype or not fits:
        raise ModelFileError(
            f"array {name!r} is {array.dtype} {array.shape}, "
            f"where {np.dtype(dtype)} {shape} is needed"
        )
    if not np.isfinite(array).all():
        raise ModelFileError(f"array {name!r} holds NaN or infinity")
    if limits:
        check_limits(name, array, limits)
    return np.array(array, order="C")


def check_limits(name: str, array: Array, limits: tuple[float, float]) -> None:
    """Raise an error if a number of a saved array lies outside the limits."""
    low, high = limits
    if array.size and not low <= float(array.min()) <= float(array.max()) <= high:
        raise ModelFileError(f"array {name!r} holds numbers outside {low:g} to {high:g}")


def packed_list(values: Iterable[str | int]) -> Array:
    """A list of texts and whole numbers as bytes, so that it can stand among the arrays."""
    return np.frombuffer(json.dumps(list(values)).encode(), np.uint8)


def unpacked_list(name: str, arrays: dict[str, Array], kinds: tuple[type, ...]) -> list[Any]:
    """The list that `packed_list` made, if all entries are of these kinds and all differ."""
    content = fitting(name, arrays, np.uint8, (None,)).tobytes()
    try:
        values = json.loads(content)
    except ValueError as error:
        raise ModelFileError(f"the list {name!r} is damaged: {error}") from None
    if not isinstance(values, list) or any(type(value) not in kinds for value in values):
        listed = " and ".join(kind.__name__ for kind in kinds)
        raise ModelFileError(f"the list {name!r} holds other things than {listed}")
    if len(set(values)) < len(values):
        raise ModelFileError(f"the list {name!r} has an entry twice")
    return values


def with_room(array: Array, used: int, capacity: int) -> Array:
    """A new array of `capacity` rows that starts with the first `used` rows; the rest is unset."""
    roomy = np.empty((capacity, *array.shape[1:]), array.dtype)
    roomy[:used] = array[:used]
    return roomy


FEWEST_ROWS = 8
# The buffers that `with_row` made, by id: only these have spare rows.
_roomy: WeakValueDictionary[int, Array] = WeakValueDictionary()


def with_row(array: Array, fill: npt.ArrayLike) -> Array:
    """The array with one more row, `fill`, at the end; the given array must not be used again.

    The buffer behind it doubles when it is full, so that adding many rows costs little each.
    """
    count = len(array)
    buffer = _roomy_buffer(array)
    if buffer is None or len(buffer) == count:
        buffer = _new_buffer(array)
    buffer[count] = fill
    grown: Array = buffer[: count + 1]
    return grown


def without_row(array: Array, row: int) -> Array:
    """The array without this row; the given array must not be used again.

    The buffer behind it shrinks once less than a quarter of it is used.
    """
    count = len(array) - 1
    array[row:count] = array[row + 1 :]
    shrunk: Array = array[:count]
    buffer = _roomy_buffer(array)
    if buffer is None or 4 * count < len(buffer) > FEWEST_ROWS:
        shrunk = _new_buffer(shrunk)[:count]
    return shrunk


def _roomy_buffer(array: Array) -> Array | None:
    """The buffer that the array is the start of, if `with_row` or `without_row` made it."""
    buffer = array.base
    return buffer if buffer is not None and _roomy.get(id(buffer)) is buffer else None


def _new_buffer(array: Array) -> Array:
    buffer = with_room(array, len(array), max(2 * len(array), FEWEST_ROWS))
    _roomy[id(buffer)] = buffer
    return buffer


class LastAnswer(Generic[A]):
    """Remembers the last answer until something is learned.

    A choice and the reward that follows it ask the same question about the same contexts;
    the second time the remembered answer is used.
    """

    def __init__(self) -> None:
        self._entry: tuple[A, tuple[bytes, ...]] | None = None

    def answer(self, *question: Array) -> A | None:
        entry = self._entry
        return entry[0] if entry and entry[1] == tuple(map(np.ndarray.tobytes, question)) else None

    def keep(self, answer: A, *question: Array) -> None:
        self._entry = answer, tuple(map(np.ndarray.tobytes, question))

    def forget(self) -> None:
        self._entry = None


def check_arm(arm: int, n_arms: int) -> None:
    """Raise an error if there is no such arm: kernels do not check where they write."""
    if not 0 <= arm < n_arms:
        raise InvalidInput("arm", f"a whole number from 0 to {n_arms - 1}", arm)


def row_of(rows: npt.NDArray[T], index: int) -> npt.NDArray[T]:
    """Row `index`, or the only row where all share one."""
    row: npt.NDArray[T] = rows[index if len(rows) > 1 else 0]
    return row
