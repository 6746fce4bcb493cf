"""Models on disk: one .npz with plain arrays and a JSON manifest. Never pickle."""

from __future__ import annotations

import json
import math
import os
import zipfile
import zlib
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np

from hybandit.atomic import atomic_write
from hybandit.errors import ModelFileError
from hybandit.state import Array

FORMAT = "hybandit-policy"
VERSION = 1
# In bytes: a manifest usually has a few thousand, more where many arms have names.
LONGEST_MANIFEST = 2**24
# The part of these that the header of an array may take.
SPARE = 2**10
READERS = {
    (1, 0): np.lib.format.read_array_header_1_0,
    (2, 0): np.lib.format.read_array_header_2_0,
}
# The errors that reading a foreign or damaged file may raise.
DAMAGE = (
    OSError,
    ValueError,
    KeyError,
    TypeError,
    AttributeError,
    EOFError,
    RuntimeError,
    MemoryError,
    OverflowError,
    NotImplementedError,
    zipfile.BadZipFile,
    zlib.error,
)


def write(path: Path, manifest: dict[str, Any], arrays: dict[str, Array]) -> None:
    """Write the whole file or none of it: a finished copy replaces the old file."""
    text = json.dumps({"format": FORMAT, "version": VERSION, **manifest})
    if np.array(text).nbytes > LONGEST_MANIFEST - SPARE:
        raise ModelFileError(f"settings and notes are too long for {path}: {len(text):,} letters")
    members: dict[str, Any] = {"manifest": np.array(text), **arrays}
    with atomic_write(path) as file:
        np.savez(file, **members)


class ModelFile:
    """An open model file: its members have been checked, and only the manifest has been read.

    Members are stored as they are, never compressed, so that no file takes more memory than
    it has bytes.
    """

    def __init__(self, opened: BinaryIO) -> None:
        self.bytes = opened.seek(0, os.SEEK_END)
        self._archive = zipfile.ZipFile(opened)
        members = self._archive.infolist()
        self._members = {member.filename.removesuffix(".npy"): member for member in members}
        stored = all(member.compress_type == zipfile.ZIP_STORED for member in members)
        total = sum(member.file_size for member in members)
        if len(self._members) < len(members) or not stored or total > self.bytes:
            raise ValueError("its members are compressed, or overlap")
        if self._members["manifest"].file_size > LONGEST_MANIFEST:
            raise ValueError("its manifest is too long")
        text = str(self._array("manifest"))
        self.manifest: dict[str, Any] = json.loads(text, parse_constant=_refuse_constant)
        if type(self.manifest["version"]) is not int:
            raise ValueError("its version is not a whole number")

    def arrays(self, names: Iterable[str]) -> dict[str, Array]:
        """These arrays, if the file has no others."""
        known = set(names)
        if strange := self._members.keys() - known - {"manifest"}:
            raise ValueError(f"it has an array {min(strange)!r} too many")
        return self.some(*known)

    def all(self) -> dict[str, Array]:
        """Every array but the manifest."""
        return self.some(*(self._members.keys() - {"manifest"}))

    def some(self, *names: str) -> dict[str, Array]:
        """Those of these arrays that the file has."""
        return {name: self._array(name) for name in names if name in self._members}

    def _array(self, name: str) -> Array:
        member = self._members[name]
        with self._archive.open(member) as file:
            read_header = READERS[np.lib.format.read_magic(file)]
            shape, fortran, dtype = read_header(file)
            wanted = math.prod(shape) * dtype.itemsize
            if dtype.hasobject or wanted != member.file_size - file.tell():
                raise ValueError(f"the array {name!r} is not as long as it says")
            content = np.frombuffer(bytearray(file.read()), dtype)
        return content.reshape(shape, order="F" if fortran else "C")


def notes_of(path: Path) -> dict[str, Any]:
    """The notes that `Policy.save` was given; empty if there were none."""
    with reading(path) as file:
        return dict(file.manifest.get("notes", {}))


@contextmanager
def reading(path: Path) -> Iterator[ModelFile]:
    """Open a model file of hybandit for reading; refuse other files."""
    try:
        with path.open("rb") as opened:
            model = ModelFile(opened)
            _check_format(path, model.manifest)
            yield model
    except FileNotFoundError:
        raise ModelFileError(f"there is no model file {path}") from None
    except DAMAGE as error:
        raise ModelFileError(f"{path} is damaged, or not a model of hybandit: {error}") from error


def _check_format(path: Path, manifest: dict[str, Any]) -> None:
    if manifest["format"] != FORMAT:
        raise ModelFileError(f"{path} is not a model of hybandit")
    version = manifest["version"]
    if version > VERSION:
        raise ModelFileError(
            f"{path} has format {version}; this hybandit reads up to {VERSION}: update it"
        )


def _refuse_constant(name: str) -> None:
    raise ValueError(f"its manifest has the number {name}")
