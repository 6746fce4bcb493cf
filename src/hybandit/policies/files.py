"""Models on disk: one .npz with plain arrays and a JSON manifest. Never pickle."""

from __future__ import annotations

import json
import zipfile
import zlib
from pathlib import Path
from typing import Any

import numpy as np

from hybandit.atomic import atomic_write
from hybandit.errors import ModelFileError
from hybandit.state import Array

FORMAT = "hybandit-policy"
VERSION = 1
# What reading a file that is not ours, or no longer whole, may raise.
DAMAGE = (
    OSError,
    ValueError,
    KeyError,
    TypeError,
    AttributeError,
    EOFError,
    RuntimeError,
    MemoryError,
    zipfile.BadZipFile,
    zlib.error,
)


def write(path: Path, manifest: dict[str, Any], arrays: dict[str, Array]) -> None:
    """Write the whole file or none of it: a finished copy takes the old one's place."""
    text = json.dumps({"format": FORMAT, "version": VERSION, **manifest})
    with atomic_write(path) as file:
        np.savez(file, allow_pickle=False, manifest=np.array(text), **arrays)


def read(path: Path) -> tuple[dict[str, Any], dict[str, Array]]:
    """The manifest and the arrays, checked to be ours and whole."""
    if path.is_file() and not zipfile.is_zipfile(path):
        raise ModelFileError(f"{path} is damaged, or not a model of hybandit")
    try:
        with path.open("rb") as opened, np.load(opened, allow_pickle=False) as file:
            arrays: dict[str, Array] = dict(file)
        manifest = json.loads(str(arrays.pop("manifest")))
        is_ours = manifest["format"] == FORMAT
        version = int(manifest["version"])
    except FileNotFoundError:
        raise ModelFileError(f"there is no model file {path}") from None
    except DAMAGE as error:
        raise ModelFileError(f"{path} is damaged, or not a model of hybandit: {error}") from error
    if not is_ours:
        raise ModelFileError(f"{path} is not a model of hybandit")
    if version > VERSION:
        raise ModelFileError(
            f"{path} has format {version}; this hybandit reads up to {VERSION}: update it"
        )
    return manifest, arrays
