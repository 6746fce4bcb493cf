"""What the checks of policies compare, and how."""

from __future__ import annotations

import json
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import wraps
from pathlib import Path
from typing import Any

import numpy as np

from hybandit.errors import HybanditError, PolicyError, fault
from hybandit.policies import ItemPolicy, Policy, load
from hybandit.state import Array
from hybandit.testing.drivers import driver_of

FEW, DRAWS = 200, 4000
Snapshot = tuple[dict[str, Array], Any]
Check = Callable[..., None]


def check_of(kind: type[Policy]) -> Callable[[Check], Check]:
    """Make a check refuse policies of another kind, and tell the place of what they raise."""

    def made(check: Check) -> Check:
        @wraps(check)
        def told(policy: type[Policy], **settings: Any) -> None:
            if not issubclass(policy, kind):
                of_items = issubclass(policy, ItemPolicy)
                what, right = ("items", "ITEM_CHECKS") if of_items else ("arms", "CHECKS")
                rule = f"is a policy of {what}: its checks are hybandit.testing.{right}"
                raise PolicyError(f"{policy.__name__} {rule}")
            try:
                check(policy, **settings)
            except (AssertionError, HybanditError):
                raise
            except Exception as error:  # Somebody's policy may raise anything.
                where = f"failed in the check {check.__name__}"
                raise PolicyError(fault(policy, "", error, where)) from error

        return told

    return made


def assert_true(instance: Any, question: dict[str, Any]) -> None:
    """`decide` and `choose` agree, and many choices come out as often as was told."""
    driver = driver_of(type(instance))
    twin = reloaded(instance)
    decision = instance.decide(**question)
    chosen = driver.chosen(decision)
    assert chosen == twin.choose(**question), "decide and choose differ"
    assert_same(snapshot(instance), snapshot(twin), "decide and choose leave other states")
    told = decision.probabilities
    assert told.shape == decision.scores.shape == (driver.candidates(question),)
    assert (told >= 0.0).all()
    assert abs(told.sum() - 1.0) < 1e-9, f"probabilities sum to {told.sum()}"
    assert decision.probability == told[chosen] > 0.0
    json.dumps(decision.to_dict(), allow_nan=False)
    masks = {"eligible": question["eligible"]} if "eligible" in question else {}
    # What is certain shows in a few choices.
    count = FEW if told.max() == 1.0 else DRAWS
    draws = twin.choose_many(**driver.together([question] * count), **masks)
    seen = np.bincount(draws, minlength=len(told)) / count
    spread = np.sqrt(told * (1.0 - told) / count)
    assert (np.abs(seen - told) <= 5.0 * spread + 1e-3).all(), (
        f"told {told}, but {count} choices gave {seen}"
    )


def reloaded(policy: Policy) -> Any:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "policy.npz"
        policy.save(path)
        return load(path)


def snapshot(policy: Policy) -> Snapshot:
    arrays = {name: array.copy() for name, array in policy.state().items()}
    return arrays, policy._generator.bit_generator.state


def assert_same(first: Snapshot, second: Snapshot, message: str) -> None:
    assert first[1] == second[1], f"{message}: the generators differ"
    assert first[0].keys() == second[0].keys(), message
    for name, array in first[0].items():
        assert np.array_equal(array, second[0][name]), f"{message}: {name} differs"


@contextmanager
def frequent_switches() -> Iterator[None]:
    """Let threads change places wherever they can."""
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        yield
    finally:
        sys.setswitchinterval(before)


@contextmanager
def refused() -> Iterator[None]:
    try:
        yield
    except HybanditError:
        return
    raise AssertionError("a call that breaks a rule was not refused")
