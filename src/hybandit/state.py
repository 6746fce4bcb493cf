"""State as named arrays, so that a model can be written down and read back exactly."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, ClassVar, Generic, TypeVar
from weakref import WeakValueDictionary

import numpy as np
import numpy.typing as npt

from hybandit.errors import InvalidInput, ModelFileError

A = TypeVar("A")
T = TypeVar("T", bound=np.generic)
Array = npt.NDArray[Any]
Floats = npt.NDArray[np.float64]
Flags = npt.NDArray[np.bool_]
Integers = npt.NDArray[np.int64]


# Squares and products of larger inputs would leave the range of float64.
LARGEST_INPUT = 1e100
INPUTS = -LARGEST_INPUT, LARGEST_INPUT
# What is computed from inputs stays within this, far from where its square would overflow.
DERIVED = -1e150, 1e150
POSITIVE = 0.0, 1e300
# Products of two inputs, added up.
PRODUCTS = -1e300, 1e300
COUNTS = 0.0, 2.0**53


class Stateful:
    """A part whose whole state is a few arrays and other parts.

    `_arrays` names the attributes that are arrays, `_children` those that are parts, lists of
    parts, or None where a setting leaves a part out. `_ranges` tells between which numbers an
    array must be; others of floats keep to `DERIVED`.
    """

    _arrays: ClassVar[tuple[str, ...]] = ()
    _children: ClassVar[tuple[str, ...]] = ()
    _ranges: ClassVar[dict[str, tuple[float, float]]] = {}

    def state(self) -> dict[str, Array]:
        """Every array by its path, such as ``linear/weights``. Not copies."""
        arrays = {name: getattr(self, name) for name in self._arrays}
        for child, part in self._named_parts():
            for path, array in part.state().items():
                arrays[f"{child}/{path}"] = array
        return arrays

    def restore(self, arrays: dict[str, Array]) -> None:
        """Take over arrays that `state` of an equal part gave."""
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

    def _fitting(self, name: str, arrays: dict[str, Array]) -> Array:
        own: Array = getattr(self, name)
        limits = self._ranges.get(name, DERIVED if own.dtype.kind == "f" else None)
        return fitting(name, arrays, own.dtype, own.shape, limits)


def fitting(
    name: str,
    arrays: dict[str, Array],
    dtype: npt.DTypeLike,
    shape: tuple[int | None, ...],
    limits: tuple[float, float] | None = None,
) -> Array:
    """The array called `name`, if it has this dtype, this shape (None: any), no NaN, and limits."""
    if name not in arrays:
        raise ModelFileError(f"the model file lacks the array {name!r}")
    array = arrays[name]
    if type(array) is not np.ndarray:
        raise ModelFileError(f"{name!r} of the model file is no array")
    fits = array.ndim == len(shape) and all(
        want is None or want == have for want, have in zip(shape, array.shape, strict=True)
    )
    if array.dtype != dtype or not fits:
        raise ModelFileError(
            f"array {name!r} of the model file is {array.dtype} {array.shape}, "
            f"where {np.dtype(dtype)} {shape} is needed"
        )
    if not np.isfinite(array).all():
        raise ModelFileError(f"array {name!r} of the model file holds NaN or infinity")
    if limits:
        check_limits(name, array, limits)
    return np.array(array, order="C")


def check_limits(name: str, array: Array, limits: tuple[float, float]) -> None:
    """Refuse an array of a file with a number outside the limits."""
    low, high = limits
    if array.size and not low <= float(array.min()) <= float(array.max()) <= high:
        raise ModelFileError(
            f"array {name!r} of the model file holds numbers outside {low:g} to {high:g}"
        )


def with_room(array: Array, used: int, capacity: int) -> Array:
    """The first `used` rows in an array of `capacity` rows; the others are not filled."""
    roomy = np.empty((capacity, *array.shape[1:]), array.dtype)
    roomy[:used] = array[:used]
    return roomy


FEWEST_ROWS = 8
# The buffers that `with_row` made, by number: only these have rows to spare.
_roomy: WeakValueDictionary[int, Array] = WeakValueDictionary()


def with_row(array: Array, fill: npt.ArrayLike) -> Array:
    """The array with one more row at the end, filled; the one given must not be used again.

    Rows are made twice as many at a time, so that adding many costs little each.
    """
    count = len(array)
    buffer = _roomy_buffer(array)
    if buffer is None or len(buffer) == count:
        buffer = _new_buffer(array)
    buffer[count] = fill
    grown: Array = buffer[: count + 1]
    return grown


def without_row(array: Array, row: int) -> Array:
    """The array without this row, later ones moved up; the one given must not be used again.

    Room is given back once less than a quarter of it is used.
    """
    count = len(array) - 1
    array[row:count] = array[row + 1 :]
    shrunk: Array = array[:count]
    buffer = _roomy_buffer(array)
    if buffer is None or 4 * count < len(buffer) > FEWEST_ROWS:
        shrunk = _new_buffer(shrunk)[:count]
    return shrunk


def _roomy_buffer(array: Array) -> Array | None:
    """What the array is the beginning of, if `with_row` or `without_row` made it."""
    buffer = array.base
    return buffer if buffer is not None and _roomy.get(id(buffer)) is buffer else None


def _new_buffer(array: Array) -> Array:
    buffer = with_room(array, len(array), max(2 * len(array), FEWEST_ROWS))
    _roomy[id(buffer)] = buffer
    return buffer


class LastAnswer(Generic[A]):
    """The last answer to a question, until something is learned.

    A choice and the reward that follows it ask the same of the same contexts; this
    answers the second time.
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
    """An arm must be one of the part's: kernels do not look where they write."""
    if not 0 <= arm < n_arms:
        raise InvalidInput("arm", f"a whole number from 0 to {n_arms - 1}", arm)


def row_of(rows: npt.NDArray[T], index: int) -> npt.NDArray[T]:
    """One's own row, where `rows` has one for all or one for each."""
    row: npt.NDArray[T] = rows[index if len(rows) > 1 else 0]
    return row
