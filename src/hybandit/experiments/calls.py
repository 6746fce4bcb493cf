"""`hybandit.compare` and `hybandit.evaluate`: one call that returns a tidy table."""

from __future__ import annotations

import os
import warnings
from collections.abc import Callable, Iterable, Mapping, Sequence
from copy import deepcopy
from dataclasses import asdict
from functools import partial
from typing import Any

import pandas as pd

from hybandit.datasets import (
    EventLog,
    Log,
    Reading,
    Source,
    find_dataset,
    is_file,
    open_log,
    read_labelled,
)
from hybandit.datasets.arguments import (
    COLUMN,
    SCALING,
    check_log_columns,
    check_source,
    how_to_read,
)
from hybandit.datasets.dsjson import is_dsjson
from hybandit.datasets.sources import check_is_file
from hybandit.environments import Classification, play
from hybandit.errors import EvaluationWarning, InvalidInput
from hybandit.evaluation import (
    ESTIMATED,
    Always,
    ItemLog,
    Logged,
    StreamedItemLog,
    ValueEstimate,
    log_notes,
)
from hybandit.evaluation.evaluate import check_log
from hybandit.evaluation.watch import fixed_rule
from hybandit.experiments.environments import MOST_ROUNDS, read_table
from hybandit.experiments.log_evaluation import check_how
from hybandit.experiments.logs import (
    ALWAYS,
    DEFAULT_ESTIMATORS,
    LOGGED,
    estimates,
    item_policy_of,
    learned_from,
    named_log,
    policy_of,
)
from hybandit.experiments.specs import PolicySpec
from hybandit.experiments.tasks import parse_policies
from hybandit.experiments.user_files import check_for_files, kept, may_decide
from hybandit.features import ENCODINGS
from hybandit.names import check_name
from hybandit.policies import ArmPolicy, ItemPolicy, Policy
from hybandit.validation.checks import sequence
from hybandit.validation.settings import either, nothing, settings_of, size, whole

Wanted = str | type[Policy] | PolicySpec | Policy | Always | Logged
# From the numbers of arms and features, or of features of a context and an item, and a seed.
Maker = Callable[[int, int, int], Any]


def compare(
    data: Source,
    label: str | None = None,
    policies: Wanted | Iterable[Wanted] = ("stacked-hybrid", "lnucb-ta", "lin-ucb", "ucb"),
    *,
    runs: int = 5,
    seed: int = 0,
    rounds: int | None = None,
    encoding: str = "standard",
    separator: str | None = None,
    file_encoding: str | None = None,
    drop: Sequence[str] = (),
    kinds: Mapping[str, str] | None = None,
) -> pd.DataFrame:
    """Play policies side by side on a table of rows with a class each.

    The classes are the arms; the right one pays 1. Everything runs in this process, and nothing
    is written to disk.

    Parameters
    ----------
    data
        A DataFrame, a CSV, TSV or Parquet file, or a data set by name.
    label
        The column with the class; data sets by name know theirs.
    policies
        Names as on the command line (``"lnucb-ta:alpha=10"``, ``"mymodule:MyPolicy"``), or
        classes; one or several.
    runs, seed
        The number of runs for each policy, and the seed of the first. Each run shuffles the rows.
    rounds
        Default: all rows, at most 10,000.
    encoding, separator, file_encoding, drop, kinds
        As for `hybandit.features.encode` and `hybandit.datasets.read_labelled`.

    Returns
    -------
    DataFrame
        A row for each run: policy, seed, rounds, reward, regret, seconds. ``attrs["reading"]``
        describes what was read, ``attrs["set_aside"]`` the rows that could not be used, for
        which there is also a `hybandit.EvaluationWarning`.

    Examples
    --------
    >>> import hybandit
    >>> people = pd.DataFrame({"age": [22, 61, 35, 70] * 20, "bought": ["no", "yes"] * 40})
    >>> found = hybandit.compare(people, "bought", ["lin-ucb", "ucb"], runs=2)
    >>> list(found.columns)
    ['policy', 'seed', 'rounds', 'reward', 'regret', 'seconds']
    >>> regret = found.groupby("policy")["regret"].mean()
    >>> bool(regret["lin-ucb"] < regret["ucb"])
    True
    """
    size(1).check("runs", runs)
    whole(0).check("seed", seed)
    either(size(1), nothing()).check("rounds", rounds)
    check_source("data", data)
    COLUMN.check("label", label)
    check_name("encoding", "encoding", encoding, ENCODINGS)
    options = how_to_read(separator=separator, file_encoding=file_encoding, drop=drop, kinds=kinds)
    makers = _makers(policies)
    reading: Reading | None = None
    if isinstance(data, str) and not is_file(data):
        find_dataset(data)
        check_for_files({"label": label, **options})
        table = read_table(data)
    else:
        table, reading = read_labelled(data, label, **options)
    contexts = table.contexts(encoding)
    count = int(rounds or 0) or min(len(table.labels), MOST_ROUNDS)
    rows = []
    for name, make in makers:
        for number in range(int(seed), int(seed) + int(runs)):
            world = Classification(contexts, table.labels, seed=number, rounds=count)
            outcome = play(make(world.n_arms, world.n_features, number), world)
            regret, seconds = outcome.regret, outcome.seconds
            rows.append((name, number, count, outcome.reward, regret, seconds))
    columns = ["policy", "seed", "rounds", "reward", "regret", "seconds"]
    return _tidy(rows, columns, reading, _warned(_set_aside(reading)))


