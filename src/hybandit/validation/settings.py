"""The settings of a policy: declared once, checked in one place, shown everywhere."""

from __future__ import annotations

import inspect
import math
import numbers
import re
from collections.abc import Callable
from dataclasses import MISSING, Field, dataclass, field, fields
from textwrap import fill, indent
from typing import Any, TypeVar

import numpy as np

from hybandit.errors import InvalidInput, PolicyError

T = TypeVar("T")
MOST = 10**9


class _Absent:
    def __repr__(self) -> str:
        return "nothing"

    def __reduce__(self) -> str:
        return "ABSENT"


# The default of sizes. Type checkers allow no argument without a default after one with a
# default, so all sizes have one, since some may be left out.
ABSENT: Any = _Absent()


@dataclass(frozen=True)
class Rule:
    """A rule for a value: in words, as a test, and as limits where these are the whole rule."""

    text: str
    holds: Callable[[Any], bool]
    limits: tuple[float, float] | None = None

    def check(self, parameter: str, value: Any) -> None:
        """Refuse a value that breaks the rule."""
        if not self.holds(value):
            raise InvalidInput(parameter, self.text, value)


def setting(*, rule: Rule, doc: str, default: Any = MISSING, kw_only: bool = True) -> Any:
    """A setting of a policy, with its rule and a line for the reader.

    A size is a setting whose default is ``ABSENT``, with ``kw_only=False``. Type checkers read
    `default` and `kw_only` where `setting` is called, and only as keywords.
    """
    return field(default=default, kw_only=kw_only, metadata={"rule": rule, "doc": doc})


def at_least(low: float) -> Rule:
    return Rule(f"a number of at least {low:g}", lambda value: is_finite(value) and value >= low)


def above(low: float) -> Rule:
    return Rule(f"a number above {low:g}", lambda value: is_finite(value) and value > low)


def between(low: float, high: float) -> Rule:
    return Rule(
        f"a number from {low:g} to {high:g}",
        lambda value: is_finite(value) and low <= value <= high,
    )


def inside(low: float, high: float) -> Rule:
    return Rule(
        f"a number above {low:g} and below {high:g}",
        lambda value: is_finite(value) and low < value < high,
    )


def whole(low: int) -> Rule:
    return Rule(f"a whole number of at least {low}", lambda value: is_whole(value) and value >= low)


def size(low: int, high: int = MOST) -> Rule:
    """A whole number with an upper limit, for what takes memory or time."""
    return Rule(
        f"a whole number from {low} to {high:,}",
        lambda value: is_whole(value) and low <= value <= high,
    )


def one_of(*names: str) -> Rule:
    listed = " or ".join(repr(name) for name in names)
    return Rule(listed, lambda value: isinstance(value, str) and value in names)


def boolean() -> Rule:
    return Rule("True or False", lambda value: isinstance(value, bool))


def either(first: Rule, second: Rule) -> Rule:
    return Rule(
        f"{first.text}, or {second.text}",
        lambda value: first.holds(value) or second.holds(value),
    )


def nothing() -> Rule:
    return Rule("None", lambda value: value is None)


def is_whole(value: object) -> bool:
    """Whether it is an integer; NumPy's time spans do not count as integers here."""
    return isinstance(value, numbers.Integral) and not isinstance(value, (bool, np.timedelta64))


def configure(cls: type) -> None:
    """Make the settings of a class its constructor, and part of its docstring."""
    annotations = inspect.get_annotations(cls)
    for name, kind in annotations.items():
        if "ClassVar" not in str(kind):
            _check_declared(cls, name)
    for name, value in vars(cls).items():
        if isinstance(value, Field) and name not in annotations:
            rule = f"a setting needs a type: write {name}: float = setting(...), or int, str, bool"
            raise PolicyError(f"{cls.__name__}.{name}: {rule}")
    if "__init__" in vars(cls):
        raise PolicyError(
            f"{cls.__name__} has an __init__, which its settings make: declare them as "
            "name: float = setting(...), and build its parts in _start(self)"
        )
    dataclass(eq=False, repr=False, kw_only=True)(cls)
    cls.__doc__ = _with_parameters(inspect.cleandoc(cls.__doc__ or ""), parameters(cls))


