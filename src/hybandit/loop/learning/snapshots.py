"""A model at a position of the journal as bytes: an .npz with a manifest, never pickle."""

from __future__ import annotations

import io
import json
from typing import Any

import numpy as np

from hybandit._version import __version__
from hybandit.errors import ModelFileError
from hybandit.policies.base.files import DAMAGE, ModelFile
from hybandit.state import Array

FORMAT = "hybandit-loop"
VERSION = 1


def packed(arrays: dict[str, Array], position: int, policy: str) -> bytes:
    """The arrays, where in the journal they stand, and the policy that learned them."""
    manifest = {
        "format": FORMAT, "version": VERSION, "position": position, "policy": policy,
        "hybandit": __version__,
    }  # fmt: skip
    file = io.BytesIO()
    members: dict[str, Any] = {"manifest": np.array(json.dumps(manifest)), **arrays}
    np.savez(file, **members)
    return file.getvalue()


def unpacked(content: bytes, source: str) -> tuple[dict[str, Array], str]:
    """The arrays and their policy, checked to be ours and whole; `source` is for the message.

    Nothing is unpacked that takes more memory than `content` has bytes.
    """
    try:
        file = ModelFile(io.BytesIO(content))
        is_ours = file.manifest["format"] == FORMAT
        version, policy = file.manifest["version"], str(file.manifest["policy"])
        arrays = file.all() if is_ours and version <= VERSION else {}
    except DAMAGE as error:
        raise ModelFileError(f"{source} is damaged, or not a model of a loop: {error}") from error
    if not is_ours:
        raise ModelFileError(f"{source} is not a model of a loop")
    if version > VERSION:
        raise ModelFileError(
            f"{source} has format {version}; this hybandit reads up to {VERSION}: update it"
        )
    return arrays, policy
