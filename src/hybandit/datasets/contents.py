"""The contents of data sets: tables, logs and graphs."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
import pandas as pd

from hybandit.datasets.facts import Facts
from hybandit.datasets.files import DataFile
from hybandit.datasets.log import BATCH, WHOLE, ArmLog, smallest, spans
from hybandit.errors import InvalidInput, Unquoted
from hybandit.features import OnlineRows, encode
from hybandit.features.encoder import CONSTANT
from hybandit.state import Floats, Integers

# Where a table gets the constant column that people's own files have: a linear policy can then
# learn what an arm pays on average, and a row of unit length still tells how large it was (two
# columns would be a circle without it). The other encodings are those of published runs.
WITH_CONSTANT = ("standard", "online")


@dataclass(frozen=True)
class Table:
    """Rows with a class each.

    With `one_unit` all columns have the same unit (pixels): standardising them would only
    magnify the pixels at the margins, so `standard` and `ordinal` just scale rows to unit length,
    and `standard-raw` divides by the largest of all. They get no constant column: all pixels have
    one sign, and with a constant no policy does better.
    """

    frame: pd.DataFrame
    labels: Integers
    classes: tuple[str, ...]
    one_unit: bool = False

    def encoded(self, encoding: str) -> Floats:
        """One vector for each row."""
        if self.one_unit and encoding == "standard-raw":
            pixels = encode(self.frame, "raw")
            return pixels / (pixels.max(initial=0.0) or 1.0)
        if self.one_unit and encoding in ("ordinal", "standard", "online"):
            return encode(self.frame, "unit")
        return encode(self._framed(encoding), encoding)

    def contexts(self, encoding: str) -> Floats | OnlineRows:
        """As `encoded`, but ``online`` rows are encoded on access."""
        if encoding == "online" and not self.one_unit:
            return OnlineRows(self._framed(encoding))
        return self.encoded(encoding)

    def _framed(self, encoding: str) -> pd.DataFrame:
        if encoding not in WITH_CONSTANT or CONSTANT in self.frame:
            return self.frame
        return self.frame.assign(**{CONSTANT: "1"})


def classified(frame: pd.DataFrame, classes: pd.Series) -> Table:
    """A table from its features and a column of class names."""
    values = pd.Categorical(classes)
    frame = frame.set_axis(range(frame.shape[1]), axis=1)
    return Table(frame, values.codes.astype(np.int64), tuple(str(c) for c in values.categories))


@dataclass(frozen=True)
class EventLog(ArmLog):
    """Logged decisions in memory: the arm that was played, its reward, and the features before it.

    Attributes
    ----------
    arms
        Numbers from 0.
    features
        (events, d), the same for all arms, or (events, n_arms, d), a row for each.
    propensities
        The probability of the logged arm, (events,), or of every arm, (events, n_arms). None if
        the log does not contain it.
    names
        The names of the arms, if they have any.

    Examples
    --------
    >>> log = EventLog(np.array([0, 1]), np.array([1.0, 0.0]), np.ones((2, 3)), names=("a", "b"))
    >>> len(log), log.n_arms
    (2, 2)
    """

    arms: Integers
    rewards: Floats
    features: Floats
    propensities: Floats | None = None
    names: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        _check_array("arms", self.arms, 1)
        _check_whole("arms", self.arms)
        _check_array("rewards", self.rewards, 1)
        _check_array("features", self.features, 2, 3)
        if self.propensities is not None:
            _check_array("propensities", self.propensities, 1, 2)
        if not isinstance(self.names, tuple) or not all(
            isinstance(each, str) for each in self.names
        ):
            raise InvalidInput("names", "a tuple of texts", self.names)

    @property
    def n_arms(self) -> int:
        if self.features.ndim == 3:
            return int(self.features.shape[1])
        return len(self.names) or int(self.arms.max()) + 1

    def __len__(self) -> int:
        return len(self.arms)

    @property
    def every_propensity(self) -> Floats | None:
        """The probability of every arm, (events, n_arms), if the log contains it."""
        given = self.propensities
        return None if given is None or given.ndim == 1 else given

    @property
    def logged_propensities(self) -> Floats | None:
        """The probability of each logged arm, (events,), if the log contains it."""
        every = self.every_propensity
        if every is None:
            return self.propensities
        return np.take_along_axis(every, self.arms[:, None], axis=1)[:, 0]

    @property
    def sizes(self) -> tuple[int, int]:
        return self.n_arms, int(self.features.shape[-1])

    @property
    def has_propensities(self) -> bool:
        return self.propensities is not None

    @property
    def has_every_propensity(self) -> bool:
        return self.every_propensity is not None

    @cached_property
    def facts(self) -> Facts:
        facts = Facts(self.n_arms)
        every = self.every_propensity
        chances = None if every is None else every.ravel()
        facts.add(self.arms, self.rewards, self.logged_propensities, chances=chances)
        return facts

    @property
    def unlogged_names(self) -> list[str]:
        """The arms that the log never played."""
        never = np.flatnonzero(self.facts.chosen == 0).tolist()
        return [self.choice_names[arm] for arm in never]

    @property
    def choice_names(self) -> tuple[str, ...]:
        """The names of the arms, or their numbers."""
        return self.names or tuple(map(str, range(self.n_arms)))

    def batches(self, rows: int = BATCH, part: slice = WHOLE) -> Iterator[EventLog]:
        for each in spans(len(self), rows, part):
            yield self.part(each)

    def part(self, wanted: slice | Integers) -> EventLog:
        """Some of the events."""
        given = self.propensities
        return replace(
            self,
            arms=self.arms[wanted],
            rewards=self.rewards[wanted],
            features=self.features[wanted],
            propensities=None if given is None else given[wanted],
            names=self.choice_names,
        )

    def sample(self, most: int) -> tuple[EventLog, Integers]:
        # Those of the smallest keys, as `Drawn` finds them in a log that is streamed.
        places = smallest(np.random.default_rng(0).random(len(self)), most)
        return self.part(places), places


def _check_array(parameter: str, given: object, *dimensions: int) -> None:
    """What an array holds is checked where the log is used."""
    if not isinstance(given, np.ndarray):
        raise InvalidInput(parameter, "an array of NumPy", given)
    if given.ndim not in dimensions:
        allowed = " or ".join(str(each) for each in dimensions)
        rule = f"an array of {allowed} dimension{'s' if dimensions[-1] > 1 else ''}"
        raise InvalidInput(parameter, rule, Unquoted(f"shape {given.shape}"))


def _check_whole(parameter: str, given: Integers) -> None:
    if given.dtype.kind not in "iu":
        raise InvalidInput(parameter, "whole numbers from 0", Unquoted(f"dtype {given.dtype}"))


def check_arms(arms: Integers, n_arms: int, parameter: str = "arms") -> None:
    """Logged arms must be whole numbers from 0; numbers that seem to start at 1 get a hint."""
    _check_whole(parameter, arms)
    low, high = (int(arms.min()), int(arms.max())) if len(arms) else (0, 0)
    if low >= 0 and high < n_arms:
        return
    hint = ": they look numbered from 1, so subtract 1" if (low, high) == (1, n_arms) else ""
    raise InvalidInput(parameter, f"from 0 to {n_arms - 1}{hint}", Unquoted(f"{low} to {high}"))


@dataclass(frozen=True)
class Graph:
    """An undirected graph: (n, 2) edges between nodes 0..n_nodes-1, each once.

    Examples
    --------
    >>> Graph(4, np.array([[0, 1], [1, 3]])).giant_component().n_nodes
    3
    """

    n_nodes: int
    edges: Integers

    def giant_component(self) -> Graph:
        """The largest connected part, its nodes renumbered in order."""
        from scipy.sparse import coo_array
        from scipy.sparse.csgraph import connected_components

        ones = np.ones(len(self.edges), bool)
        # scipy 1.11 takes indices of 32 bits only.
        places = self.edges.T.astype(np.int32)
        matrix = coo_array((ones, places), shape=(self.n_nodes, self.n_nodes))
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
        """Make sure that every file is here and complete; download those that are missing."""
        for file in self.files:
            file.read()

    @property
    def here(self) -> str:
        """Whether its files are on this machine, for people."""
        places = [file.find() for file in self.files]
        if not self.files:
            return "always"
        if all(places):
            return f"yes, {sum(place.stat().st_size for place in places if place) / 1e6:.1f} MB"
        missing = (file for file, place in zip(self.files, places, strict=True) if not place)
        return "at first use" if all(file.url for file in missing) else "no"

    @property
    def checksum(self) -> str:
        """A checksum of all files; of the name alone for a data set that ships with a library."""
        parts = [self.name, *(file.sha256 for file in self.files)]
        return hashlib.sha256(" ".join(parts).encode()).hexdigest()
