"""`hybandit.compare` and `hybandit.evaluate`: one call each."""

from __future__ import annotations

import os
import warnings
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from hybandit._version import __version__
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
from hybandit.environments import Classification
from hybandit.environments.rounds import is_of_items
from hybandit.errors import EvaluationWarning, InvalidInput, Unquoted
from hybandit.evaluation import ESTIMATED, ItemLog, StreamedItemLog, log_notes
from hybandit.evaluation.evaluate import check_log
from hybandit.evaluation.watch import fixed_rule
from hybandit.experiments.comparison import (
    DEFAULT_ITEM_POLICIES,
    DEFAULT_POLICIES,
    Comparison,
    check_alone,
    told_of,
)
from hybandit.experiments.compiling import warm_up
from hybandit.experiments.environments import MOST_ROUNDS, make_environment
from hybandit.experiments.experiment import Effort
from hybandit.experiments.log_evaluation import check_how
from hybandit.experiments.logs import DEFAULT_ESTIMATORS, estimates, named_log
from hybandit.experiments.makers import Maker, Wanted, makers
from hybandit.experiments.own_environment import WorldMaker, worlds_of
from hybandit.experiments.results import ComparisonResult, EvaluationResult
from hybandit.experiments.specs import EnvironmentSpec, PolicySpec, Settings
from hybandit.experiments.task_environment import ArmsTask, World, run_of, size_of
from hybandit.experiments.user_files import check_for_files, kept, may_decide
from hybandit.features import ENCODINGS
from hybandit.names import check_name
from hybandit.reports.page import versions
from hybandit.validation.checks import sequence
from hybandit.validation.settings import either, nothing, size, whole


def compare(
    data: Source | None = None,
    label: str | None = None,
    policies: Wanted | Iterable[Wanted] = DEFAULT_POLICIES,
    *,
    environment: World | Callable[..., World] | str | None = None,
    runs: int = 5,
    seed: int = 0,
    rounds: int | None = None,
    encoding: str = "standard",
    separator: str | None = None,
    file_encoding: str | None = None,
    drop: Sequence[str] = (),
    kinds: Mapping[str, str] | None = None,
) -> ComparisonResult:
    """Play policies side by side: on a table of rows with a class each, or in your environment.

    The classes are the arms; the right one pays 1. Everything runs in this process, and nothing
    is written to disk.

    Parameters
    ----------
    data
        A DataFrame, a CSV, TSV or Parquet file, or a data set by name. Default: ``"digits"``,
        unless there is an environment.
    label
        The column with the class; data sets by name know theirs.
    policies
        Names as on the command line (``"lnucb-ta:alpha=10"``, ``"mymodule:MyPolicy"``), classes, or
        policies, which are copied and stay unchanged; one or several. Default: the nine of
        ``hybandit compare``, and three where the environment is one of items.
    environment
        One of your own, instead of data: a class or a function that makes one from ``seed=...``,
        or ``"module:Class"``. A single object gives all runs the same rounds. One with `n_context`
        and `n_item`, such as `hybandit.environments.ItemWorld`, is for policies of items.
    runs, seed
        The number of runs for each policy, and the seed of the first. Each run shuffles the rows,
        or makes an environment.
    rounds
        Default: all rows, at most 10,000.
    encoding, separator, file_encoding, drop, kinds
        As for `hybandit.features.encode` and `hybandit.datasets.read_labelled`.

    Returns
    -------
    ComparisonResult
        With ``table``, ``runs`` and ``curves`` as DataFrames, ``plot()`` and ``report(path)``. Of
        rows that could not be used there is also a `hybandit.EvaluationWarning`.

    Examples
    --------
    >>> import hybandit, pandas as pd
    >>> people = pd.DataFrame({"age": [22, 61, 35, 70] * 20, "bought": ["no", "yes"] * 40})
    >>> found = hybandit.compare(people, "bought", ["lin-ucb", "ucb"], runs=2)
    >>> found.table["policy"].tolist()
    ['lin-ucb', 'ucb']
    >>> found.curves.columns.tolist()
    ['policy', 'run', 'round', 'regret', 'reward']
    """
    size(1).check("runs", runs)
    whole(0).check("seed", seed)
    either(size(1), nothing()).check("rounds", rounds)
    COLUMN.check("label", label)
    check_name("encoding", "encoding", encoding, ENCODINGS)
    options = {
        "label": label,
        **how_to_read(separator=separator, file_encoding=file_encoding, drop=drop, kinds=kinds),
    }
    world, of_items = None, False
    if environment is not None:
        check_alone(data, encoding, rounds, options)
        world = worlds_of(environment)
        of_items = is_of_items(world(int(seed)))
    if of_items and policies == DEFAULT_POLICIES:
        policies = DEFAULT_ITEM_POLICIES
    chosen = makers(policies, items=of_items)
    names = [policy for policy, _ in chosen]
    for policy in names:
        if names.count(policy) > 1:
            raise InvalidInput("policies", "all different", Unquoted(f"{policy.label} twice"))
    if world is not None:
        comparison, reading = _in_environment(environment, names), None
    else:
        comparison, world, reading = _on_table(data, names, encoding, rounds, options)
    effort = Effort(int(runs), int(seed))
    first = world(effort.seed)
    played = {}
    for policy, make in chosen:
        warm_up(policy, size_of(first))
        played[policy] = {
            each: run_of(partial(_made, make, each), world(each)) for each in effort.seeds()
        }
    origin = [f"{sum(map(len, played.values()))} runs by hybandit {__version__}", versions()]
    _warned(_set_aside(reading))
    return comparison.result(played, effort, origin, reading)