def _check_declared(cls: type, name: str) -> None:
    """Refuse what has a type and is neither a setting nor private; the private is no parameter."""
    value = vars(cls).get(name, MISSING)
    if name.startswith("_"):
        setattr(cls, name, field(init=False, default=value))
    elif not isinstance(value, Field) or "rule" not in value.metadata:
        raise PolicyError(
            f"{cls.__name__}.{name} has a type but is no setting: write "
            f"{name}: ... = setting(default=..., rule=..., doc=...), or ClassVar[...] as its type"
        )


def call_of(policy: object) -> str:
    """The call that makes it: the sizes, and the settings that differ from their defaults."""
    given = [(entry.name, getattr(policy, entry.name), entry) for entry in settings_of(policy)]
    written = [
        f"{name}={value!r}"
        for name, value, entry in given
        if not entry.kw_only or value != entry.default
    ]
    return f"{type(policy).__name__}({', '.join(written)})"


def settings_of(policy: object) -> tuple[Field[Any], ...]:
    """The declared sizes and settings of a policy or its class, the sizes first."""
    declared = [entry for entry in fields(policy) if "rule" in entry.metadata]  # type: ignore[arg-type]
    return tuple(sorted(declared, key=lambda entry: bool(entry.kw_only)))


def unbuilt(kind: type[T], settings: dict[str, Any]) -> T:
    """An instance with checked settings and nothing else, to estimate what it would need."""
    given = inspect.signature(kind).bind(**settings)
    given.apply_defaults()
    instance = object.__new__(kind)
    vars(instance).update(given.arguments)
    check_settings(instance)
    return instance


def check_settings(policy: object) -> None:
    """Convert NumPy's numbers to plain ones, and check every declared setting by its rule."""
    for entry in settings_of(policy):
        given = getattr(policy, entry.name)
        rule: Rule = entry.metadata["rule"]
        try:
            value = _plain(given)
            holds = rule.holds(value)
        except Exception:  # An object that raises when it is examined.
            holds = False
        if not holds:
            raise InvalidInput(entry.name, rule.text, given)
        setattr(policy, entry.name, value)


def parameters(policy: type) -> str:
    """The settings as the Parameters section of a numpydoc docstring."""
    lines = ["Parameters", "----------"]
    for entry in settings_of(policy):
        kind = entry.type if isinstance(entry.type, str) else getattr(entry.type, "__name__", "")
        default = "" if entry.default in (MISSING, ABSENT) else f", default {entry.default!r}"
        doc: str = entry.metadata["doc"]
        text = f"{doc[0].upper()}{doc[1:]}. Must be {entry.metadata['rule'].text}."
        lines.append(f"{entry.name} : {kind}{default}")
        lines.append(indent(fill(text, 84), "    "))
    return "\n".join(lines)


def _with_parameters(text: str, section: str) -> str:
    """The docstring with one more section, before its other sections."""
    first = re.search(r"^[A-Z]\w+\n-{3,}$", text, re.MULTILINE)
    place = first.start() if first else len(text)
    return f"{text[:place].rstrip()}\n\n{section}\n\n{text[place:]}".rstrip() + "\n"


def _plain(value: Any) -> Any:
    """Numbers, booleans and texts of NumPy as those of Python; anything else unchanged."""
    if isinstance(value, (bool, np.bool_)):
        return bool(value)
    if isinstance(value, np.timedelta64):
        return value
    for kind, likes in ((int, numbers.Integral), (float, (float, np.floating)), (str, str)):
        if isinstance(value, likes):
            return kind(value)
    return value


def is_finite(value: object) -> bool:
    """Whether it is a finite number; booleans and NumPy's time spans do not count here."""
    if not isinstance(value, (int, float, np.integer, np.floating)):
        return False
    if isinstance(value, (bool, np.timedelta64)):
        return False
    try:
        return math.isfinite(value)
    except OverflowError:
        return False
