"""Recognises the kind of a column: number, category, date, or nothing to learn from."""

from __future__ import annotations

import re
from dataclasses import dataclass

import numpy as np
import pandas as pd

from hybandit.errors import InvalidInput
from hybandit.state import Flags, Floats

KINDS = ("number", "category", "date", "drop")
# The share of the values that must be of a kind for the column to be of that kind.
ENOUGH = 0.9
# A column with more different texts than this, in half the rows or more, identifies rows.
FEW_VALUES = 20
MANY_WORDS = 4
# Only this many of the most frequent categories get a feature; the others count as missing.
MOST_CATEGORIES = 50
# Whole numbers without repeats are taken for ids only in columns of at least this length.
ID_ROWS = 20

PLAIN = r"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?"
POINT = rf"{PLAIN}|[-+]?\d{{1,3}}(?:,\d{{3}})+(?:\.\d*)?"
COMMA = r"[-+]?(?:\d+(?:,\d*)?|\d{1,3}(?:\.\d{3})+(?:,\d*)?)(?:[eE][-+]?\d+)?"
UNITS = r"^(?P<sign>[-+]?)\s*[$€£¥]?\s*(?P<rest>[^$€£¥%]*?)\s*[$€£¥%]?$"
# As in 01067: a code, not a number.
LEADING_ZERO = r"\s*0\d+\s*"
NOTHING = {"?", "-", "--", ".", "n.a.", "unknown"}

CLOCK = r"(?:[T ]+(?P<clock>\d{1,2}:\d{2}(?::\d{2}(?:\.\d+)?)?)\s*(?P<zone>Z|[-+]\d{2}:?\d{2})?)?"
YEAR_FIRST = rf"(?P<year>\d{{4}})[-/.](?P<month>\d{{1,2}})[-/.](?P<day>\d{{1,2}}){CLOCK}"
YEAR_LAST = rf"(?P<one>\d{{1,2}})[-/.](?P<two>\d{{1,2}})[-/.](?P<year>\d{{4}}){CLOCK}"
ID_NAME = re.compile(r"(?i:(^|[_\s.-])(id|ids|uuid|guid|key|index)$)|[a-z](Id|ID)$")


@dataclass(frozen=True)
class Recognised:
    """A column's kind, how its values are written, and the reason for the kind.

    Kinds that become features: ``number``, ``category``, ``date``. The others, ``text``,
    ``id``, ``constant``, ``empty`` and ``dropped``, are left out.
    """

    kind: str
    style: str
    reason: str


def recognise(column: pd.Series, asked: str | None = None) -> Recognised:
    """The kind of a column, or how to read it as the kind that was `asked` for.

    Examples
    --------
    >>> recognise(pd.Series(["$1,234.00", "$5.50", "$10.00"], name="price"))
    Recognised(kind='number', style='point', reason="numbers such as '$1,234.00'")
    """
    if asked is not None:
        return _as_asked(column, asked)
    filled = column.dropna()
    if any(isinstance(value, (list, tuple, dict, set, np.ndarray)) for value in filled.head(100)):
        return Recognised("dropped", "", "lists or records, not single values")
    if filled.empty:
        return Recognised("empty", "", "no value in any row")
    if filled.nunique() == 1:
        return Recognised("constant", "", f"always {shown(filled.iloc[0])}")
    return _recognised(str(column.name), filled.infer_objects())


def _recognised(name: str, filled: pd.Series) -> Recognised:
    """The kind of a column without missing values and with at least two different values."""
    if pd.api.types.is_bool_dtype(filled):
        return Recognised("number", "", "true and false as 1 and 0")
    if pd.api.types.is_numeric_dtype(filled):
        return _numeric(name, filled)
    if pd.api.types.is_datetime64_any_dtype(filled):
        return Recognised("date", "", "dates")
    return _textual(filled.astype(str))


