"""Checks of what a policy does to others: to its caller's data, and to chance."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from copy import deepcopy
from typing import Any

import numpy as np

from hybandit.policies import ItemPolicy, Policy
from hybandit.testing.assertions import assert_same, snapshot
from hybandit.testing.drivers import driver_of, play

# In place, numbers of one size may be left as they are: by a clip, for instance.
SIZES = (1e-9, 1.0, 1e9)


def the_callers_data_stay_as_they_are(policy: type[Policy], **settings: Any) -> None:
    driver = driver_of(policy)
    instance = driver.new(policy, 20, settings)
    generator = np.random.default_rng(20)
    for question in [*driver.questions(3, 6), *(driver.extreme(x, generator) for x in SIZES)]:
        together = driver.together([question] * 2)
        for verb, given in (
            ("choose", question), ("decide", question), ("choose_many", together),
            ("score_many", together),
        ):  # fmt: skip
            _call(instance, verb, given)
        lesson = driver.lesson(question, 0)
        _call(instance, "learn_many", {**driver.lessons([lesson] * 2), "rewards": [0.0, 1.0]})
        _call(instance, "learn", {**lesson, "reward": 0.5})
        _call(instance, "choose", question)
        before = snapshot(instance)
        for array in _arrays(list(question.values())):
            array[...] = 7.0
        assert_same(
            snapshot(instance), before,
            f"{policy.__name__} keeps an array that it was handed, and the caller may change it: "
            "keep a copy",
        )  # fmt: skip


def values_are_not_drawn(policy: type[ItemPolicy], **settings: Any) -> None:
    driver = driver_of(policy)
    instance = driver.new(policy, 21, settings)
    play(instance, 30)
    offer = instance._checked_offer(**driver.questions(1, 7)[0])
    before = instance.generator_state
    first, again = (np.array(instance._values(*offer)) for _ in range(2))
    same = np.array_equal(first, again, equal_nan=True) and instance.generator_state == before
    assert same, (
        f"{policy.__name__}._values must not draw at random, for then `decide` cannot tell how "
        "likely a choice was: use the setting `explore`, which the base class draws"
    )


def _call(instance: Any, verb: str, given: dict[str, Any]) -> None:
    """Call a public method, and see that its arguments are as they were."""
    before = deepcopy(given)
    method: Callable[..., Any] = getattr(instance, verb)
    method(**given)
    for name, value in given.items():
        pairs = zip(_arrays(value), _arrays(before[name]), strict=True)
        assert all(np.array_equal(now, then) for now, then in pairs), (
            f"{type(instance).__name__} changes the {name!r} that `{verb}` was handed, which are "
            "the caller's: compute without writing into them (+=, out=, sort)"
        )


def _arrays(given: Any) -> Iterator[Any]:
    if isinstance(given, np.ndarray):
        yield given
    elif isinstance(given, list):
        for each in given:
            yield from _arrays(each)
