"""What a client is told when something fails: one shape, made here from every kind of error."""

from __future__ import annotations

from http import HTTPStatus

import msgspec
from starlette.exceptions import HTTPException

from hybandit.errors import Conflict, InvalidInput, StoreError, UnknownEvent, UnknownName
from hybandit.service.bodies import Problem

# Seconds after which a database may be there again.
RETRY_AFTER = "5"
# The first kind that an error is of decides.
KINDS: tuple[tuple[type[Exception], tuple[HTTPStatus, str]], ...] = (
    (UnknownEvent, (HTTPStatus.NOT_FOUND, "unknown_event")),
    (Conflict, (HTTPStatus.CONFLICT, "conflict")),
    (InvalidInput, (HTTPStatus.BAD_REQUEST, "invalid_input")),
    (UnknownName, (HTTPStatus.NOT_FOUND, "unknown_name")),
    (StoreError, (HTTPStatus.SERVICE_UNAVAILABLE, "database_unavailable")),
    (OSError, (HTTPStatus.SERVICE_UNAVAILABLE, "database_unavailable")),
)
# What reading JSON raises: nested too deep, or no UTF-8, are the last two.
MISREAD = (msgspec.MsgspecError, RecursionError, UnicodeDecodeError)
CODES = {
    HTTPStatus.UNAUTHORIZED: "no_key",
    HTTPStatus.FORBIDDEN: "missing_right",
    HTTPStatus.NOT_FOUND: "unknown_path",
    HTTPStatus.METHOD_NOT_ALLOWED: "wrong_method",
    HTTPStatus.REQUEST_TIMEOUT: "too_slow",
    HTTPStatus.REQUEST_ENTITY_TOO_LARGE: "too_large",
    HTTPStatus.UNSUPPORTED_MEDIA_TYPE: "not_json",
    HTTPStatus.TOO_MANY_REQUESTS: "too_many",
}


class Refusal(Exception):
    """A request that the service itself refuses."""

    def __init__(self, status: HTTPStatus, message: str, **headers: str) -> None:
        super().__init__(message)
        self.status, self.headers = status, headers


def refused(error: Exception) -> tuple[HTTPStatus, Problem, dict[str, str]]:
    """The status, what is told, and headers of the answer to a request that failed.

    Examples
    --------
    >>> refused(InvalidInput("value", "a number", "x"))[1].parameter
    'value'
    """
    if isinstance(error, Refusal):
        return error.status, Problem(CODES[error.status], str(error)), error.headers
    if isinstance(error, HTTPException):
        status = HTTPStatus(error.status_code)
        code = CODES.get(status, "refused")
        return status, Problem(code, str(error.detail)), dict(error.headers or {})
    if isinstance(error, MISREAD):
        return HTTPStatus.BAD_REQUEST, _misread(error), {}
    known = next((found for kind, found in KINDS if isinstance(error, kind)), None)
    if known is None:
        told = "the server failed; its log says why"
        return HTTPStatus.INTERNAL_SERVER_ERROR, Problem("failed", told), {}
    status, code = known
    again = {"Retry-After": RETRY_AFTER} if status == HTTPStatus.SERVICE_UNAVAILABLE else {}
    return status, Problem(code, _told(error), getattr(error, "parameter", None)), again


def _told(error: Exception) -> str:
    # Paths and addresses of the server are nobody's business.
    if isinstance(error, OSError):
        return f"the server cannot reach its data: {error.strerror or 'input or output failed'}"
    if isinstance(error, StoreError):
        return "the database of this loop cannot be used now: repeat it with the same event or key"
    return str(error)


def _misread(error: Exception) -> Problem:
    """What msgspec found wrong, such as "Expected `str`, got `int` - at `$.event`"."""
    what, _, where = str(error).partition(" - at `")
    place = where.rstrip("`").removeprefix("$").removeprefix(".")
    parameter = place or "body"
    return Problem("invalid_input", f"'{parameter}' was not understood: {what}", parameter)