def evaluate(
    log: Source | EventLog | ItemLog,
    policies: Wanted | Iterable[Wanted],
    *,
    arm: str | None = None,
    reward: str | None = None,
    propensity: str | None = None,
    arm_features: str | None = None,
    estimators: str | Sequence[str] = DEFAULT_ESTIMATORS,
    learn: str = "all",
    learn_every: int = 1,
    matches: int | None = None,
    scaling: str = "standard",
    seed: int = 0,
    separator: str | None = None,
    file_encoding: str | None = None,
    drop: Sequence[str] = (),
    kinds: Mapping[str, str] | None = None,
) -> pd.DataFrame:
    """Estimate what policies would have earned, from a log of other decisions.

    Each policy walks through the log in order, is scored on an event before it learns it, and
    then learns it. Weak points of the result are warned of (`hybandit.EvaluationWarning`).

    Parameters
    ----------
    log
        A table of pandas, polars or Arrow, a query of DuckDB, a CSV, TSV or Parquet file or a
        folder of these, ``"news"``, or an `EventLog`; or an `ItemLog`, such as
        `hybandit.Loop.log` gives. A long one is read batch by batch.
    policies
        Names, classes or policies, one or several: of arms, or of items for an `ItemLog`. A policy
        is copied and stays unchanged. ``"always:tea"`` always chooses tea, and
        `hybandit.evaluation.Logged` is what made the log.
    arm, reward, propensity, arm_features, scaling, separator, file_encoding, drop, kinds
        Columns and how they are read, as for `hybandit.datasets.read_log`.
    estimators, learn, learn_every, matches
        As for `hybandit.evaluation.evaluate`; here ``replay`` may be combined with others.
    seed
        The seed of the policies that are made here.

    Returns
    -------
    DataFrame
        A row for each policy and estimator: value, low and high of its bootstrap interval, sure_low
        and sure_high by empirical Bernstein, effective_sample_size, largest_weight, events, and
        learned_from. ``attrs["notes"]`` has the warnings, ``attrs["reading"]`` describes what was
        read, ``attrs["set_aside"]`` the rows that could not be used.

    Examples
    --------
    >>> import hybandit, numpy as np
    >>> generator = np.random.default_rng(0)
    >>> age, shown = generator.integers(20, 80, 2000), generator.choice(["tea", "beer"], 2000)
    >>> clicked = (age > 50) == (shown == "tea")
    >>> log = pd.DataFrame({"age": age, "shown": shown, "clicked": clicked, "p": 0.5})
    >>> found = hybandit.evaluate(log, "lin-ucb", arm="shown", reward="clicked", propensity="p")
    >>> found["estimator"].tolist()
    ['ips', 'snips', 'doubly-robust']
    >>> bool(found["low"].min() > 0.8)
    True
    """
    if isinstance(estimators, str):
        estimators = [estimators]
    estimators = sequence("estimators", estimators)
    check_how(estimators, learn, matches, learn_every)
    whole(0).check("seed", seed)
    columns = {
        "arm": arm, "reward": reward, "propensity": propensity, "arm_features": arm_features,
    }  # fmt: skip
    check_log_columns(**columns)
    SCALING.check("scaling", scaling)
    options = how_to_read(separator=separator, file_encoding=file_encoding, drop=drop, kinds=kinds)
    if isinstance(log, (str, os.PathLike)) and is_dsjson(os.fspath(log)):
        check_for_files(columns | options, "a .dsjson log")
        check_is_file(os.fspath(log))
        log = StreamedItemLog(os.fspath(log))
    makers = _makers(policies, items=isinstance(log, Log) and log.of_items)
    events, reading = _events(log, columns | options, scaling)
    notes = [
        *getattr(log, "notes", []), *fixed_rule(events), *may_decide(reading, events),
        *_set_aside(reading), *log_notes(events),
    ]  # fmt: skip
    fresh = [partial(make, *events.sizes, seed) for _, make in makers]
    rows = []
    found = estimates(
        fresh, events, estimators, learn=learn, learn_every=learn_every, matches=matches
    )
    for (name, _), each in zip(makers, found, strict=True):
        notes += [note if note == ESTIMATED else f"{name}: {note}" for note in each.notes]
        rows += [_row(name, estimate, learn) for estimate in each.estimates]
    heads = [
        "policy", "estimator", "value", "low", "high", "sure_low", "sure_high",
        "effective_sample_size", "largest_weight", "events", "learned_from",
    ]  # fmt: skip
    return _tidy(rows, heads, reading, _warned(list(dict.fromkeys(notes))))


