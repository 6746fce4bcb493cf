"""What `--json` prints: one document on standard output, for programs."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import asdict, is_dataclass
from typing import TYPE_CHECKING

from hybandit.terminal import visible

if TYPE_CHECKING:
    from hybandit.datasets import Reading


def print_document(document: Mapping[str, object]) -> None:
    """Print one JSON document; what is not a finite number is null."""
    text = json.dumps(plain(document), indent=2, ensure_ascii=False, allow_nan=False)
    # Some control characters stand in JSON as they are.
    print(text if visible(text) == text else json.dumps(json.loads(text), indent=2))


def plain(value: object) -> object:
    """A value as JSON takes it.

    Examples
    --------
    >>> plain({"a": float("nan"), "b": (1, None)})
    {'a': None, 'b': [1, None]}
    """
    if is_dataclass(value) and not isinstance(value, type):
        value = asdict(value)
    elif hasattr(value, "item"):  # A number of NumPy's.
        value = value.item()
    if isinstance(value, Mapping):
        return {str(name): plain(each) for name, each in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(each) for each in value]
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    return value if value is None or isinstance(value, (str, int)) else str(value)


def reading_document(reading: Reading | None) -> dict[str, object] | None:
    """What was read of someone's file; nothing for data sets by name."""
    if reading is None:
        return None
    return {
        "source": reading.source,
        "rows": reading.rows,
        "used": reading.used,
        "set_aside": reading.aside.count,
        "columns": [asdict(column) for column in reading.columns],
        "notes": reading.notes,
    }
