"""Reading a user's table of rows with a class each."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NoReturn

import numpy as np
import pandas as pd

from hybandit.datasets.arguments import COLUMN, how_to_read
from hybandit.datasets.contents import Table
from hybandit.datasets.reading import ReadColumn, Reading, Rows, described
from hybandit.datasets.sources import Source, parts_of
from hybandit.errors import DataFileError, argument, function
from hybandit.features import Encoder, Fitting, Recognised
from hybandit.features.columns import categories

# A column with more different values than this share of the rows is not a class.
MOST_CLASSES = 0.5
# With this many classes, a note says that every class is an arm.
MANY_CLASSES = 100
# So many columns are named where one of them is wanted.
MOST_COLUMNS = 30
# Why a column that repeats the class is dropped.
REPEATS = "says the {} in other words"
LOG_WORDS = {"reward", "propensity", "action", "arm", "clicked", "click"}


def read_labelled(
    source: Source,
    label: str | None = None,
    *,
    separator: str | None = None,
    file_encoding: str | None = None,
    drop: Sequence[str] = (),
    kinds: Mapping[str, str] | None = None,
) -> tuple[Table, Reading]:
    """A table from a CSV, TSV or Parquet file or a DataFrame, and what was read.

    Parameters
    ----------
    label
        The column with the class. Without it the table is refused, and columns named that
        could be meant.
    drop
        Columns to leave out.
    kinds
        ``number``, ``category``, ``date`` or ``drop`` for columns that would be taken for
        something else.

    Examples
    --------
    >>> frame = pd.DataFrame({"age": [20, 40, 30, 35], "bought": ["yes", "no", "yes", "no"]})
    >>> table, reading = read_labelled(frame, "bought")
    >>> table.classes, reading.counted()
    (('no', 'yes'), '4 of 4 rows used, 2 features')
    """
    COLUMN.check("label", label)
    how = how_to_read(separator=separator, file_encoding=file_encoding, drop=drop, kinds=kinds)
    table = parts_of(source, separator, file_encoding)
    rows, notes = Rows.all_of(table), table.notes
    if rows.frame.shape[1] < 2:
        raise DataFileError(
            f"{rows.source} has one column, {rows.frame.columns[0]!r}, and needs features and a "
            f"class: if its columns are split by another sign, give {argument('separator')}"
        )
    name = _candidates_told(rows) if label is None else label
    unlabelled = rows.column(name, "label").isna().to_numpy()
    rows.without(unlabelled, lambda _: f"no class in {name!r}")
    recognised = rows.recognised([name], how["kinds"], how["drop"])
    rows.without_misfits(recognised)
    rows.check_enough()
    classes = _classes(rows, name)
    recognised |= leaks(rows.frame, recognised, classes, "label")
    used = rows.frame[list(recognised)]
    fitting = Fitting(recognised)
    fitting.add(used)
    encoder = Encoder(fitting.features())
    if not encoder.features:
        reasons = "; ".join(f"{each}: {found.reason}" for each, found in recognised.items())
        raise DataFileError(f"{rows.source} has no column to learn from: {reasons}")
    values = pd.Categorical(classes, categories=in_order(classes.unique().tolist()))
    names = tuple(str(each) for each in values.categories)
    if len(names) >= MANY_CLASSES:
        notes.append(f"{len(names):,} classes make {len(names):,} arms")
    if _looks_like_a_log(rows):
        notes.append(
            f"this looks like a log of decisions: {function('evaluate')} judges policies on a log"
        )
    target = ReadColumn(name, "label", "category", f"{len(names):,} classes: {listed(names)}")
    reading = Reading(
        rows.source,
        (target, *described(recognised, encoder, fitting.missing)),
        rows.count,
        len(rows.frame),
        rows.aside,
        tuple(notes),
        encoder,
    )
    return Table(encoder.typed(used), values.codes.astype(np.int64), names), reading


def _classes(rows: Rows, name: str) -> pd.Series:
    """The label as text, if it can be one."""
    column = rows.frame[name]
    count = column.nunique()
    if count == 1:
        _refuse(rows, name, f"has one class only, {column.iloc[0]!r}")
    if is_real(column):
        _refuse(rows, name, f"holds real numbers such as {column.iloc[0]}, not classes")
    if count > MOST_CLASSES * len(column) and len(column) > 4:
        _refuse(rows, name, f"has {count:,} different values in {len(column):,} rows")
    return categories(column)


def _candidates_told(rows: Rows) -> NoReturn:
    """Refuse a table without a label, and name the columns that could be one."""
    counts = {
        str(name): rows.frame[name].nunique()
        for name in rows.frame.columns
        if not is_real(rows.frame[name])
    }
    likely = [
        f"{name} ({count:,} classes)"
        for name, count in sorted(counts.items(), key=lambda item: item[1])
        if 1 < count <= MOST_CLASSES * len(rows.frame)
    ]
    shown = (
        listed(likely)
        if likely
        else f"no likely one among {listed(list(rows.frame.columns), MOST_COLUMNS)}"
    )
    raise DataFileError(
        f"{rows.source} needs to know what to predict: {_hint(rows, shown)}{rows.headless}"
    )


def _refuse(rows: Rows, name: str, why: str) -> NoReturn:
    others = [each for each in rows.frame.columns if each != name]
    named = listed(others, MOST_COLUMNS)
    raise DataFileError(f"the label {name!r} of {rows.source} {why}: {_hint(rows, named)}")


def _looks_like_a_log(rows: Rows) -> bool:
    return sum(each.lower() in LOG_WORDS for each in rows.frame.columns) >= 2


def _hint(rows: Rows, columns: str) -> str:
    hint = f"name the column with the right answer by {argument('label')}; there are {columns}"
    if not _looks_like_a_log(rows):
        return hint
    return (
        f"this looks like a log of decisions, which is for {function('evaluate')} with "
        f"{argument('arm')} and {argument('reward')}; if it is not, {hint}"
    )


def is_real(column: pd.Series) -> bool:
    if not pd.api.types.is_float_dtype(column):
        return False
    return bool((column != np.floor(column)).any())


def leaks(
    frame: pd.DataFrame, recognised: Mapping[str, Recognised], classes: pd.Series, what: str
) -> dict[str, Recognised]:
    """Columns that repeat the class, with one value for each class."""
    count = classes.nunique()
    found = {}
    for name, each in recognised.items():
        if each.kind not in ("number", "category") or each.reason == "as asked":
            continue
        column = frame[name]
        if column.nunique() != count or column.isna().any() or len(column) < 4 * count:
            continue
        pairs = pd.DataFrame({"value": column, "class": classes}).drop_duplicates()
        if len(pairs) == count:
            found[name] = Recognised("dropped", "", REPEATS.format(what))
    return found


def in_order(names: list[str]) -> list[str]:
    """Whole numbers by size, anything else as text."""
    if all(name.lstrip("-").isdecimal() for name in names):
        return sorted(names, key=int)
    return sorted(names)


def listed(names: Sequence[str], most: int = 8) -> str:
    shown = ", ".join(names[:most])
    return f"{shown} and {len(names) - most:,} more" if len(names) > most else shown
