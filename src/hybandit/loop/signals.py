"""Calls that no signal can interrupt half way.

The handler of a signal runs in the main thread, between any two steps of whatever runs there. If
it raises, as that of Ctrl-C does, a lock may stay held for ever, or a transaction half done.
"""

from __future__ import annotations

import os
from _thread import start_new_thread
from collections.abc import Callable
from functools import wraps
from threading import Lock, get_ident, main_thread
from typing import ParamSpec, TypeVar

from hybandit.errors import StoreError

P = ParamSpec("P")
T = TypeVar("T")


def uninterrupted(call: Callable[P, T]) -> Callable[P, T]:
    """Let a thread of its own make a call of the main thread, which waits for it.

    If the handler of a signal raises meanwhile, the main thread goes on with that exception, and
    the call comes to its end without it. Other threads make the call themselves.
    """

    @wraps(call)
    def calling(*arguments: P.args, **named: P.kwargs) -> T:
        if get_ident() != main_thread().ident:
            return call(*arguments, **named)
        return _apart(lambda: call(*arguments, **named))

    return calling


def _apart(work: Callable[[], T]) -> T:
    results: list[T] = []
    errors: list[BaseException] = []
    process, running = os.getpid(), Lock()
    running.acquire()

    def run() -> None:
        try:
            results.append(work())
        except BaseException as error:
            errors.append(error)
        finally:
            running.release()

    try:
        start_new_thread(run, ())
    except RuntimeError:  # The interpreter ends, or there are too many threads.
        return work()
    while not running.acquire(timeout=1.0):
        if os.getpid() != process:
            raise StoreError("the process was forked within a call: repeat the call in the child")
    try:
        if errors:
            raise errors[0]
        return results[0]
    finally:
        errors.clear()  # Its traceback refers to this frame.