def numbers(column: pd.Series, style: str) -> tuple[Floats, Flags]:
    """The column as numbers, NaN where missing, and which entries are not numbers."""
    plain = column.infer_objects()
    if pd.api.types.is_numeric_dtype(plain):
        values = plain.to_numpy(np.float64, na_value=np.nan)
        return values, np.isinf(values)
    codes, texts = pd.factorize(column.astype(object).where(column.notna(), None))
    known = pd.Series([str(text) for text in texts], dtype=object)
    parsed = _parsed(known, style)
    absent = known.str.lower().isin(NOTHING).to_numpy()
    values = np.append(parsed, np.nan)[codes]
    bad = np.append((np.isnan(parsed) & ~absent) | np.isinf(parsed), False)[codes]
    return values, bad


def dates(column: pd.Series, style: str) -> tuple[pd.Series, Flags]:
    """The column as dates, NaT where missing, and which entries are not dates."""
    if pd.api.types.is_datetime64_any_dtype(column):
        plain = column if column.dt.tz is None else column.dt.tz_convert(None)
        return plain, np.zeros(len(column), bool)
    codes, texts = pd.factorize(column.astype(object).where(column.notna(), None))
    parsed = _moments(pd.Series([str(text) for text in texts], dtype=object), style)
    with_none = np.append(parsed.to_numpy("datetime64[ns]"), np.datetime64("NaT", "ns"))
    values = pd.Series(with_none[codes], index=column.index, name=column.name)
    return values, values.isna().to_numpy() & column.notna().to_numpy()


def misfits(column: pd.Series, recognised: Recognised) -> Flags:
    """Which entries of a column of numbers or dates are neither of that kind nor missing."""
    read = dates if recognised.kind == "date" else numbers
    return read(column, recognised.style)[1]


def categories(column: pd.Series) -> pd.Series:
    """The column as text, None where a value is missing; whole floats as ``3``, not ``3.0``."""
    if pd.api.types.is_float_dtype(column):
        filled = column.dropna()
        if np.all(filled == np.floor(filled)) and np.all(np.abs(filled) < 2**53):
            column = column.astype("Int64")
    if isinstance(column.dtype, pd.CategoricalDtype) or not pd.api.types.is_object_dtype(column):
        # Each value is written once, however often it occurs.
        codes, known = pd.factorize(column)
        written = np.array([*(str(value) for value in known), None], object)
        return pd.Series(written[codes], index=column.index, name=column.name, dtype=object)
    texts = [
        str(value) if there else None for value, there in zip(column, column.notna(), strict=True)
    ]
    return pd.Series(texts, index=column.index, name=column.name, dtype=object)


def _as_asked(column: pd.Series, asked: str) -> Recognised:
    if asked not in KINDS:
        raise InvalidInput(f"kind of {column.name}", f"one of {', '.join(KINDS)}", asked)
    if asked == "drop":
        return Recognised("dropped", "", "as asked")
    if asked == "number" and pd.api.types.is_numeric_dtype(column):
        return Recognised("number", "point", "as asked")
    counts = column.dropna().astype(str).value_counts(sort=False)
    if asked == "number":
        return Recognised("number", _number_style(counts)[0], "as asked")
    if asked == "date":
        return Recognised("date", _date_style(counts)[0], "as asked")
    return Recognised("category", "", "as asked")


def _numeric(name: str, filled: pd.Series) -> Recognised:
    whole = bool((filled == np.floor(filled.to_numpy(np.float64))).all())
    if whole and len(filled) >= ID_ROWS:
        steps = np.diff(filled.to_numpy(np.float64))
        if filled.is_unique and (ID_NAME.search(name) or np.all(steps == steps[0])):
            return Recognised("id", "", "a whole number for each row, none twice")
        if ID_NAME.search(name) and filled.nunique() > FEW_VALUES:
            return Recognised("id", "", f"its name, and {filled.nunique():,} whole numbers")
    return Recognised("number", "", f"numbers, {filled.min():g} to {filled.max():g}")