def _made(make: Maker, seed: int, first: int, second: int) -> Any:
    return make(first, second, seed)


def _in_environment(environment: Any, names: Sequence[PolicySpec]) -> Comparison:
    if isinstance(environment, str):
        return Comparison.of(policies=names, environment=environment)
    kind = getattr(environment, "func", environment)  # Of a `partial`.
    called = getattr(kind, "__name__", type(kind).__name__)
    return Comparison(called, EnvironmentSpec("own"), names)


def _on_table(
    data: Any, names: Sequence[PolicySpec], encoding: str, rounds: int | None, options: Settings
) -> tuple[Comparison, WorldMaker, Reading | None]:
    data = "digits" if data is None else data
    check_source("data", data)
    if isinstance(data, str) and not is_file(data):
        comparison = Comparison.of(data, names, encoding=encoding, rounds=rounds, options=options)
        return comparison, _world_of(comparison), None
    table, reading = read_labelled(data, **options)
    name = Path(data).name if isinstance(data, (str, os.PathLike)) else "a table"
    spec = EnvironmentSpec("classification", {"encoding": encoding, "rounds": rounds})
    comparison = Comparison(name, spec, names, told_of(table, reading))
    contexts, count = table.contexts(encoding), int(rounds or min(len(table.labels), MOST_ROUNDS))

    def world(number: int) -> Classification:
        return Classification(contexts, table.labels, seed=number, rounds=count)

    return comparison, world, reading


def _world_of(comparison: Comparison) -> WorldMaker:
    task = make_environment(comparison.environment)
    assert isinstance(task, ArmsTask)
    return task.world


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
) -> EvaluationResult:
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
        Columns and how they are read, as for `hybandit.datasets.open_log`.
    estimators, learn, learn_every, matches
        As for `hybandit.evaluation.evaluate`; here ``replay`` may be combined with others.
    seed
        The seed of the policies that are made here.

    Returns
    -------
    EvaluationResult
        With ``table`` and ``curves`` as DataFrames, ``plot()``, the warnings as ``notes``, what was
        read as ``reading``, and the rows that could not be used as ``set_aside``.

    Examples
    --------
    >>> import hybandit, numpy as np, pandas as pd
    >>> generator = np.random.default_rng(0)
    >>> age, shown = generator.integers(20, 80, 2000), generator.choice(["tea", "beer"], 2000)
    >>> clicked = (age > 50) == (shown == "tea")
    >>> log = pd.DataFrame({"age": age, "shown": shown, "clicked": clicked, "p": 0.5})
    >>> found = hybandit.evaluate(log, "lin-ucb", arm="shown", reward="clicked", propensity="p")
    >>> found.table["estimator"].tolist()
    ['ips', 'snips', 'doubly-robust']
    >>> bool(found.table["low"].min() > 0.8)
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
    chosen = makers(policies, items=isinstance(log, Log) and log.of_items)
    events, reading = _events(log, columns | options, scaling)
    notes = [
        *getattr(log, "notes", []), *fixed_rule(events), *may_decide(reading, events),
        *_set_aside(reading), *log_notes(events),
    ]  # fmt: skip
    fresh = [partial(make, *events.sizes, seed) for _, make in chosen]
    found = estimates(
        fresh, events, estimators, learn=learn, learn_every=learn_every, matches=matches
    )
    named = [(policy, each) for (policy, _), each in zip(chosen, found, strict=True)]
    for policy, each in named:
        notes += [note if note == ESTIMATED else f"{policy.label}: {note}" for note in each.notes]
    return EvaluationResult(named, learn, _warned(list(dict.fromkeys(notes))), reading)


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


def _warned(notes: Sequence[str]) -> list[str]:
    """The notes, each also given as a warning to the caller of `compare` or `evaluate`."""
    for note in notes:
        warnings.warn(note, EvaluationWarning, stacklevel=3)
    return list(notes)


def _set_aside(reading: Reading | None) -> list[str]:
    return [reading.counted()] if reading is not None and reading.aside.count else []
