"""The settings of a loop: checked, and kept with it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import timedelta
from string import ascii_letters
from typing import Any, Final

import numpy as np

from hybandit.errors import InvalidInput, StoreError
from hybandit.estimators.limits import window
from hybandit.loop.newcomers import NEWCOMERS
from hybandit.loop.policy import DEFAULT, LoopPolicy
from hybandit.loop.storage.contract import LEARN, LOG, Closing
from hybandit.policies.base.settings import fading, limit
from hybandit.state import LARGEST_INPUT
from hybandit.validation.settings import (
    Rule,
    above,
    between,
    boolean,
    either,
    is_finite,
    nothing,
    one_of,
    size,
)

# The model has numbers for all pairs of columns: more columns would fill the memory.
WIDEST = 10_000
# The end of a window must be a date.
LONGEST_WAIT = timedelta(days=36_525)
ONLINE, APPRENTICE, LOG_ONLY = "online", "apprentice", "log-only"


class Stored:
    """Stands for a setting that was not given: the loop's own, or else the default."""

    def __repr__(self) -> str:
        return "as stored"


STORED: Any = Stored()


def _is_span(value: Any) -> bool:
    return isinstance(value, timedelta) and timedelta(0) < value <= LONGEST_WAIT


def _is_range(value: Any) -> bool:
    is_pair = isinstance(value, (list, tuple)) and len(value) == 2 and all(map(is_finite, value))
    return is_pair and -LARGEST_INPUT <= value[0] < value[1] <= LARGEST_INPUT


def _is_text(value: Any) -> bool:
    return isinstance(value, str) and bool(value)


RULES: Final[dict[str, tuple[Any, Rule]]] = {
    "explore": (0.01, between(0, 1)),
    "newcomers": (NEWCOMERS, between(0, 1)),
    "wait": (
        None,
        either(
            Rule(
                "a timedelta, seconds, or text such as '10 min', above 0 and of at most 100 years",
                _is_span,
            ),
            nothing(),
        ),
    ),
    "control": (0.05, between(0, 1)),
    "reward_range": (
        None,
        either(Rule("two numbers, the least reward and a larger most", _is_range), nothing()),
    ),
    "aggregate": ("earliest", one_of("earliest", "sum", "last")),
    "default_reward": (0.0, between(-LARGEST_INPUT, LARGEST_INPUT)),
    "mode": (ONLINE, one_of(ONLINE, APPRENTICE, LOG_ONLY)),
    "paused": (False, boolean()),
    "keep": (None, either(above(0), nothing())),
    "staleness": (1.0, above(0)),
    "context_width": (64, size(2, WIDEST)),
    "action_width": (32, size(2, WIDEST)),
    "memory": (window(500), limit()),
    "forget": (None, fading()),
    "policy": (DEFAULT, Rule("a policy as text, such as 'item-hybrid:alpha=1'", _is_text)),
}


DEFAULTS: Final = {name: default for name, (default, _) in RULES.items()}
# What a time can be told in, in seconds.
UNITS = {
    "": 1, "s": 1, "second": 1, "min": 60, "minute": 60, "h": 3600, "hour": 3600, "day": 86_400,
    "week": 604_800,
}  # fmt: skip
# These do not enter what is learned, so they may change.
CHANGEABLE = (
    "explore", "newcomers", "control", "wait", "aggregate", "default_reward", "reward_range",
    "mode", "paused", "keep", "staleness",
)  # fmt: skip
WORDS = {"none": None, "true": True, "false": False}
WAIT_IS_MISSING = (
    "given when a loop is made: how long a reward may take, such as wait='10 min', after which a "
    "decision without one is learned as default_reward (0); or wait=None if every decision gets a "
    "reward, and is learned when it comes"
)


@dataclass(frozen=True)
class Terms:
    """The settings as the background thread needs them; `poll` and `keep` in seconds."""

    closing: Closing
    poll: float
    keep: float | None

    @classmethod
    def of(cls, settings: dict[str, Any]) -> Terms:
        days = settings["keep"]
        keep = None if days is None else days * 86_400.0
        return cls(closing(settings), min(0.25, settings["staleness"] / 4), keep)


