"""A cache that is bounded by the bytes that it holds."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import TypeVar

K = TypeVar("K", bound=Hashable)
T = TypeVar("T")


class RecentResults(dict[K, T]):
    """Results by key. When they would exceed `most` bytes, all are dropped, which is cheap.

    A result that alone has more than `largest`, by default a hundredth of that, is not kept.

    Examples
    --------
    >>> recent = RecentResults[str, int](1000, lambda key, value: 8)
    >>> recent.keep("a", 1)
    1
    >>> recent.get("a"), recent.get("b"), recent.held
    (1, None, 8)
    """

    def __init__(
        self, most: int, size_of: Callable[[K, T], int], largest: int | None = None
    ) -> None:
        self.most = most
        self.largest = most // 100 if largest is None else largest
        self.held = 0
        self._size_of = size_of

    def keep(self, key: K, value: T) -> T:
        """Keep a result that is not here yet; returns it."""
        size = self._size_of(key, value)
        if size <= self.largest:
            if self.held + size > self.most:
                self.clear()
            self.held += size
            self[key] = value
        return value

    def clear(self) -> None:
        super().clear()
        self.held = 0
