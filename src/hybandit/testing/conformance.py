"""Checks that every policy must pass, whoever wrote it.

Each check takes the policy's class, and settings if it is to be tried with others than
its defaults, and raises AssertionError with what went wrong.

>>> from hybandit import UCB
>>> check_policy(UCB)
>>> check_policy(UCB, rho=0.5)
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from copy import copy, deepcopy
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from hybandit.errors import HybanditError, InvalidInput
from hybandit.policies import Policy, load
from hybandit.state import Array, Floats

ARMS, FEATURES = 4, 5
DRAWS = 4000
Snapshot = tuple[dict[str, Array], Any]


def check_policy(policy: type[Policy], **settings: Any) -> None:
    """Run all checks on a policy class."""
    for check in CHECKS:
        check(policy, **settings)


def same_seed_means_same_choices(policy: type[Policy], **settings: Any) -> None:
    first, second = _new(policy, 3, settings), _new(policy, 3, settings)
    assert _play(first, 60) == _play(second, 60), "two equal seeds chose differently"
    _assert_same(_snapshot(first), _snapshot(second), "two equal seeds ended differently")


def saving_changes_nothing(policy: type[Policy], **settings: Any) -> None:
    played, stayed = _new(policy, 4, settings), _new(policy, 4, settings)
    _play(played, 40)
    _play(stayed, 40)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "policy.npz"
        played.save(path)
        loaded = load(path)
    assert type(loaded) is policy, f"loading gave a {type(loaded).__name__}"
    _assert_same(_snapshot(loaded), _snapshot(stayed), "loading changed the state")
    assert _play(loaded, 40, start=40) == _play(stayed, 40, start=40), (
        "a loaded policy differs: is all of its state in _arrays and _children?"
    )
    _assert_same(_snapshot(loaded), _snapshot(stayed), "a loaded policy learned differently")


def refused_input_changes_nothing(policy: type[Policy], **settings: Any) -> None:
    instance = _new(policy, 5, settings)
    _play(instance, 20)
    instance.retire_arm(ARMS - 1)
    before = _snapshot(instance)
    x = _contexts(1)[0]
    good: Any = x if policy.contextual else None
    wrong_arms: list[Any] = [-1, ARMS, 1.5, "0", None, ARMS - 1, True]
    wrong_rewards: list[Any] = [np.nan, np.inf, -np.inf, "1", None, 1e300]
    calls: list[Callable[[], object]] = [
        *[partial(instance.learn, good, arm, 1.0) for arm in wrong_arms],
        *[partial(instance.learn, good, 0, reward) for reward in wrong_rewards],
        lambda: instance.learn_many([good, good], [0, 9], [1.0, 1.0]),
        lambda: instance.learn_many([good, good], [0, 1], [1.0]),
        lambda: instance.choose(good, eligible=[False] * ARMS),
        lambda: instance.choose(good, eligible=[False] * (ARMS - 1) + [True]),
        lambda: instance.choose(good, eligible=[True]),
        lambda: instance.choose(good, eligible=[1, 0, 1, 1]),
        lambda: instance.retire_arm(ARMS - 1),
        lambda: instance.retire_arm(ARMS),
    ]
    if policy.contextual:
        poisoned = [np.where(np.arange(FEATURES) == 1, bad, x) for bad in (np.nan, np.inf, 1e300)]
        wrong: list[Any] = [None, "x", [], x[:-1], [x], np.tile(x, (ARMS + 1, 1)), x + 1j]
        for context in [*wrong, *poisoned, [["a"] * FEATURES] * ARMS]:
            calls += [
                partial(instance.choose, context),
                partial(instance.decide, context),
                partial(instance.learn, context, 0, 1.0),
            ]
        calls.append(lambda: instance.choose_many([x[:-1]]))
        calls.append(lambda: instance.learn_many(poisoned, [0, 0, 0], [1.0, 1.0, 1.0]))
    for number, call in enumerate(calls):
        try:
            call()
        except InvalidInput:
            pass
        else:
            raise AssertionError(f"bad call number {number} was not refused")
        _assert_same(_snapshot(instance), before, f"refused call {number} changed the state")


def one_context_for_all_equals_one_each(policy: type[Policy], **settings: Any) -> None:
    shared, each = _new(policy, 6, settings), _new(policy, 6, settings)
    for x, reward in zip(_contexts(60), _rewards(60), strict=True):
        rows = np.tile(x, (ARMS, 1))
        arm = shared.choose(x)
        assert arm == each.choose(rows), "equal rows for every arm are not one shared context"
        shared.learn(x, arm, reward)
        each.learn(rows, arm, reward)


def arms_come_and_go(policy: type[Policy], **settings: Any) -> None:
    instance = _new(policy, 7, settings)
    _play(instance, 30)
    assert instance.add_arm() == ARMS, "the new arm is not the next number"
    assert instance.n_arms == ARMS + 1, "n_arms does not count the new arm"
    only_new = np.arange(ARMS + 1) == ARMS
    x = _contexts(1)[0]
    chosen = instance.choose(x, eligible=only_new)
    assert chosen == ARMS, "the new arm cannot be chosen: does _add_arm tell every part?"
    instance.learn(x, ARMS, 1.0)
    instance.retire_arm(0)
    assert not instance.active[0]
    assert instance.active[1:].all()
    assert 0 not in _play(instance, 60), "a retired arm was chosen"
    assert instance.decide(x).probabilities[0] == 0.0
    for arm in range(1, ARMS):
        instance.retire_arm(arm)
    assert _play(instance, 5) == [ARMS] * 5
    with _refused():
        instance.retire_arm(ARMS)


def long_runs_stay_finite(policy: type[Policy], **settings: Any) -> None:
    instance = _new(policy, 8, settings)
    generator = np.random.default_rng(8)
    sizes = 10.0 ** generator.uniform(-120, 100, size=400)
    limit = 1.0 if not instance.rewards.holds(2.0) else 1e100
    for number, size in enumerate(sizes):
        x = generator.choice([-size, 0.0, size], FEATURES)
        arm = instance.choose(x)
        instance.learn(x, arm, min(size, limit))
        if number % 50 == 0:
            decision = instance.decide(x)
            assert not np.isnan(decision.scores).any(), "a score is not a number"
            assert abs(decision.probabilities.sum() - 1.0) < 1e-9
    for name, array in instance.state().items():
        assert np.isfinite(array).all(), f"{name} is not finite after extreme contexts"


def many_equal_one_by_one(policy: type[Policy], **settings: Any) -> None:
    one, many = _new(policy, 9, settings), _new(policy, 9, settings)
    xs, rewards = _contexts(50), _rewards(50)
    arms = np.arange(50) % ARMS
    for x, arm, reward in zip(xs, arms, rewards, strict=True):
        one.learn(x, int(arm), reward)
    many.learn_many(xs, arms, rewards)
    _assert_same(_snapshot(one), _snapshot(many), "learn_many differs from learn")
    for batch in (_contexts(50, 2), np.repeat(_contexts(50, 3), ARMS, 1).reshape(50, ARMS, -1)):
        masks = np.random.default_rng(1).random((50, ARMS)) < 0.7
        masks[:, 2] = True
        for eligible in (None, masks[0], masks):
            each = np.broadcast_to(True if eligible is None else eligible, (50, ARMS))
            single = [one.choose(x, eligible=mask) for x, mask in zip(batch, each, strict=True)]
            assert many.choose_many(batch, eligible=eligible).tolist() == single
    _assert_same(_snapshot(one), _snapshot(many), "choose_many differs from choose")


def decisions_tell_the_truth(policy: type[Policy], **settings: Any) -> None:
    instance = _new(policy, 10, settings)
    x = _contexts(1, 4)[0]
    for rounds, eligible in ((0, None), (25, None), (60, np.arange(ARMS) != 1)):
        _play(instance, rounds)
        twin = _copy(instance)
        decision = instance.decide(x, eligible=eligible)
        assert decision.arm == twin.choose(x, eligible=eligible), "decide and choose differ"
        _assert_same(_snapshot(instance), _snapshot(twin), "decide and choose leave other states")
        told = decision.probabilities
        assert told.shape == decision.scores.shape == (ARMS,)
        assert (told >= 0.0).all()
        assert abs(told.sum() - 1.0) < 1e-9, f"probabilities sum to {told.sum()}"
        assert decision.probability == told[decision.arm] > 0.0
        seen = np.bincount(
            twin.choose_many(np.tile(x, (DRAWS, 1)), eligible=eligible), minlength=ARMS
        )
        spread = np.sqrt(told * (1.0 - told) / DRAWS)
        assert (np.abs(seen / DRAWS - told) <= 5.0 * spread + 1e-3).all(), (
            f"told {told}, but {DRAWS} choices gave {seen / DRAWS}"
        )


def threads_decide_as_one_does(policy: type[Policy], **settings: Any) -> None:
    instance = _new(policy, 11, settings)
    _play(instance, 30)
    xs = _contexts(8, 5)
    before = _snapshot(instance)
    alone = [instance.decide(x).scores for x in xs]
    drawing = _snapshot(instance)[1] != before[1]

    def decide(start: int) -> list[Floats]:
        return [instance.decide(xs[(start + step) % len(xs)]).scores for step in range(len(xs))]

    with _frequent_switches(), ThreadPoolExecutor(4) as pool:
        seen = list(pool.map(decide, range(len(xs))))
    _assert_same((_snapshot(instance)[0], None), (before[0], None), "deciding changed the state")
    for start, scores in enumerate(seen):
        for step, found in enumerate(scores):
            expected = alone[(start + step) % len(xs)]
            assert drawing or np.array_equal(found, expected), (
                "threads at once see other scores than one alone"
            )


def a_refused_restore_changes_nothing(policy: type[Policy], **settings: Any) -> None:
    instance, other = _new(policy, 13, settings), _new(policy, 14, settings)
    _play(instance, 30)
    _play(other, 50)
    before, arrays = _snapshot(instance), _snapshot(other)[0]
    for name in arrays:
        with _refused():
            instance.restore({path: arrays[path] for path in arrays if path != name})
        _assert_same(_snapshot(instance), before, f"a restore without {name} changed the state")
    instance.restore(arrays)
    _assert_same((_snapshot(instance)[0], None), (arrays, None), "restoring changed the state")
    _play(instance, 10)


def copies_share_nothing(policy: type[Policy], **settings: Any) -> None:
    for make_copy in (copy, deepcopy):
        instance = _new(policy, 12, settings)
        _play(instance, 30)
        before = _snapshot(instance)
        twin = make_copy(instance)
        _assert_same(_snapshot(twin), before, "a copy differs")
        _play(twin, 30, start=30)
        twin.retire_arm(twin.add_arm())
        _assert_same(_snapshot(instance), before, "a copy that learns changes the original")
        _play(instance, 30, start=30)
        instance.retire_arm(instance.add_arm())
        _assert_same(_snapshot(instance), _snapshot(twin), "a copy goes on differently")


CHECKS: tuple[Callable[..., None], ...] = (
    same_seed_means_same_choices,
    saving_changes_nothing,
    refused_input_changes_nothing,
    one_context_for_all_equals_one_each,
    arms_come_and_go,
    long_runs_stay_finite,
    many_equal_one_by_one,
    decisions_tell_the_truth,
    threads_decide_as_one_does,
    a_refused_restore_changes_nothing,
    copies_share_nothing,
)


def _new(policy: type[Policy], seed: int, settings: dict[str, Any]) -> Policy:
    sizes = (ARMS, FEATURES) if policy.contextual else (ARMS,)
    return policy(*sizes, seed=seed, **settings)


def _contexts(count: int, seed: int = 0) -> Floats:
    return np.random.default_rng(seed).normal(size=(count, FEATURES))


def _rewards(count: int, seed: int = 0) -> list[float]:
    generator = np.random.default_rng(seed)
    draws = generator.random(count)
    rewards: list[float] = np.where(draws < 0.5, np.round(draws * 2.0), draws).tolist()
    return rewards


def _play(policy: Policy, rounds: int, start: int = 0) -> list[int]:
    """Choose and learn on a fixed stream, in which arm 2 pays best."""
    chosen = []
    stream = zip(_contexts(start + rounds), _rewards(start + rounds), strict=True)
    for number, (x, luck) in enumerate(stream):
        if number < start:
            continue
        arm = policy.choose(x)
        chosen.append(arm)
        policy.learn(x, arm, luck * (1.0 if arm == 2 else 0.5))
    return chosen


def _copy(policy: Policy) -> Policy:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "policy.npz"
        policy.save(path)
        return load(path)


def _snapshot(policy: Policy) -> Snapshot:
    arrays = {name: array.copy() for name, array in policy.state().items()}
    return arrays, policy._generator.bit_generator.state


def _assert_same(first: Snapshot, second: Snapshot, message: str) -> None:
    assert first[1] == second[1], f"{message}: the generators differ"
    assert first[0].keys() == second[0].keys(), message
    for name, array in first[0].items():
        assert np.array_equal(array, second[0][name]), f"{message}: {name} differs"


@contextmanager
def _frequent_switches() -> Iterator[None]:
    """Let threads change places wherever they can."""
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        yield
    finally:
        sys.setswitchinterval(before)


@contextmanager
def _refused() -> Iterator[None]:
    try:
        yield
    except HybanditError:
        return
    raise AssertionError("a call that breaks a rule was not refused")
