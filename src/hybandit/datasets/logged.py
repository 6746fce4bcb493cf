"""Reading a user's log of decisions: the arm that was played, and its reward."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd

from hybandit.datasets.arguments import SCALING, check_log_columns, how_to_read
from hybandit.datasets.contents import EventLog
from hybandit.datasets.labelled import MOST_COLUMNS, in_order, is_real, leaks, listed
from hybandit.datasets.reading import ReadColumn, Reading, Rows, Source, described
from hybandit.errors import DataFileError, argument
from hybandit.features import Encoder, misfits, recognise
from hybandit.features.columns import Recognised, categories, numbers, shown
from hybandit.state import Floats

MOST_ARMS = 0.5
# Parts of likely names of a propensity column, which as a feature would reveal the logged arm.
PROPENSITY_WORDS = {"p", "prob", "probability", "propensity", "pscore"}
# A word of a name such as shown_prob or ShownProb.
WORD = re.compile(r"[A-Z]+(?![a-z\d])|[A-Z]?[^\W_A-Z]+")


def read_log(
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
) -> tuple[EventLog, Reading]:
    """A log from a CSV, TSV or Parquet file or a DataFrame, and what was read.

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

    Examples
    --------
    >>> frame = pd.DataFrame(
    ...     {"age": [20, 40, 30, 35], "shown": ["a", "b", "a", "b"], "clicked": [0, 1, 1, 0]}
    ... )
    >>> log, reading = read_log(frame, "shown", "clicked")
    >>> log.names, log.arms.tolist(), log.features.shape
    (('a', 'b'), [0, 1, 0, 1], (4, 2))
    """
    check_log_columns(arm, reward, propensity, arm_features)
    SCALING.check("scaling", scaling)
    how = how_to_read(separator=separator, file_encoding=file_encoding, drop=drop, kinds=kinds)
    rows = Rows(source, separator, file_encoding)
    if arm is None or reward is None:
        lacking = [name for name, given in (("arm", arm), ("reward", reward)) if given is None]
        raise DataFileError(
            f"{rows.source} needs to know which column holds the arm that was chosen and which "
            f"holds its reward: give {' and '.join(map(argument, lacking))}; there are "
            f"{listed(list(rows.frame.columns), MOST_COLUMNS)}{rows.headless}"
        )
    serving = [arm, reward, *([propensity] if propensity else [])]
    for name, parameter in zip(serving, ("arm", "reward", "propensity"), strict=False):
        rows.column(name, parameter)
    _without_gaps(rows, arm, reward, propensity)
    recognised = rows.recognised(serving, how["kinds"], how["drop"])
    rows.without_misfits(recognised)
    rows.check_enough()
    names = _arm_names(rows, arm)
    recognised |= leaks(rows.frame, recognised, categories(rows.frame[arm]), "arm")
    if propensity is None:
        recognised |= _unnamed_propensities(rows, recognised, arm_features)
    encoder, features = _encoded(rows, recognised, arm_features, names, scaling)
    arms = pd.Categorical(categories(rows.frame[arm]), categories=list(names)).codes
    log = EventLog(
        arms.astype(np.int64),
        _numbers(rows.frame[reward]),
        features,
        _numbers(rows.frame[propensity]) if propensity else None,
        names,
    )
    columns = [
        ReadColumn(arm, "arm", "category", f"{len(names):,} arms: {listed(names)}"),
        ReadColumn(reward, "reward", "number", _range(log.rewards)),
    ]
    if propensity and log.propensities is not None:
        columns.append(ReadColumn(propensity, "propensity", "number", _range(log.propensities)))
    reading = Reading(
        rows.source,
        (*columns, *described(recognised, encoder, rows.frame)),
        rows.count,
        len(rows.frame),
        tuple(rows.set_aside),
        tuple(rows.notes),
        encoder,
    )
    return log, reading


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


def _encoded(
    rows: Rows,
    recognised: dict[str, Recognised],
    prefix: str | None,
    names: tuple[str, ...],
    scaling: str,
) -> tuple[Encoder, Floats]:
    """The encoder and its vectors; `recognised` then speaks of the features as they are."""
    table = rows.frame[list(recognised)]
    if prefix is not None:
        table, layout = arm_rows(table, prefix, names)
        for feature, columns in layout.items():
            found = recognise(table[feature], _asked([recognised.pop(each) for each in columns]))
            recognised[feature] = Recognised(found.kind, found.style, f"of arms: {found.reason}")
    encoder = Encoder.fit(table, recognised, scaling=scaling)
    if not encoder.width:
        reasons = "; ".join(f"{each}: {found.reason}" for each, found in recognised.items())
        raise DataFileError(f"{rows.source} has no column to learn from: {reasons or 'no other'}")
    if not encoder.features:
        rows.notes.append("no column to learn from: policies see a constant, and which arms pay")
    features = encoder.transform(table)
    return encoder, features if prefix is None else features.reshape(-1, len(names), encoder.width)


def _unnamed_propensities(
    rows: Rows, recognised: Mapping[str, Recognised], prefix: str | None
) -> dict[str, Recognised]:
    """Columns that look like a propensity nobody named: as features they would leak the arm."""
    found = {}
    for name, each in recognised.items():
        of_arm = prefix is not None and name.startswith(prefix)
        if of_arm or each.reason == "as asked" or not names_propensity(name):
            continue
        if _are_probabilities(rows.frame[name], each.style):
            found[name] = Recognised("dropped", "", "looks like the probability of the arm")
            rows.notes.append(
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


def _without_gaps(rows: Rows, arm: str, reward: str, propensity: str | None) -> None:
    """Set rows aside whose arm, reward or propensity cannot be used."""
    rows.without(rows.frame[arm].isna().to_numpy(), lambda _: f"no arm in {arm!r}")
    _only_numbers(rows, reward, "reward")
    if propensity is None:
        return
    _only_numbers(rows, propensity, "propensity")
    chances = _numbers(rows.frame[propensity])
    rows.without(
        ~((chances > 0.0) & (chances <= 1.0)),
        lambda place: f"{propensity}: {chances[place]:g} is not above 0 and at most 1",
    )


def _only_numbers(rows: Rows, name: str, parameter: str) -> None:
    column = rows.frame[name]
    found = recognise(column, "number")
    bad = misfits(column, found)
    if bad.mean() > 0.5:
        raise DataFileError(
            f"column {name!r} of {rows.source} must hold numbers ({argument(parameter)}), such "
            f"as 1 and 0; it holds {column[bad].iloc[0]!r}"
        )
    gaps = bad | np.isnan(numbers(column, found.style)[0])
    empty = column.isna().to_numpy()
    rows.without(
        gaps,
        lambda place: (
            f"no value in {name!r}"
            if empty[place]
            else f"{name}: {shown(column[place])} is not a number"
        ),
    )


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


def _numbers(column: pd.Series) -> Floats:
    return numbers(column, recognise(column, "number").style)[0]


def _range(values: Floats) -> str:
    return f"numbers, {values.min():g} to {values.max():g}, mean {values.mean():.4g}"
