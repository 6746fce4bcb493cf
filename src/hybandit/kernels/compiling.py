"""The one decorator that makes a kernel, and what is said when one is compiled.

It is said by the logger `hybandit`, once in a process: without a set-up of logging it appears on
standard error, and a program that has one can send it elsewhere or silence it.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, ParamSpec, TypeVar, cast

from numba import njit
from numba.core import event

MESSAGE = "compiling kernels, once on this machine: up to a minute"
P = ParamSpec("P")
R = TypeVar("R")


def kernel(function: Callable[P, R]) -> Callable[P, R]:
    """Compile on first call, cache on disk, release the GIL, allow sums to be reordered."""
    compiled = njit(
        cache=True, nogil=True, error_model="numpy", fastmath={"reassoc", "contract", "nsz"}
    )(function)
    return cast(Callable[P, R], compiled)


class _Teller(event.Listener):
    """Tells, once, that kernels are being compiled."""

    def __init__(self) -> None:
        self.say: Callable[[str], None] = logging.getLogger("hybandit").warning
        self.told = False

    def on_start(self, event: Any) -> None:
        function = event.data["dispatcher"].py_func
        if not self.told and function.__module__.startswith(f"{__package__}."):
            self.told = True
            self.say(MESSAGE)

    def on_end(self, event: Any) -> None:
        pass


@contextmanager
def telling(say: Callable[[str], None]) -> Iterator[None]:
    """Have `say` called, once, if a kernel is compiled here."""
    before = _teller.say, _teller.told
    _teller.say, _teller.told = say, False
    try:
        yield
    finally:
        _teller.say, _teller.told = before


_teller = _Teller()
event.register("numba:compile", _teller)  # type: ignore[no-untyped-call]
