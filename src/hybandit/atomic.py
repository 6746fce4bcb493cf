"""Writing files so that they are complete or not there at all."""

from __future__ import annotations

import os
import secrets
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO

if sys.platform != "win32":
    import fcntl


@contextmanager
def atomic_write(path: Path) -> Iterator[BinaryIO]:
    """Open a file for writing that replaces `path` if the block succeeds, and is removed if not.

    Leftovers of a process that was killed are removed when the same file is written again.
    If `path` is a symbolic link, the link stays and the file it points to is replaced.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     target = Path(folder) / "note.txt"
    ...     with atomic_write(target) as file:
    ...         count = file.write(b"whole")
    ...     target.read_bytes()
    b'whole'
    """
    if not path.parent.is_dir():
        raise FileNotFoundError(f"there is no folder {path.parent} to write {path.name} to")
    target = Path(os.path.realpath(path))
    _remove_leftovers(target)
    partial, file = _new_partial(target)
    try:
        with file:
            yield file
            file.flush()
            os.fsync(file.fileno())
            if sys.platform == "win32":  # Windows cannot move an open file.
                file.close()
            os.replace(partial, target)
    except BaseException:
        partial.unlink(missing_ok=True)
        raise


def _new_partial(target: Path) -> tuple[Path, BinaryIO]:
    """A new file beside the target, locked for as long as it is open."""
    while True:
        partial = target.with_name(f".{target.name}.{secrets.token_hex(8)}{_ending(target)}")
        file = open(partial, "xb")  # noqa: SIM115
        try:
            _lock(file)
        except BlockingIOError:  # Another process took it for a leftover.
            file.close()
            continue
        except OSError:  # Some file systems have no locks.
            pass
        if partial.exists():
            return partial, file
        file.close()


def _ending(target: Path) -> str:
    return f".partial{target.suffix}"


def _remove_leftovers(target: Path) -> None:
    """Remove the partial files that nobody is writing any more."""
    with suppress(OSError):
        for entry in list(os.scandir(target.parent)):
            if entry.name.startswith(f".{target.name}.") and entry.name.endswith(_ending(target)):
                _remove_unless_open(entry.path)


def _remove_unless_open(path: str) -> None:
    with suppress(OSError):
        if sys.platform == "win32":  # Windows cannot remove an open file.
            os.unlink(path)
        else:
            with open(path, "rb") as leftover:
                _lock(leftover)
                os.unlink(path)


def _lock(file: BinaryIO) -> None:
    """Lock the file until it is closed; raises OSError if another process has locked it."""
    if sys.platform != "win32":
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
