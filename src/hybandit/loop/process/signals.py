"""Calls that no signal can interrupt half way.

The handler of a signal runs in the main thread, between any two steps of whatever runs there. If
it raises, as that of Ctrl-C does, a lock may stay held for ever, or a transaction half done.
"""

from __future__ import annotations

import os
from _thread import start_new_thread
from collections.abc import Callable
from functools import wraps
from queue import SimpleQueue
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


class _Helper:
    """A thread that makes calls until nobody refers to this object."""

    def __init__(self) -> None:
        self.process = os.getpid()
        self.calls: SimpleQueue[Callable[[], None] | None] = SimpleQueue()
        start_new_thread(_serve, (self.calls,))

    def __del__(self) -> None:
        self.calls.put(None)


def _serve(calls: SimpleQueue[Callable[[], None] | None]) -> None:
    while (call := calls.get()) is not None:
        call()
        del call


# Mostly one: a handler may make calls too, and a call that was interrupted keeps its helper.
_idle: list[_Helper] = []


def _apart(work: Callable[[], T]) -> T:
    results: list[T] = []
    errors: list[BaseException] = []
    running = Lock()
    running.acquire()

    def run() -> None:
        try:
            results.append(work())
        except BaseException as error:
            errors.append(error)
        finally:
            running.release()

    try:
        helper = _idle_helper()
    except RuntimeError:  # The interpreter ends, or there are too many threads.
        return work()
    helper.calls.put(run)
    while not running.acquire(timeout=1.0):
        if os.getpid() != helper.process:
            raise StoreError("the process was forked within a call: repeat the call in the child")
    _idle.append(helper)
    try:
        if errors:
            raise errors[0]
        return results[0]
    finally:
        errors.clear()  # Its traceback refers to this frame.


def _idle_helper() -> _Helper:
    while _idle:
        helper = _idle.pop()
        if helper.process == os.getpid():
            return helper
    return _Helper()