def _makers(policies: Wanted | Iterable[Wanted], *, items: bool = False) -> list[tuple[str, Maker]]:
    """Each policy's label, and a function that makes it from sizes and a seed."""
    one = isinstance(policies, (str, type, PolicySpec)) or not isinstance(policies, Iterable)
    wanted: list[Any] = [policies] if one else sequence("policies", policies)
    makers = [maker for each in wanted for maker in _made_by(each, items)]
    if not makers:
        raise InvalidInput("policies", "at least one", makers)
    return makers


def _made_by(wanted: Wanted, items: bool) -> list[tuple[str, Maker]]:
    base: type[Policy] = ItemPolicy if items else ArmPolicy
    if isinstance(wanted, (Always, Logged)):
        label = f"{ALWAYS}:{wanted.choice}" if isinstance(wanted, Always) else LOGGED
        return [(label, lambda *_: wanted)]
    if isinstance(wanted, base):
        return [(wanted.name, lambda *_: deepcopy(wanted))]
    if isinstance(wanted, type) and issubclass(wanted, base):
        return [(wanted.name, partial(_sized, wanted))]
    if not isinstance(wanted, (str, PolicySpec)):
        of = "items" if items else "arms"
        raise InvalidInput("policies", f"names, classes or policies, all of {of}", wanted)
    specs = parse_policies(wanted) if isinstance(wanted, str) else [wanted]
    make: Callable[..., Policy] = item_policy_of if items else policy_of
    made: list[tuple[str, Maker]] = []
    for spec in specs:
        if spec.name == ALWAYS:
            made += _made_by(Always(spec.settings["choice"]), items)
        else:
            make(spec, 2, 2, 0)
            made.append((spec.label, partial(make, spec)))
    return made


def _sized(kind: Callable[..., Policy], first: int, second: int, seed: int) -> Policy:
    """An instance of a policy class, which may not take the number of features."""
    declared = [entry for entry in settings_of(kind) if not entry.kw_only]
    return kind(*(first, second)[: len(declared)], seed=seed)


def _events(log: Source | Log, options: dict[str, Any], scaling: str) -> tuple[Log, Reading | None]:
    """The log, and a report of what was read unless it was a log already."""
    if isinstance(log, Log):
        check_log(log)
        return log, None
    check_source("log", log)
    if isinstance(log, str) and not is_file(log):
        find_dataset(log)
        check_for_files(options)
        return named_log(log, scaling), None
    return kept(open_log(log, scaling=scaling, **options))


def _row(name: str, each: ValueEstimate, learn: str) -> tuple[object, ...]:
    return (
        name,
        each.estimator,
        each.value,
        *each.bootstrap,
        *each.bernstein,
        each.effective_sample_size,
        each.largest_weight,
        each.rows,
        learned_from(each.estimator, learn),
    )


def _tidy(
    rows: Sequence[tuple[object, ...]],
    columns: list[str],
    reading: Reading | None,
    notes: Sequence[str],
) -> pd.DataFrame:
    frame = pd.DataFrame(rows, columns=columns)
    frame.attrs["notes"] = list(notes)
    if reading is not None:
        frame.attrs["reading"] = reading.as_frame().to_dict("records")
        frame.attrs["set_aside"] = [asdict(row) for row in reading.set_aside]
    return frame


def _warned(notes: Sequence[str]) -> list[str]:
    """The notes, each also given as a warning to the caller of `compare` or `evaluate`."""
    for note in notes:
        warnings.warn(note, EvaluationWarning, stacklevel=3)
    return list(notes)


def _set_aside(reading: Reading | None) -> list[str]:
    return [reading.counted()] if reading is not None and reading.aside.count else []