def checked(given: dict[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
    """All defaults, and those settings that were given, as they are stored."""
    values = {name: value for name, value in given.items() if not isinstance(value, Stored)}
    if "wait" in values:
        values["wait"] = _as_wait(values["wait"])
    for name, value in values.items():
        RULES[name][1].check(name, value)
    stored = {name: _plain(value) for name, value in values.items()}
    if "policy" in stored:
        stored["policy"] = checked_policy(stored["policy"], DEFAULTS | stored)
    return dict(DEFAULTS), stored


def checked_policy(text: Any, settings: dict[str, Any]) -> str:
    """A policy in the form in which it is stored, if it can be made in a loop of these settings."""
    RULES["policy"][1].check("policy", text)
    if text == DEFAULT:
        return DEFAULT
    policy = LoopPolicy(text, settings)
    policy.made()
    rewards, without = policy.kind.rewards, settings["default_reward"]
    if settings["wait"] is not None and not rewards.holds(without):
        rule = f"{rewards.text}, as the policy {policy.text} takes rewards"
        raise InvalidInput("default_reward", rule, without)
    return policy.text


def changed(given: dict[str, Any], settings: dict[str, Any], policy: str) -> dict[str, Any]:
    """New values of settings that may change, checked beside the others."""
    for name, value in given.items():
        if name == "policy":
            raise InvalidInput(name, "left to switch(policy)", value)
        if name in RULES and name not in CHANGEABLE:
            rule = f"{settings[name]!r} for ever, as all that was learned depends on it"
            raise InvalidInput(name, f"{rule}: for another, make a new loop", value)
    if not given or not given.keys() <= RULES.keys():
        raise InvalidInput("settings", f"some of {', '.join(CHANGEABLE)}", list(given))
    values = checked(given)[1]
    checked_policy(policy, settings | values)
    return values


def from_text(words: Iterable[str]) -> dict[str, Any]:
    """Settings as they are written on a command line.

    Examples
    --------
    >>> from_text(["explore=0.1", "wait=10 min", "keep=none", "mode=log-only"])
    {'explore': 0.1, 'wait': '10 min', 'keep': None, 'mode': 'log-only'}
    """
    given: dict[str, Any] = {}
    for text in words:
        name, found, value = (part.strip() for part in text.partition("="))
        if not found or name in given:
            raise InvalidInput("settings", "name=value, each name once", text)
        given[name] = value if name == "wait" and value.lower() != "none" else _as_value(value)
    return given


def _as_value(text: str) -> Any:
    if text.lower() in WORDS:
        return WORDS[text.lower()]
    if "," in text:
        return [_as_value(part.strip()) for part in text.split(",")]
    try:
        return float(text)
    except ValueError:
        return text


def _as_wait(value: Any) -> Any:
    """A time that is told in seconds or as text; other things as they are."""
    if not isinstance(value, str):
        return _span(value)
    number = value.rstrip(ascii_letters)
    unit, amount = value[len(number) :], _as_value(number.strip())
    seconds = UNITS.get(unit, UNITS.get(unit.removesuffix("s")))
    return value if seconds is None or not is_finite(amount) else _span(amount * seconds)


def from_storage(stored: dict[str, Any], url: str) -> dict[str, Any]:
    """Settings as they were stored, by the rules for those that are given."""
    try:
        if stored.keys() != RULES.keys():
            strange = sorted(stored.keys() ^ RULES.keys())
            raise InvalidInput("settings", "the names that are known here", strange)
        given = stored | {"wait": _span(stored["wait"])}
        for name, value in given.items():
            RULES[name][1].check(name, value)
    except InvalidInput as error:
        raise StoreError(f"the loop {url} is damaged: of its settings, {error}") from None
    return stored


def closing(settings: dict[str, Any]) -> Closing:
    """When events close under these settings."""
    return Closing(
        settings["wait"],
        settings["aggregate"],
        settings["default_reward"],
        LOG if settings["paused"] or settings["mode"] == LOG_ONLY else LEARN,
    )


def _span(seconds: Any) -> Any:
    """The time that so many seconds are; other things as they are."""
    is_time = is_finite(seconds) and abs(seconds) <= 2 * LONGEST_WAIT.total_seconds()
    return timedelta(seconds=seconds) if is_time else seconds


def _plain(value: Any) -> Any:
    if isinstance(value, timedelta):
        return value.total_seconds()
    if isinstance(value, (list, tuple)):
        return [float(each) for each in value]
    return value.item() if isinstance(value, np.generic) else value
