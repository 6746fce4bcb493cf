"""The first thing that a worker process runs.

This is a module of its own because a worker imports it before anything else: if its parent dies
in the meantime, the worker ends without importing the rest.
"""

from __future__ import annotations

import multiprocessing
import os
import pickle
import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

# The number, shared by processes, in which a worker counts what it has done.
_done: Any = None
# What the main process has handed over, by name; pickled until it is asked for.
_given: bytes | dict[str, Any] = {}


def start_worker(done: Any = None, given: bytes | None = None) -> None:
    """Ignore Ctrl-C, which the main process handles, and exit when the main process has ended.

    `done` is a number that processes share, for `count`; `given` a pickled dict, for `given`.
    """
    global _done  # noqa: PLW0603
    _done = done
    hand(given or {})
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_follow_parent, daemon=True).start()


def count(events: int) -> None:
    """Tell the main process that this worker has done so much more."""
    if _done is not None:
        with _done.get_lock():
            _done.value += events


def hand(given: bytes | dict[str, Any]) -> None:
    """Hand objects by name, or a pickled dict of them, to this process."""
    global _given  # noqa: PLW0603
    _given = given


def given(name: str) -> Any:
    """What was handed to this process by this name; else None."""
    if isinstance(_given, bytes):
        hand(pickle.loads(_given))
    assert isinstance(_given, dict)
    return _given.get(name)


@contextmanager
def deaf_to_interrupts() -> Iterator[None]:
    """Processes started in this block ignore Ctrl-C, even before they run `start_worker`.

    The main process receives it after the block. Processes inherit the mask of the thread that
    starts them; another thread may still take the signal, and Python would raise it here, so it
    is put off as well. Windows has no such mask.
    """
    handler = signal.getsignal(signal.SIGINT)
    main = threading.current_thread() is threading.main_thread()
    if not hasattr(signal, "pthread_sigmask") or handler is None or not main:
        yield
        return
    heard: list[int] = []
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    signal.signal(signal.SIGINT, lambda number, _: heard.append(number))
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, handler)
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
        if heard:
            signal.raise_signal(signal.SIGINT)


def _follow_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        # Returns when the parent has ended, however it ended.
        parent.join()
        os._exit(1)
