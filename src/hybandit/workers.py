"""What a worker process does first.

It stands alone because a worker loads it before anything else: one whose parent dies meanwhile
ends without having loaded all the rest.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading


def start_worker() -> None:
    """Ctrl-C is the main process's business; once that is gone, by any death, so is this one."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_follow_parent, daemon=True).start()


def _follow_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        # A pipe that the parent's end closes, on Windows a handle of its process.
        parent.join()
        os._exit(1)
