"""Logs of Vowpal Wabbit and of the retired Personalizer: a decision as JSON in each line.

Of a line are read

| field                                  | is                                                     |
|----------------------------------------|--------------------------------------------------------|
| ``c``                                  | features of the context, by namespaces                 |
| ``c._multi``                           | features of each action, by namespaces                 |
| ``a``, ``p``                           | actions from 1, the chosen one first, and how likely   |
| ``_labelIndex``, ``_label_Action``     | the chosen action, from 0 or from 1, if ``a`` is absent|
| ``_label_probability``                 | how likely it was, if ``p`` is absent                  |
| ``_label_cost``                        | its cost: the reward is its negative                   |
| ``o``                                  | late outcomes ``v``, whose sum counts where no cost is |
| ``EventId``                            | the name of the event                                  |
"""

from __future__ import annotations

import gzip
import json
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from hashlib import blake2b
from pathlib import Path
from typing import Any

import numpy as np

from hybandit.datasets.delimited import SHOWN, SetAside
from hybandit.datasets.reading import Aside
from hybandit.errors import DataFileError, InvalidInput
from hybandit.features.records import canonical
from hybandit.state import LARGEST_INPUT, Floats

SUFFIXES = (".dsjson", ".dsjson.gz")
COSTS = "a log of costs: a reward is the negative of a cost"
# A name made of an action's features is no longer than this.
LONGEST_NAME = 40
# Probabilities that were written with few digits may miss 1 by this.
ROUNDING = 1e-3


@dataclass(frozen=True)
class LoggedChoice:
    """A decision among actions, with features as JSON text, and its reward."""

    id: str
    context: str
    names: tuple[str, ...]
    features: tuple[str, ...]
    probabilities: Floats
    choice: int
    reward: float


def is_dsjson(data: str | Path) -> bool:
    """Whether a file is such a log, by its name.

    Examples
    --------
    >>> is_dsjson("old.dsjson"), is_dsjson("old.csv")
    (True, False)
    """
    return str(data).lower().endswith(SUFFIXES)


def read_choices(path: str | Path, aside: Aside | None = None) -> Iterator[LoggedChoice]:
    """The decisions of a log in order; lines that cannot be used are set aside."""
    file = Path(path)
    opener: Any = gzip.open if file.suffix == ".gz" else open
    try:
        with opener(file, "rt", encoding="utf-8", errors="replace") as lines:
            for number, line in enumerate(lines, start=1):
                if not line.strip():
                    continue
                try:
                    yield choice_of(line)
                except Unusable as error:
                    if aside is not None:
                        aside.add([SetAside(number, str(error), line.strip()[:SHOWN])])
    except (OSError, EOFError, zlib.error) as error:
        raise DataFileError(f"{file} cannot be read: {error}") from error


class Unusable(Exception):
    """Why a line is set aside."""


def choice_of(line: str) -> LoggedChoice:
    """The decision in one line.

    Examples
    --------
    >>> found = choice_of(
    ...     '{"_label_cost": -1, "a": [2, 1], "p": [0.8, 0.2], "c": {"User": {"age": 30}, '
    ...     '"_multi": [{"_tag": "tea"}, {"_tag": "beer"}]}}'
    ... )
    >>> found.names, found.choice, found.reward, found.probabilities
    (('tea', 'beer'), 1, 1.0, array([0.2, 0.8]))
    """
    try:
        record = json.loads(line)
    except (ValueError, RecursionError):
        raise Unusable("no JSON") from None
    if not isinstance(record, dict):
        raise Unusable("no JSON object")
    if "RewardValue" in record:
        raise Unusable("a reward without its decision")
    if record.get("_skipLearn"):
        raise Unusable("marked as not to be learned")
    context = record["c"] if isinstance(record.get("c"), dict) else {}
    actions = context.get("_multi") or []
    if not isinstance(actions, list) or not all(isinstance(each, dict) for each in actions):
        actions = []
    if not actions:
        raise Unusable("no actions in c._multi")
    choice, probabilities = _chances(record, len(actions))
    try:
        features = tuple(canonical("c._multi", _features(each)) for each in actions)
        shared = canonical("c", _features(context))
    except InvalidInput as error:
        raise Unusable(str(error)) from None
    names = _names(actions, features)
    event = str(record.get("EventId") or "")
    return LoggedChoice(event, shared, names, features, probabilities, choice, _reward(record))


def _chances(record: dict[str, Any], count: int) -> tuple[int, Floats]:
    """The place of the chosen action, and the probability of every one."""
    order, given = record.get("a"), record.get("p")
    if order is None:
        index = record.get("_labelIndex")
        order = [index + 1 if type(index) is int else record.get("_label_Action")]
    if given is None:
        given = [record.get("_label_probability")]
    whole = isinstance(order, list) and all(type(each) is int for each in order)
    if not whole or not order or not set(order) <= set(range(1, count + 1)):
        raise Unusable(f"a: no actions from 1 to {count}")
    likely = isinstance(given, list) and all(
        type(each) in (int, float) and 0.0 <= each <= 1.0 + ROUNDING for each in given
    )
    if not likely or len(given) > len(order) or len(set(order)) < len(order):
        raise Unusable("p: no probability for each action of a")
    chances = np.zeros(count)
    chances[[each - 1 for each in order[: len(given)]]] = given
    if len(given) == 1 < count:
        # Only that of the chosen one is known: the others share the rest.
        chances[np.arange(count) != order[0] - 1] = (1.0 - given[0]) / (count - 1)
    if (chances < 0.0).any() or not chances[order[0] - 1]:
        raise Unusable("p: not above 0 for the chosen action")
    if abs(chances.sum() - 1.0) > ROUNDING:
        raise Unusable(f"p: {chances.sum():g} in sum instead of 1")
    return order[0] - 1, chances / chances.sum()


def _reward(record: dict[str, Any]) -> float:
    cost = record.get("_label_cost")
    if cost is not None:
        found = -cost if type(cost) in (int, float) else None
    else:
        outcomes = record.get("o")
        if not isinstance(outcomes, list):
            outcomes = []
        values = [each.get("v", 0.0) for each in outcomes if isinstance(each, dict)]
        whole = values and all(type(each) in (int, float) for each in values)
        found = sum(values) if whole else None
    if found is None:
        raise Unusable("neither _label_cost nor an outcome v in o")
    if not abs(found) <= LARGEST_INPUT:
        raise Unusable("_label_cost: no finite number")
    # Without the sign of -0.
    return float(found) + 0.0


def _features(given: dict[str, Any]) -> dict[str, Any]:
    """All namespaces; what begins with _ is not one."""
    return {key: value for key, value in given.items() if not key.startswith("_")}


def _names(actions: list[dict[str, Any]], features: tuple[str, ...]) -> tuple[str, ...]:
    """Names of the actions, no two alike: their tags, or else what they are."""
    names: list[str] = []
    for action, text in zip(actions, features, strict=True):
        tag = action.get("_tag")
        name = unique = str(tag) if tag else _short(text)
        count = 2
        while unique in names:
            unique, count = f"{name} ({count})", count + 1
        names.append(unique)
    return tuple(names)


def _short(text: str) -> str:
    if len(text) <= LONGEST_NAME:
        return text
    return f"{text[: LONGEST_NAME - 10]}~{blake2b(text.encode(), digest_size=4).hexdigest()}"
