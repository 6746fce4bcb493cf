"""One kernel on several cores, where that pays.

Kernels release the GIL, so plain threads are enough: unlike numba's own threads they may be
used by several callers at once on every platform, and they need no second compilation.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import numba

# Below this many multiplications, waking another thread costs more than it saves.
PAYS = 4_000_000
_pool: ThreadPoolExecutor | None = None


def run(task: Callable[[int, int], None], work: float, threads: int | None = None) -> None:
    """Run ``task(start, step)`` for all starts below step, in parallel if there is enough `work`.

    Uses so many `threads`, including the caller's; default: as many as NUMBA_NUM_THREADS allows.
    """
    threads = (threads or allowed()) if work >= PAYS else 1
    started = []
    try:
        for start in range(1, threads):
            started.append(_helpers().submit(task, start, threads))
    except RuntimeError:
        # No more threads can be started, or the interpreter is shutting down.
        for start in range(1 + len(started), threads):
            task(start, threads)
    task(0, threads)
    for other in started:
        other.result()


def allowed() -> int:
    """How many threads may work at once."""
    return int(numba.config.NUMBA_NUM_THREADS)  # type: ignore[attr-defined]


def _helpers() -> ThreadPoolExecutor:
    global _pool  # noqa: PLW0603
    if _pool is None:
        _pool = ThreadPoolExecutor(max(1, allowed() - 1), "hybandit")
    return _pool


def _forget_threads() -> None:
    """A forked child has none of its parent's threads."""
    global _pool  # noqa: PLW0603
    _pool = None


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forget_threads)
