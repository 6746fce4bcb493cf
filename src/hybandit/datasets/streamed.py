"""A log of decisions that is read batch by batch, and never as a whole."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from operator import attrgetter
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from hybandit.datasets.contents import EventLog
from hybandit.datasets.dsjson import LoggedChoice
from hybandit.datasets.facts import Facts
from hybandit.datasets.labelled import in_order
from hybandit.datasets.log import BATCH, WHOLE, ArmLog, smallest, within
from hybandit.datasets.reading import Aside, Rows
from hybandit.datasets.sources import START, Parts, Place
from hybandit.features import Encoder, Fitting, Recognised, misfits
from hybandit.features.columns import categories, numbers, shown
from hybandit.features.records import canonical
from hybandit.state import Floats, Integers

if TYPE_CHECKING:
    from hybandit.datasets.reading import Reading

# So many rows, drawn at random, are kept of a log without propensities: these are estimated,
# and the rule behind its choices is looked for, in them.
SAMPLE = 40_000
Tick = Callable[[int], None]
# A table for the encoder, of the rows of a log.
Shaped = Callable[[pd.DataFrame], pd.DataFrame]


@dataclass(frozen=True)
class Columns:
    """Which columns of a log hold what, and how the numbers among them are written."""

    arm: str
    reward: str
    propensity: str | None
    styles: Mapping[str, str]
    recognised: Mapping[str, Recognised]
    # How columns with features of arms begin.
    prefix: str | None = None

    @property
    def used(self) -> list[str]:
        serving = [self.arm, self.reward, *([self.propensity] if self.propensity else [])]
        return [*serving, *(name for name in self.recognised if self._is_used(name))]

    def _is_used(self, name: str) -> bool:
        of_arms = self.prefix is not None and name.startswith(self.prefix)
        return of_arms or self.recognised[name].kind in ("number", "category", "date")

    def clean(self, rows: Rows) -> None:
        """Set rows aside in which a value that is needed is missing or cannot be read."""
        rows.without(rows.frame[self.arm].isna().to_numpy(), lambda _: f"no arm in {self.arm!r}")
        self._only_numbers(rows, self.reward)
        if self.propensity is not None:
            name = self.propensity
            self._only_numbers(rows, name)
            chances = self.numbers(rows.frame, name)
            rows.without(
                ~((chances > 0.0) & (chances <= 1.0)),
                lambda place: f"{name}: {chances[place]:g} is not above 0 and at most 1",
            )
        rows.without_misfits(self.recognised)

    def numbers(self, frame: pd.DataFrame, name: str) -> Floats:
        return numbers(frame[name], self.styles[name])[0]

    def _only_numbers(self, rows: Rows, name: str) -> None:
        column = rows.frame[name]
        bad = misfits(column, Recognised("number", self.styles[name], ""))
        gaps = bad | np.isnan(self.numbers(rows.frame, name))
        if not gaps.any():
            return
        empty = column.isna().to_numpy()
        rows.without(
            gaps,
            lambda place: (
                f"no value in {name!r}"
                if empty[place]
                else f"{name}: {shown(column[place])} is not a number"
            ),
        )


class Scan:
    """What is learned of a log on the first way through it."""

    def __init__(self, table: Parts, columns: Columns, shaped: Shaped, fitting: Fitting) -> None:
        self.rows = 0
        self.facts = Facts()
        self.aside = Aside()
        self.fitting = fitting
        self.drawn = Drawn()
        self.places = [START]
        self._table, self._columns, self._shaped = table, columns, shaped
        self._numbers: dict[str, int] = {}

    def run(self, tick: Tick | None = None) -> None:
        columns = self._columns
        for part in self._table.parts(columns.used):
            rows = Rows(self._table, part, self.aside)
            columns.clean(rows)
            self.rows += rows.count
            if len(rows.frame):
                self._add(rows.frame)
            last = self.places[-1]
            self.places.append(Place(last.parts + 1, self.rows, self.facts.count))
            if tick is not None:
                tick(rows.count)
        self.aside.check(self._table.source, self.rows, self.facts.count)

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(in_order(list(self._numbers)))

    def ordered_facts(self) -> Facts:
        """The facts, with arms in the order of their names."""
        return self.facts.reordered([self._numbers[name] for name in self.names])

    def _add(self, frame: pd.DataFrame) -> None:
        columns = self._columns
        codes, known = pd.factorize(categories(frame[columns.arm]))
        places = [self._numbers.setdefault(name, len(self._numbers)) for name in known.tolist()]
        chances = columns.numbers(frame, columns.propensity) if columns.propensity else None
        self.drawn.add(self.facts.count, frame)
        self.facts.add(np.array(places)[codes], columns.numbers(frame, columns.reward), chances)
        self.fitting.add(self._shaped(frame))


class Drawn:
    """Those rows of a table of unknown length that have the smallest random keys."""

    def __init__(self, most: int = SAMPLE) -> None:
        self._most = most
        self._generator = np.random.default_rng(0)
        self._frames: list[pd.DataFrame] = []
        self._keys = np.empty(0)
        self._limit = 1.0

    def add(self, first: int, frame: pd.DataFrame) -> None:
        keys = self._generator.random(len(frame))
        kept = np.flatnonzero(keys < self._limit)
        self._frames.append(frame.iloc[kept].set_axis(first + kept, axis=0))
        self._keys = np.concatenate([self._keys, keys[kept]])
        if len(self._keys) > 2 * self._most:
            self._thin()

    def rows(self, most: int) -> pd.DataFrame:
        """So many of the rows at most, in order; their index has their numbers."""
        return pd.concat(self._frames).iloc[smallest(self._keys, most)]

    def _thin(self) -> None:
        kept = smallest(self._keys, self._most)
        self._frames = [pd.concat(self._frames).iloc[kept]]
        self._keys = self._keys[kept]
        self._limit = float(self._keys.max())


class StreamedLog(ArmLog):
    """A log in a file, a folder of files or another source, read anew on each way through it.

    `open_log` makes one. `reading` tells what was read.
    """

    def __init__(
        self,
        table: Parts,
        columns: Columns,
        shaped: Shaped,
        encoder: Encoder,
        scan: Scan,
        reading: Reading,
        *,
        of_arms: bool,
    ) -> None:
        self._table, self._columns, self._shaped = table, columns, shaped
        self._encoder, self._of_arms = encoder, of_arms
        self._facts, self.names = scan.ordered_facts(), scan.names
        self._drawn, self._places = scan.drawn, scan.places
        self.reading = reading

    def __len__(self) -> int:
        return self._facts.count

    @property
    def n_arms(self) -> int:
        return len(self.names)

    @property
    def facts(self) -> Facts:
        return self._facts

    @property
    def sizes(self) -> tuple[int, int]:
        return len(self.names), self._encoder.width

    @property
    def has_propensities(self) -> bool:
        return self._columns.propensity is not None

    @property
    def has_every_propensity(self) -> bool:
        return False

    @property
    def choice_names(self) -> Sequence[str]:
        return self.names

    @property
    def unlogged_names(self) -> Sequence[str]:
        """None: an arm is known by being logged."""
        return ()

    @property
    def arm_features(self) -> str | None:
        """How the columns with features of arms begin."""
        return self._columns.prefix

    @property
    def bytes(self) -> int:
        """How much memory its features would take."""
        return 8 * len(self) * self._encoder.width * (self.n_arms if self._of_arms else 1)

    def batches(self, rows: int = BATCH, part: slice = WHOLE) -> Iterator[EventLog]:
        before = bisect_right(self._places, part.start, key=attrgetter("events"))
        place = self._places[before - 1]
        return rebatched(within(self._pieces(place), place.events, part), rows)

    def sample(self, most: int) -> tuple[EventLog, Integers]:
        frame = self._drawn.rows(most)
        return self._events(frame.reset_index(drop=True)), frame.index.to_numpy()

    def in_memory(self) -> EventLog:
        """The whole log at once."""
        shape = (self.n_arms,) if self._of_arms else ()
        features = np.empty((len(self), *shape, self._encoder.width))
        arms, rewards = np.empty(len(self), np.int64), np.empty(len(self))
        chances = np.empty(len(self)) if self.has_propensities else None
        start = 0
        for piece in self._pieces():
            part = slice(start, start + len(piece))
            features[part], arms[part], rewards[part] = piece.features, piece.arms, piece.rewards
            if chances is not None:
                chances[part] = piece.propensities
            start += len(piece)
        return EventLog(arms, rewards, features, chances, self.names)

    def choices(self) -> Iterator[LoggedChoice]:
        """Every event as a decision among named actions, with features as JSON text."""
        columns, count = self._columns, self.n_arms
        numbers = {name: number for number, name in enumerate(self.names)}
        first = 0
        for part in self._table.parts(columns.used):
            rows = Rows(self._table, part)
            columns.clean(rows)
            frame = rows.frame
            shared = self._encoder.columns
            features = [
                dict(zip(shared, row, strict=True))
                for row in frame[list(shared)].astype(object).itertuples(index=False)
            ]
            rewards = columns.numbers(frame, columns.reward).tolist()
            arms = categories(frame[columns.arm]).map(numbers).tolist()
            logged = self._logged(frame)
            for row, (arm, reward) in enumerate(zip(arms, rewards, strict=True)):
                chances = np.full(count, (1.0 - logged[row]) / max(count - 1, 1))
                chances[arm] = logged[row]
                context = canonical(
                    "row", {key: _plain(value) for key, value in features[row].items()}
                )
                yield LoggedChoice(
                    str(first + row), context, self.names, ("{}",) * count, chances, arm, reward
                )
            first += len(frame)

    def _logged(self, frame: pd.DataFrame) -> Floats:
        """The probability of each logged arm; without propensities, as if by chance."""
        if self._columns.propensity is None:
            return np.full(len(frame), 1.0 / self.n_arms)
        return self._columns.numbers(frame, self._columns.propensity)

    def _pieces(self, place: Place = START) -> Iterator[EventLog]:
        for part in self._table.parts(self._columns.used, place):
            rows = Rows(self._table, part)
            self._columns.clean(rows)
            if len(rows.frame):
                yield self._events(rows.frame)

    def _events(self, frame: pd.DataFrame) -> EventLog:
        columns = self._columns
        named = pd.Categorical(categories(frame[columns.arm]), categories=list(self.names))
        features = self._encoder.transform(self._shaped(frame))
        if self._of_arms:
            features = features.reshape(len(frame), self.n_arms, -1)
        return EventLog(
            named.codes.astype(np.int64),
            columns.numbers(frame, columns.reward),
            features,
            columns.numbers(frame, columns.propensity) if columns.propensity else None,
            self.names,
        )


def _plain(value: Any) -> Any:
    """A value as JSON has it; dates as text, missing ones as None."""
    if pd.isna(value):
        return None
    return value.isoformat() if isinstance(value, (pd.Timestamp, date)) else value


def rebatched(pieces: Iterator[EventLog], rows: int) -> Iterator[EventLog]:
    """Logs of so many events each, only the last with fewer, from logs of any length."""
    waiting: list[EventLog] = []
    count = 0
    for piece in pieces:
        start = 0
        while count + len(piece) - start >= rows:
            stop = start + rows - count
            yield concatenated([*waiting, piece.part(slice(start, stop))])
            waiting, count, start = [], 0, stop
        if start < len(piece):
            waiting.append(piece.part(slice(start, None)))
            count += len(piece) - start
    if waiting:
        yield concatenated(waiting)


def concatenated(logs: Sequence[EventLog]) -> EventLog:
    """One log after another."""
    if len(logs) == 1:
        return logs[0]
    given = [log.propensities for log in logs if log.propensities is not None]
    return EventLog(
        np.concatenate([log.arms for log in logs]),
        np.concatenate([log.rewards for log in logs]),
        np.concatenate([log.features for log in logs]),
        np.concatenate(given) if given else None,
        logs[0].names,
    )