def _textual(filled: pd.Series) -> Recognised:
    counts = filled.value_counts(sort=False)
    known, first = counts.index.to_series(), shown(filled.iloc[0])
    style, share = _number_style(counts)
    if share >= ENOUGH and not known.str.fullmatch(LEADING_ZERO).any():
        return Recognised("number", style, f"numbers such as {first}")
    style, share = _date_style(counts)
    if share >= ENOUGH:
        return Recognised("date", style, f"dates such as {first}, {style}")
    if len(known) > FEW_VALUES and len(known) > 0.5 * len(filled):
        words = known.str.count(r"\S+").mean()
        kind = "text" if words >= MANY_WORDS else "id"
        return Recognised(kind, "", f"{len(known):,} different values in {len(filled):,} rows")
    few = f", the {MOST_CATEGORIES} commonest used" if len(known) > MOST_CATEGORIES else ""
    return Recognised("category", "", f"{len(known):,} different values{few}")


def _number_style(counts: pd.Series) -> tuple[str, float]:
    """Whether the decimal sign is a point or a comma, and the share of rows that are numbers."""
    known = counts.index.to_series().astype(object)
    said = ~known.str.lower().isin(NOTHING) if len(known) else known.astype(bool)
    if not said.any():
        return "point", 0.0
    bare, rows = _bare(known[said]), counts[said]
    point, comma = (_share(bare.str.fullmatch(form), rows) for form in (POINT, COMMA))
    return ("point", point) if point >= comma else ("comma", comma)


def _share(fits: pd.Series, counts: pd.Series) -> float:
    return float(counts[fits.to_numpy(bool)].sum() / counts.sum())


def _parsed(known: pd.Series, style: str) -> Floats:
    if known.empty:
        return np.empty(0)
    bare = _bare(known)
    if style == "comma":
        fits = bare.str.fullmatch(COMMA)
        bare = bare.str.replace(".", "", regex=False).str.replace(",", ".", regex=False)
    else:
        fits = bare.str.fullmatch(POINT)
        bare = bare.str.replace(",", "", regex=False)
    return pd.to_numeric(bare.where(fits.astype(bool)), errors="coerce").to_numpy(np.float64)


def _bare(known: pd.Series) -> pd.Series:
    """Without currency and percent signs, and with a minus for brackets."""
    text = known.str.strip().str.replace(r"^\((.*)\)$", r"-\1", regex=True)
    return text.str.replace(UNITS, r"\g<sign>\g<rest>", regex=True)


def _date_style(counts: pd.Series) -> tuple[str, float]:
    """The order of year, month and day, and the share of rows that are dates."""
    if counts.empty:
        return "year first", 0.0
    text = counts.index.to_series().astype(object).str.strip()
    first, last = (_share(text.str.fullmatch(form), counts) for form in (YEAR_FIRST, YEAR_LAST))
    if first >= last:
        return "year first", first
    parts = text.str.extract(YEAR_LAST)
    one, two = (pd.to_numeric(parts[name]).max() for name in ("one", "two"))
    # Where the numbers do not say: points are European, slashes American.
    dotted = bool(text.str.contains(".", regex=False).mean() > 0.5)
    day_first = one > 12 if max(one, two) > 12 else dotted
    return ("day first" if day_first else "month first"), last


def _moments(known: pd.Series, style: str) -> pd.Series:
    if known.empty:
        return pd.Series([], dtype="datetime64[ns]")
    text = known.str.strip()
    if style == "year first":
        parts = text.str.extract(f"^{YEAR_FIRST}$")
    else:
        names = ("day", "month") if style == "day first" else ("month", "day")
        parts = text.str.extract(f"^{YEAR_LAST}$")
        parts = parts.rename(columns=dict(zip(("one", "two"), names, strict=True)))
    days = parts["year"] + "-" + parts["month"].str.zfill(2) + "-" + parts["day"].str.zfill(2)
    clock = parts["clock"].fillna("00:00").str.replace(r"^(\d):", r"0\1:", regex=True)
    moments = days + "T" + clock + parts["zone"].fillna("Z")
    parsed = pd.to_datetime(moments, format="ISO8601", errors="coerce", utc=True)
    return parsed.dt.tz_convert(None)


def shown(value: object) -> str:
    """A value for messages, shortened if it is long."""
    text = repr(value.item() if isinstance(value, np.generic) else value)
    return text if len(text) <= 30 else f"{text[:27]}..."
