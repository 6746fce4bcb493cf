"""Models on disk: one .npz with plain arrays and a JSON manifest. Never pickle."""

from __future__ import annotations

import json
import zipfile
from pathlib import Path
from typing import Any

import numpy as np

from hybandit.atomic import replacing
from hybandit.errors import ModelFileError
from hybandit.state import Array

FORMAT = "hybandit-policy"
VERSION = 1


def write(path: Path, manifest: dict[str, Any], arrays: dict[str, Array]) -> None:
    """Write the whole file or none of it: a finished copy takes the old one's place."""
    text = json.dumps({"format": FORMAT, "version": VERSION, **manifest})
    with replacing(path) as file:
        np.savez(file, allow_pickle=False, manifest=np.array(text), **arrays)


def read(path: Path) -> tuple[dict[str, Any], dict[str, Array]]:
    """The manifest and the arrays, checked to be ours and whole."""
    try:
        with np.load(path, allow_pickle=False) as file:
            arrays: dict[str, Array] = dict(file)
        manifest = json.loads(str(arrays.pop("manifest")))
        is_ours = manifest["format"] == FORMAT
        version = int(manifest["version"])
    except FileNotFoundError:
        raise ModelFileError(f"there is no model file {path}") from None
    except (OSError, ValueError, KeyError, TypeError, EOFError, zipfile.BadZipFile) as error:
        raise ModelFileError(f"{path} is damaged, or not a model of hybandit: {error}") from error
    if not is_ours:
        raise ModelFileError(f"{path} is not a model of hybandit")
    if version > VERSION:
        raise ModelFileError(
            f"{path} has format {version}; this hybandit reads up to {VERSION}: update it"
        )
    return manifest, arrays
