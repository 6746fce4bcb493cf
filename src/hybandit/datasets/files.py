"""Where files come from: the data folder, the cache, or their official source."""

from __future__ import annotations

import gzip
import hashlib
import os
import urllib.error
import urllib.request
import zlib
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from hybandit.atomic import atomic_write
from hybandit.errors import DataFileError

CHUNK = 1 << 18


@dataclass(frozen=True)
class DataFile:
    """One file of a data set.

    `path` is its place below the data folder, gzipped or not; `size` and `sha256` describe the
    uncompressed content; `url` is its official source, if there is one with the same content.
    """

    path: str
    size: int
    sha256: str
    url: str | None = None

    def read(self) -> bytes:
        """The expanded content, checked against its size and sha256."""
        place = self.find()
        if place is None:
            place = self._download()
        return self._checked(place)

    def find(self) -> Path | None:
        """The place of the file on this machine, or None."""
        for folder in folders():
            for name in (self.path, f"{self.path}.gz"):
                if (folder / name).is_file():
                    return folder / name
        return None

    def _checked(self, place: Path) -> bytes:
        try:
            content = place.read_bytes()
            if place.suffix == ".gz":
                content = gzip.decompress(content)
        except (OSError, EOFError, zlib.error) as error:
            raise DataFileError(f"{place} cannot be read: {error}") from error
        if len(content) != self.size:
            raise DataFileError(
                f"{place} holds {len(content):,} bytes where {self.size:,} are expected: "
                "it is truncated or another file"
            )
        if hashlib.sha256(content).hexdigest() != self.sha256:
            raise DataFileError(f"{place} has been altered: its sha256 is not {self.sha256}")
        return content

    def _download(self) -> Path:
        place = cache_folder() / self.path
        if self.url is None:
            raise DataFileError(
                f"the file {self.path} is not here and has no source to download it from: "
                f"put it at {place}, or set HYBANDIT_DATA to a folder that holds it"
            )
        if self.url.endswith(".gz"):
            place = place.with_name(f"{place.name}.gz")
        place.parent.mkdir(parents=True, exist_ok=True)
        try:
            with atomic_write(place) as out:
                self._fetch(self.url, out)
                out.flush()
                self._checked(Path(out.name))
        except (urllib.error.URLError, TimeoutError, ConnectionError) as error:
            raise DataFileError(
                f"{self.path} is not here and {self.url} cannot be reached ({error}): "
                f"put the file at {place}, or set HYBANDIT_DATA to a folder that holds it"
            ) from error
        return place

    def _fetch(self, url: str, out: BinaryIO) -> None:
        from rich.progress import Progress

        with (
            Progress(transient=True) as progress,
            urllib.request.urlopen(url, timeout=60) as answer,
        ):
            length = answer.headers.get("Content-Length")
            task = progress.add_task(self.path, total=int(length) if length else None)
            while block := answer.read(CHUNK):
                out.write(block)
                progress.advance(task, len(block))


def folders() -> list[Path]:
    """The folders in which files are searched, in order."""
    own = os.environ.get("HYBANDIT_DATA")
    return [*([Path(own)] if own else []), cache_folder()]


def cache_folder() -> Path:
    """Where downloads are kept: ``$XDG_CACHE_HOME/hybandit`` or ``~/.cache/hybandit``."""
    root = os.environ.get("XDG_CACHE_HOME")
    return (Path(root) if root else Path.home() / ".cache") / "hybandit"
