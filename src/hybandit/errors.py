"""What hybandit raises: one small tree under one base."""

from __future__ import annotations


class HybanditError(Exception):
    """Base of every error that hybandit raises on purpose."""


class InvalidInput(HybanditError, ValueError):
    """An argument breaks a rule. Nothing has changed.

    Parameters
    ----------
    parameter
        The name of the argument, as the caller wrote it.
    rule
        What it must be, completing the sentence "'parameter' must be ...".
    value
        What came instead.
    """

    def __init__(self, parameter: str, rule: str, value: object) -> None:
        self.parameter = parameter
        self.rule = rule
        self.value = value
        super().__init__(f"{parameter!r} must be {rule}; got {_short(value)}")

    def __reduce__(self) -> tuple[type[InvalidInput], tuple[str, str, object]]:
        return type(self), (self.parameter, self.rule, self.value)


class Unquoted(str):
    """Text that stands in an error message as it is, not quoted like a value."""

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
    """Contexts whose columns differ so much in size that a policy cannot learn well."""


class EvaluationWarning(UserWarning):
    """An answer that stands on weak ground, or on fewer rows than were given, and why."""


def _short(value: object) -> str:
    try:
        text = repr(value)
    except Exception:  # A whole number of too many digits to print, or what will not be shown.
        text = f"a {type(value).__name__} that cannot be shown"
    return text if len(text) <= 80 else f"{text[:77]}..."
