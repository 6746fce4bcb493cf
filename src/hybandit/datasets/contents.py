"""What a data set turns into once it is read."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from hybandit.datasets.files import DataFile
from hybandit.features import encode
from hybandit.state import Floats, Integers


@dataclass(frozen=True)
class Table:
    """Rows with a class each.

    With `one_unit` all columns are measured alike (pixels): standardising them would
    only magnify the margins, so `standard` and `ordinal` just scale rows to unit length.
    """

    frame: pd.DataFrame
    labels: Integers
    classes: tuple[str, ...]
    one_unit: bool = False

    def encoded(self, encoding: str) -> Floats:
        """One vector for each row."""
        if self.one_unit:
            same = {
                "ordinal": "unit",
                "standard": "unit",
                "online": "unit",
                "standard-raw": "raw",
            }
            encoding = same.get(encoding, encoding)
        return encode(self.frame, encoding)


def classified(frame: pd.DataFrame, classes: pd.Series) -> Table:
    """A table from its features and a column of class names."""
    values = pd.Categorical(classes)
    frame = frame.set_axis(range(frame.shape[1]), axis=1)
    return Table(frame, values.codes.astype(np.int64), tuple(str(c) for c in values.categories))


@dataclass(frozen=True)
class EventLog:
    """Logged decisions: the arm played uniformly at random, its reward, all arms' features."""

    arms: Integers
    rewards: Floats
    features: Floats


@dataclass(frozen=True)
class Graph:
    """An undirected graph: (n, 2) edges between nodes 0..n_nodes-1, each once."""

    n_nodes: int
    edges: Integers

    def giant_component(self) -> Graph:
        """The largest connected part, its nodes renumbered in order."""
        from scipy.sparse import coo_array
        from scipy.sparse.csgraph import connected_components

        ones = np.ones(len(self.edges), bool)
        matrix = coo_array((ones, self.edges.T), shape=(self.n_nodes, self.n_nodes))
        _, part = connected_components(matrix, directed=False)
        inside = part == np.bincount(part).argmax()
        number = np.cumsum(inside) - 1
        kept = self.edges[inside[self.edges[:, 0]]]
        return Graph(int(inside.sum()), number[kept])


@dataclass(frozen=True)
class Dataset:
    """A data set by name: what it is, its files, and how they are read.

    `rows` and `features` count those of a table.
    """

    name: str
    about: str
    shape: str
    source: str
    files: tuple[DataFile, ...]
    parse: Callable[[Sequence[bytes]], Any]
    rows: int = 0
    features: int = 1

    def load(self) -> Any:
        """Read and parse; a `Table`, an `EventLog` or a `Graph`."""
        return self.parse([file.read() for file in self.files])

    def fetch(self) -> None:
        """Have every file here, whole; downloads what is not."""
        for file in self.files:
            file.read()

    @property
    def checksum(self) -> str:
        """Of all files; a data set that ships with a library has only its name."""
        parts = [self.name, *(file.sha256 for file in self.files)]
        return hashlib.sha256(" ".join(parts).encode()).hexdigest()
