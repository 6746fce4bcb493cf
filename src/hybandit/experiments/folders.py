"""Where reports go: each in a folder of its own, the last one also under `latest`."""

from __future__ import annotations

import contextlib
import os
import re
from datetime import UTC, datetime
from pathlib import Path

from hybandit.atomic import atomic_write

LATEST = "latest"


def new_folder(out: Path, data: str) -> Path:
    """Make a folder that was not there before, named by time and data."""
    now = datetime.now(UTC).strftime("%Y-%m-%d-%H%M%S")
    plain = re.sub(r"[^\w.-]+", "-", Path(data).stem).strip("-.") or "data"
    number = 1
    while True:
        folder = out / (f"{now}-{plain}" if number == 1 else f"{now}-{plain}-{number}")
        try:
            folder.mkdir(parents=True)
        except FileExistsError:
            number += 1
        else:
            return folder


def point_latest(folder: Path) -> None:
    """Let `latest` beside a folder lead to it: a link, or a file that names it."""
    link = folder.parent / LATEST
    partial = folder.parent / f".{LATEST}.{os.getpid()}"
    try:
        partial.symlink_to(folder.name, target_is_directory=True)
        os.replace(partial, link)
    except OSError:
        # Windows allows links to few; and somebody may have a folder of this name.
        with contextlib.suppress(OSError):
            partial.unlink()
        with atomic_write(folder.parent / f"{LATEST}.txt") as file:
            file.write(f"{folder.name}\n".encode())
