"""The errors and warnings of hybandit, all errors under one base class."""

from __future__ import annotations

import re
import sysconfig
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path
from types import TracebackType
from typing import Self

# Passwords in addresses: ``//user:password@host``, ``password=...``, ``password = '...'``.
_PASSWORDS = re.compile(
    r"(//?[^\s/:@]*:).*@|(pass(?:word|wd)?\s*=\s*)(?:'[^']*'|[^&\s]*)", re.IGNORECASE | re.DOTALL
)
# The option of the command line for a parameter, if it has one; in Python there are none.
Options = Callable[[str], str | None]
_options: ContextVar[Options | None] = ContextVar("options", default=None)


@contextmanager
def naming_options(option_of: Options) -> Iterator[None]:
    """Let messages name the options of the command line, not the parameters of Python."""
    token = _options.set(option_of)
    try:
        yield
    finally:
        _options.reset(token)


def argument(parameter: str, value: str | None = None) -> str:
    """An argument as the caller writes it; on the command line ``--label``, ``--label bought``.

    Examples
    --------
    >>> argument("label"), argument("label", "bought")
    ('label=...', "label='bought'")
    """
    option = _option(parameter)
    if option is None:
        return f"{parameter}={'...' if value is None else repr(value)}"
    return option if value is None else f"{option} {value}"


def function(name: str) -> str:
    """A function as the caller writes it; on the command line ``'hybandit evaluate'``.

    Examples
    --------
    >>> function("evaluate")
    'hybandit.evaluate'
    """
    return f"hybandit.{name}" if _options.get() is None else f"'hybandit {name}'"


def _option(parameter: str) -> str | None:
    option_of = _options.get()
    return None if option_of is None else option_of(parameter)


def without_passwords(text: str) -> str:
    """A text in which the passwords of addresses are not shown.

    Examples
    --------
    >>> without_passwords("mysql://bob:secret@host/shop?sslpassword=secret")
    'mysql://bob:***@host/shop?sslpassword=***'
    """
    return _PASSWORDS.sub(lambda found: f"{found[1]}***@" if found[1] else f"{found[2]}***", text)


class HybanditError(Exception):
    """Base of every error that hybandit raises on purpose."""


class InvalidInput(HybanditError, ValueError):
    """An argument breaks a rule. The refused call has changed nothing.

    Parameters
    ----------
    parameter
        The name of the argument, as the caller wrote it.
    rule
        What it must be, completing the sentence "'parameter' must be ...".
    value
        The value that was given.

    Examples
    --------
    >>> raise InvalidInput("alpha", "a number of at least 0", -1)
    Traceback (most recent call last):
    ...
    hybandit.errors.InvalidInput: 'alpha' must be a number of at least 0; got -1
    """

    def __init__(self, parameter: str, rule: str, value: object) -> None:
        self.parameter = parameter
        self.rule = rule
        self.value = value
        named = _option(parameter) or repr(parameter)
        super().__init__(f"{named} must be {rule}; got {_short(value)}")

    def __reduce__(self) -> tuple[type[InvalidInput], tuple[str, str, object]]:
        return type(self), (self.parameter, self.rule, self.value)


class UnknownEvent(InvalidInput):
    """An id that no decision of the loop has."""


class Conflict(InvalidInput):
    """An id, a key or a name that is there already, with other content."""


class Unquoted(str):
    """Text that an error message shows without quotes, unlike a value."""

    __slots__ = ()

    def __repr__(self) -> str:
        return str(self)


class UnknownName(HybanditError, LookupError):
    """A policy, data set or other named thing that does not exist."""


class ModelFileError(HybanditError):
    """A model that cannot be restored: damaged, foreign, or newer than this version."""


class DataFileError(HybanditError):
    """A data file that is missing, truncated or altered."""


class StoreError(HybanditError):
    """A result store that is foreign, newer, or cannot be written."""


class LearningError(StoreError):
    """What ends a loop's learning: an entry that its policy cannot learn, or a lost model."""


class PolicyError(HybanditError):
    """A policy of your own that breaks a rule for policies, such as a score that is NaN."""


class WorkerError(HybanditError):
    """A worker process that died or failed at its task."""


class Running:
    """Whose call runs now: what it raises becomes a `PolicyError` that names it and the place.

    Errors of hybandit's own stay as they are, and so do all that are raised while `call` is empty.

    Examples
    --------
    >>> with Running("round") as now:
    ...     now.whose, now.call, now.number = [1, 2], "index", 7
    ...     now.whose.index(3)  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    ...
    hybandit.errors.PolicyError: list.index failed in round 7: ValueError: 3 is not in list (...
    """

    def __init__(self, unit: str) -> None:
        self.unit = unit
        self.whose: object = None
        self.call = ""
        self.number: object = 0

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: object, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self.call and isinstance(error, Exception) and not isinstance(error, HybanditError):
            where = f"failed in {self.unit} {self.number}"
            raise PolicyError(fault(self.whose, self.call, error, where)) from error


def fault(whose: object, call: str, error: Exception, failed: str = "failed") -> str:
    """What is said of somebody's own code that raised an error in a call, with its line there.

    Without a `call`, the function that has the line is named.
    """
    kind = whose if isinstance(whose, type) else type(whose)
    return f"{kind.__name__}.{call or _last_line(error).name} {failed}: {with_line(error)}"


def with_line(error: Exception) -> str:
    """An error of somebody's own code, with the last line there; one of ours as it is."""
    if isinstance(error, HybanditError):
        return str(error)
    last = _last_line(error)
    place = f"({Path(last.filename).name}, line {last.lineno})"
    return f"{type(error).__name__}: {error} {place}"


def _last_line(error: Exception) -> traceback.FrameSummary:
    """Where an error was raised: the last line that is not of a library, if there is any."""
    frames = traceback.extract_tb(error.__traceback__)
    paths = sysconfig.get_paths()
    libraries = str(Path(__file__).parent), paths["stdlib"], paths["purelib"], paths["platlib"]
    return ([each for each in frames if not each.filename.startswith(libraries)] or frames)[-1]


class ScaleWarning(UserWarning):
    """The columns of the contexts differ so much in size that a policy cannot learn well."""


class EvaluationWarning(UserWarning):
    """The answer is unreliable, or is based on fewer rows than were given; says why."""


def _short(value: object) -> str:
    try:
        text = without_passwords(repr(value))
    except Exception:  # An integer with too many digits to print, or an object whose repr fails.
        text = f"a {type(value).__name__} that cannot be shown"
    return text if len(text) <= 80 else f"{text[:77]}..."
