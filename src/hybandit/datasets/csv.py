"""People's own tables."""

from __future__ import annotations

import zlib
from pathlib import Path

import numpy as np
import pandas as pd

from hybandit.datasets.contents import Table, classified
from hybandit.errors import DataFileError


def is_file(data: str) -> bool:
    """Whether this names a file rather than a data set."""
    return "/" in data or data.endswith((".csv", ".csv.gz"))


def read_csv(path: Path) -> Table:
    """A CSV file with a header, whose last column is the class."""
    try:
        rows = pd.read_csv(path)
    except (OSError, ValueError, EOFError, zlib.error) as error:
        raise DataFileError(f"{path} cannot be read as CSV: {error}") from error
    if rows.shape[1] < 2 or rows.empty:
        raise DataFileError(f"{path} needs rows, features, and a last column with the class")
    classes = rows.iloc[:, -1]
    if classes.isna().any():
        raise DataFileError(f"{path} has rows without a class: the last column must be filled")
    numbers = rows.iloc[:, :-1].select_dtypes("number")
    infinite = np.isinf(numbers.to_numpy(np.float64)).any(axis=0)
    if infinite.any():
        name = numbers.columns[infinite][0]
        raise DataFileError(f"{path} has infinite numbers in column {name!r}")
    return classified(rows.iloc[:, :-1], classes)
