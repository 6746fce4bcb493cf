"""The command `hybandit`, also as ``python -m hybandit``.

It imports almost nothing before it handles Ctrl-C, which may come while the rest is imported.
"""

from __future__ import annotations

import os
import signal
import sys
from types import FrameType

# The exit code that shells report for a command that was ended by Ctrl-C.
INTERRUPTED = 130
# The packages that compile kernels.
COMPILERS = ("numba", "llvmlite")


class CtrlC:
    """Remembers that Ctrl-C was pressed, for libraries may turn it into an error of their own."""

    def __init__(self) -> None:
        self.pressed = False

    def __call__(self, number: int, frame: FrameType | None) -> None:
        """Exit at once while modules are imported or compiled: there is nothing to clean up.

        Both may hide a KeyboardInterrupt: ``__set_name__`` does, and so do callbacks of LLVM.
        """
        self.pressed = True
        while frame is not None:
            package = str(frame.f_globals.get("__name__")).partition(".")[0]
            if frame.f_code.co_filename.startswith("<frozen importlib") or package in COMPILERS:
                _leave()
            frame = frame.f_back
        raise KeyboardInterrupt


def main() -> None:
    """Run the command line; Ctrl-C at any moment gives an exit code and no traceback."""
    handler = CtrlC()
    try:
        # If a shell started this in the background, Ctrl-C is ignored, and stays so.
        if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
            signal.signal(signal.SIGINT, handler)
        from hybandit.cli import main as run

        run()
    except KeyboardInterrupt:
        _leave()
    except BaseException:
        # As numba does, if it is interrupted while it compiles.
        if handler.pressed:
            _leave()
        raise


def _leave() -> None:
    sys.stdout.flush()
    os._exit(INTERRUPTED)


if __name__ == "__main__":
    main()
