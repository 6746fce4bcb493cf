"""The errors and warnings of hybandit, all errors under one base class."""

from __future__ import annotations


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
        super().__init__(f"{parameter!r} must be {rule}; got {_short(value)}")

    def __reduce__(self) -> tuple[type[InvalidInput], tuple[str, str, object]]:
        return type(self), (self.parameter, self.rule, self.value)


class Unquoted(str):
    """Text that an error message shows without quotes, unlike a value."""

    __slots__ = ()

    def __repr__(self) -> str:
        return str(self)


class UnknownName(HybanditError, LookupError):
    """A policy, data set or other named thing that does not exist."""


class ModelFileError(HybanditError):
    """A model file that is damaged, foreign, or newer than this version."""


class DataFileError(HybanditError):
    """A data file that is missing, truncated or altered."""


class StoreError(HybanditError):
    """A result store that is foreign, newer, or cannot be written."""


class WorkerError(HybanditError):
    """A worker process that died or failed at its task."""


class ScaleWarning(UserWarning):
    """The columns of the contexts differ so much in size that a policy cannot learn well."""


class EvaluationWarning(UserWarning):
    """The answer is unreliable, or is based on fewer rows than were given; says why."""


def _short(value: object) -> str:
    try:
        text = repr(value)
    except Exception:  # An integer with too many digits to print, or an object whose repr fails.
        text = f"a {type(value).__name__} that cannot be shown"
    return text if len(text) <= 80 else f"{text[:77]}..."
