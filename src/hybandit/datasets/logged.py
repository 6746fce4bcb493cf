"""Reading a user's log of decisions: the arm that was played, and its reward."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from hybandit.datasets.arguments import SCALING, HowToRead, check_log_columns, how_to_read
from hybandit.datasets.labelled import MOST_COLUMNS, in_order, is_real, leaks, listed
from hybandit.datasets.reading import ReadColumn, Reading, Rows, described
from hybandit.datasets.sources import Source, parts_of
from hybandit.datasets.streamed import Columns, Scan, StreamedLog, Tick
from hybandit.errors import DataFileError, argument
from hybandit.features import Encoder, Fitting, misfits, recognise
from hybandit.features.columns import Recognised, categories, numbers

MOST_ARMS = 0.5
# Parts of likely names of a propensity column, which as a feature would reveal the logged arm.
PROPENSITY_WORDS = {"p", "prob", "probability", "propensity", "pscore"}
# A word of a name such as shown_prob or ShownProb.
WORD = re.compile(r"[A-Z]+(?![a-z\d])|[A-Z]?[^\W_A-Z]+")


def open_log(
    source: Source,
    arm: str | None = None,
    reward: str | None = None,
    *,
    propensity: str | None = None,
    arm_features: str | None = None,
    scaling: str = "standard",
    separator: str | None = None,
    file_encoding: str | None = None,
    drop: Sequence[str] = (),
    kinds: Mapping[str, str] | None = None,
    tick: Tick | None = None,
) -> StreamedLog:
    """A log of any length, which is read batch by batch, each time anew.

    `StreamedLog.in_memory` has it as a whole, `StreamedLog.reading` tells what was read.

    Parquet files and folders of them, CSV and TSV, and any object with Arrow's stream interface:
    tables of polars and pyarrow, queries of DuckDB. The kinds of columns are recognised in a
    sample of about 100,000 rows, and later rows that do not fit are set aside. A first way through
    the log counts its arms, scales its numbers and finds its commonest categories.

    Parameters
    ----------
    arm
        The column with the arm that was played. Any values: they are the arms' names.
    reward
        The column with what it paid. Without either the log is refused, and its columns named.
    propensity
        The column that says how likely that arm was.
    arm_features
        Columns that begin so are features of one arm each: with ``x_``, ``x_tea_price`` is
        the price of arm ``tea``. All other features are shared.
    scaling
        As for `hybandit.features.Encoder`.
    tick
        Called with the number of rows that this first way has passed since the last call.

    Examples
    --------
    >>> frame = pd.DataFrame(
    ...     {"age": [20, 40, 30, 35], "shown": ["a", "b", "a", "b"], "clicked": [0, 1, 1, 0]}
    ... )
    >>> log = open_log(frame, "shown", "clicked")
    >>> len(log), log.names, log.reading.counted()
    (4, ('a', 'b'), '4 of 4 rows used, 2 features')
    """
    check_log_columns(arm, reward, propensity, arm_features)
    SCALING.check("scaling", scaling)
    how = how_to_read(separator=separator, file_encoding=file_encoding, drop=drop, kinds=kinds)
    table = parts_of(source, separator, file_encoding)
    part, whole = table.sample()
    rows = Rows(table, part)
    if not rows.count:
        raise DataFileError(f"{table.source} has no rows")
    if arm is None or reward is None:
        lacking = [name for name, given in (("arm", arm), ("reward", reward)) if given is None]
        raise DataFileError(
            f"{table.source} needs to know which column holds the arm that was chosen and which "
            f"holds its reward: give {' and '.join(map(argument, lacking))}; there are "
            f"{listed(table.names, MOST_COLUMNS)}{table.headless}"
        )
    columns, notes = _recognised(rows, arm, reward, propensity, arm_features, how)
    notes = [*table.notes, *notes]
    if not whole:
        notes.append(
            f"the kinds of columns were recognised in {rows.count:,} rows of {table.source}"
        )
    names = _arm_names(rows, arm)
    while True:
        features = _features(rows.frame, columns.recognised, arm_features, names)
        shaped = Shape(arm_features, names, frozenset(columns.recognised))
        scan = Scan(table, columns, shaped, Fitting(features))
        scan.run(tick)
        # An arm that the sample lacks may have features of its own.
        if arm_features is None or scan.names == names:
            break
        names = scan.names
    encoder = Encoder(scan.fitting.features(), scaling)
    if not encoder.width:
        reasons = "; ".join(f"{each}: {found.reason}" for each, found in features.items())
        raise DataFileError(f"{table.source} has no column to learn from: {reasons or 'no other'}")
    if not encoder.features:
        notes.append("no column to learn from: policies see a constant, and which arms pay")
    reading = Reading(
        table.source,
        (*_serving(columns, scan), *described(features, encoder, scan.fitting.missing)),
        scan.rows,
        scan.facts.count,
        scan.aside,
        tuple(notes),
        encoder,
    )
    return StreamedLog(
        table, columns, shaped, encoder, scan, reading, of_arms=arm_features is not None
    )


def _recognised(
    rows: Rows,
    arm: str,
    reward: str,
    propensity: str | None,
    arm_features: str | None,
    how: HowToRead,
) -> tuple[Columns, list[str]]:
    """What the columns hold, by a sample of the rows, and notes; its rows are cleaned."""
    serving = [arm, reward, *([propensity] if propensity else [])]
    for name, parameter in zip(serving, ("arm", "reward", "propensity"), strict=False):
        rows.column(name, parameter)
    numeric = zip(serving[1:], ("reward", "propensity"), strict=False)
    styles = {name: _number_style(rows, name, parameter) for name, parameter in numeric}
    # Rows without an arm, reward or propensity say nothing of the other columns.
    Columns(arm, reward, propensity, styles, {}).clean(rows)
    recognised = rows.recognised(serving, how["kinds"], how["drop"])
    rows.without_misfits(recognised)
    rows.check_enough()
    recognised |= leaks(rows.frame, recognised, categories(rows.frame[arm]), "arm")
    notes: list[str] = []
    if propensity is None:
        recognised |= _unnamed_propensities(rows, recognised, arm_features, notes)
    return Columns(arm, reward, propensity, styles, recognised, arm_features), notes


def _number_style(rows: Rows, name: str, parameter: str) -> str:
    """How the numbers of a column are written, if it holds numbers."""
    column = rows.frame[name]
    found = recognise(column, "number")
    bad = misfits(column, found)
    if bad.mean() > 0.5:
        raise DataFileError(
            f"column {name!r} of {rows.source} must hold numbers ({argument(parameter)}), such "
            f"as 1 and 0; it holds {column[bad].iloc[0]!r}"
        )
    return found.style


@dataclass(frozen=True)
class Shape:
    """How rows become a table of features: as they are, or with a row for each arm."""

    prefix: str | None
    names: tuple[str, ...]
    columns: Collection[str]

    def __call__(self, frame: pd.DataFrame) -> pd.DataFrame:
        if self.prefix is None:
            return frame
        kept = [name for name in frame.columns if name in self.columns]
        return arm_rows(frame[kept], self.prefix, self.names)[0]


def _features(
    sample: pd.DataFrame,
    recognised: Mapping[str, Recognised],
    prefix: str | None,
    names: tuple[str, ...],
) -> dict[str, Recognised]:
    """What the columns of the table of features are."""
    features = dict(recognised)
    if prefix is None:
        return features
    long, layout = arm_rows(sample[list(recognised)], prefix, names)
    for feature, columns in layout.items():
        found = recognise(long[feature], _asked([features.pop(each) for each in columns]))
        features[feature] = Recognised(found.kind, found.style, f"of arms: {found.reason}")
    return features


def _serving(columns: Columns, scan: Scan) -> Iterator[ReadColumn]:
    """The columns that say what was decided and paid."""
    facts, names = scan.facts, scan.names
    yield ReadColumn(columns.arm, "arm", "category", f"{len(names):,} arms: {listed(names)}")
    yield ReadColumn(columns.reward, "reward", "number", _range(*facts.rewards, facts.mean_reward))
    if columns.propensity is not None:
        mean = 1.0 - facts.chance / facts.count
        told = _range(*facts.propensities, mean)
        yield ReadColumn(columns.propensity, "propensity", "number", told)


def arm_rows(
    frame: pd.DataFrame, prefix: str, names: Sequence[str]
) -> tuple[pd.DataFrame, dict[str, list[str]]]:
    """A table with a row for each arm of each event, and the columns that each feature was in.

    ``x_tea_price`` and ``x_beer_price`` become ``x_price``, which no shared column can be called.

    Examples
    --------
    >>> frame = pd.DataFrame({"age": [30], "x_tea_price": [2.5], "x_beer_price": [4.0]})
    >>> arm_rows(frame, "x_", ["tea", "beer"])[0].to_dict("list")
    {'age': [30, 30], 'x_price': [2.5, 4.0]}
    """
    layout: dict[str, dict[str, str]] = {}
    for column in frame.columns:
        if column.startswith(prefix):
            name, feature = _split(column.removeprefix(prefix), names, column)
            layout.setdefault(f"{prefix}{feature}", {})[name] = column
    if not layout:
        raise DataFileError(f"no column begins with {prefix!r} ({argument('arm_features')})")
    for of_arm in layout.values():
        lacking = [name for name in names if name not in of_arm]
        if lacking:
            other, column = next(iter(of_arm.items()))
            raise DataFileError(
                f"arm {other!r} has a column {column!r}, arm {lacking[0]!r} has none such"
            )
    columns = {feature: [of_arm[name] for name in names] for feature, of_arm in layout.items()}
    shared = frame.drop(columns=[each for of_arms in columns.values() for each in of_arms])
    long = shared.loc[shared.index.repeat(len(names))].reset_index(drop=True)
    for feature, of_arms in columns.items():
        long[feature] = frame[of_arms].to_numpy().ravel()
    return long, columns


def _split(rest: str, names: Sequence[str], column: str) -> tuple[str, str]:
    """An arm's name and a feature's, from what stands after the prefix."""
    for name in sorted(names, key=len, reverse=True):
        after = rest.removeprefix(name)
        if after != rest and after[:1] in tuple("_.:- "):
            return name, after[1:]
    raise DataFileError(
        f"column {column!r} names no arm after its beginning; there are {listed(names)}"
    )


def _unnamed_propensities(
    rows: Rows, recognised: Mapping[str, Recognised], prefix: str | None, notes: list[str]
) -> dict[str, Recognised]:
    """Columns that look like a propensity nobody named: as features they would leak the arm."""
    found = {}
    for name, each in recognised.items():
        of_arm = prefix is not None and name.startswith(prefix)
        if of_arm or each.reason == "as asked" or not names_propensity(name):
            continue
        if _are_probabilities(rows.frame[name], each.style):
            found[name] = Recognised("dropped", "", "looks like the probability of the arm")
            notes.append(
                f"if {name!r} is the probability of the chosen arm, "
                f"give {argument('propensity', name)}"
            )
    return found


def names_propensity(name: str) -> bool:
    """Whether a word of this name is one for a probability.

    Examples
    --------
    >>> names_propensity("prob_shown"), names_propensity("actionProb"), names_propensity("problem")
    (True, True, False)
    """
    return any(word.lower() in PROPENSITY_WORDS for word in WORD.findall(name))


def _are_probabilities(column: pd.Series, style: str) -> bool:
    """Whether all values that are not missing are numbers above 0 and at most 1."""
    values, bad = numbers(column, style)
    known = values[~np.isnan(values)]
    return bool(known.size and not bad.any() and ((known > 0.0) & (known <= 1.0)).all())


def _asked(columns: Sequence[Recognised]) -> str | None:
    """The kind that was asked for any of an arm feature's columns."""
    kinds = [each.kind for each in columns if each.reason == "as asked"]
    return {"dropped": "drop"}.get(kinds[0], kinds[0]) if kinds else None


def _arm_names(rows: Rows, arm: str) -> tuple[str, ...]:
    column = rows.frame[arm]
    values = categories(column)
    count = values.nunique()
    wrong = None
    if count == 1:
        wrong = f"always holds {values.iloc[0]!r}"
    elif is_real(column):
        wrong = f"holds real numbers such as {column.iloc[0]}"
    elif count > MOST_ARMS * len(values) and len(values) > 4:
        wrong = f"has {count:,} different values in {len(values):,} rows"
    if wrong:
        others = [name for name in rows.frame.columns if name != arm]
        raise DataFileError(
            f"column {arm!r} of {rows.source} {wrong}: name the column with the arm that was "
            f"chosen by {argument('arm')}; there are {listed(others, MOST_COLUMNS)}"
        )
    return tuple(in_order(values.unique().tolist()))


def _range(low: float, high: float, mean: float) -> str:
    return f"numbers, {low:g} to {high:g}, mean {mean:.4g}"
