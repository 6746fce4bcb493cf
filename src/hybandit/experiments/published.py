"""The paper's printed values, from the one file that has them."""

from __future__ import annotations

import json
from functools import cache
from importlib.resources import files
from typing import Any


@cache
def published() -> dict[str, Any]:
    """By experiment."""
    text = files("hybandit.experiments").joinpath("published.json").read_text()
    values: dict[str, Any] = json.loads(text)
    return values
