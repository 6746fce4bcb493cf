"""The ASGI application: it reads a request, asks for its right, and lets a thread do the work."""

from __future__ import annotations

import ipaddress
import logging
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from http import HTTPStatus
from typing import Any

import anyio
import msgspec
from anyio import to_thread
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.routing import Route

from hybandit.loop import Loops
from hybandit.service.calls import Call
from hybandit.service.keys import READ, Keys
from hybandit.service.limits import Limits
from hybandit.service.operations import OPERATIONS, Operation, own_shape
from hybandit.service.refusals import Refusal, refused

LOG = logging.getLogger("hybandit.service")
JSON = "application/json"
# Headers with the caller's own mark of a request; the second is that of Personalizer's clients.
ONCE = ("idempotency-key", "x-ms-client-request-id")


def create_app(
    loops: Loops, *, keys: Keys | None = None, limits: Limits | None = None
) -> Starlette:
    """The service over loops, which it opens when it starts and closes when it ends.

    Without keys everybody may do everything, but only from this machine.

    Examples
    --------
    >>> import tempfile
    >>> from starlette.testclient import TestClient
    >>> folder = tempfile.TemporaryDirectory()
    >>> with TestClient(create_app(Loops(folder.name)), "http://localhost") as client:
    ...     made = client.put("/v1/loops/tea", json={"settings": {"wait": None}})
    ...     client.post("/v1/loops/tea/rank", json={"actions": ["green"]}).json()["action"]
    'green'
    >>> folder.cleanup()
    """
    service = Service(loops, keys, limits or Limits())
    routes = [
        Route(each.path, service.endpoint(each), methods=[each.method]) for each in OPERATIONS
    ]
    return Starlette(
        routes=routes,
        lifespan=service.lifespan,
        exception_handlers={HTTPException: service.unrouted},
    )


class Service:
    """What all requests share."""

    def __init__(self, loops: Loops, keys: Keys | None, limits: Limits) -> None:
        self.loops, self.keys, self.limits = loops, keys, limits

    @asynccontextmanager
    async def lifespan(self, app: Starlette) -> AsyncIterator[None]:
        await to_thread.run_sync(self._open)
        try:
            yield
        finally:
            with anyio.CancelScope(shield=True):
                await to_thread.run_sync(self.loops.close)

    def endpoint(self, operation: Operation) -> Callable[[Request], Awaitable[Response]]:
        """What answers the requests of one route."""

        async def answer(request: Request) -> Response:
            request.scope["operation"] = operation
            try:
                may_read = self._authorised(request, operation.right)
                call = Call(
                    self.loops,
                    self.limits,
                    may_read,
                    request.path_params,
                    await self._body(request, operation.body),
                    _query(request, operation.query),
                    _once(request),
                )
                document = await to_thread.run_sync(operation.work, call)
            except Exception as error:
                return _refuse(error, operation.refusal)
            return _answered(operation.status, document)

        return answer

    async def unrouted(self, request: Request, error: Exception) -> Response:
        """The answer to a path or method that is not there."""
        return _refuse(error)

    def _open(self) -> None:
        """Open all loops, so that they learn; one that is damaged does not stop the others."""
        for name in self.loops.names():
            try:
                self.loops[name]
            except Exception:
                LOG.exception("the loop %s cannot be opened", name)

    def _authorised(self, request: Request, right: str | None) -> Callable[[str], bool]:
        """Whose loops the caller may read, if he has the right that is asked for."""
        if right is None:
            return lambda name: False
        if self.keys is None:
            if not is_loopback(request.url.hostname or ""):
                told = "without keys this server answers only to localhost: start it with --keys"
                raise Refusal(HTTPStatus.FORBIDDEN, told)
            return lambda name: True
        secret = _secret(request)
        key = None if secret is None else self.keys.find(secret)
        if key is None:
            told = "this server needs a key that is valid now: Authorization: Bearer KEY"
            raise Refusal(HTTPStatus.UNAUTHORIZED, told, **{"WWW-Authenticate": "Bearer"})
        request.scope["key"] = key.name
        if not key.may(right, request.path_params.get("name")):
            raise Refusal(HTTPStatus.FORBIDDEN, f"this key lacks the right {right!r} here")
        return lambda name: key.may(READ, name)

    async def _body(self, request: Request, kind: type | None) -> Any:
        if kind is None:
            return None
        if request.headers.get("content-type", "").partition(";")[0].strip().lower() != JSON:
            told = f"a body needs the header Content-Type: {JSON}"
            raise Refusal(HTTPStatus.UNSUPPORTED_MEDIA_TYPE, told)
        parts, size = [], 0
        try:
            with anyio.fail_after(self.limits.seconds):
                async for part in request.stream():
                    parts.append(part)
                    size += len(part)
                    if size > self.limits.body:
                        told = f"a body has at most {self.limits.body:,} bytes"
                        raise Refusal(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, told, Connection="close")
        except TimeoutError:
            told = f"the body did not come within {self.limits.seconds:g} seconds"
            raise Refusal(HTTPStatus.REQUEST_TIMEOUT, told, Connection="close") from None
        except ClientDisconnect:
            raise Refusal(HTTPStatus.REQUEST_TIMEOUT, "the client went away") from None
        return msgspec.json.decode(b"".join(parts), type=kind)


def is_loopback(host: str) -> bool:
    """Whether a host's name or address means this machine.

    Examples
    --------
    >>> is_loopback("localhost"), is_loopback("127.0.0.1"), is_loopback("0.0.0.0")
    (True, True, False)
    """
    try:
        return host == "localhost" or ipaddress.ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return False


def _secret(request: Request) -> str | None:
    kind, _, secret = request.headers.get("authorization", "").partition(" ")
    if kind.lower() == "bearer":
        return secret.strip()
    return request.headers.get("ocp-apim-subscription-key")


def _once(request: Request) -> str | None:
    return next((request.headers[name] for name in ONCE if name in request.headers), None)


def _query(request: Request, kind: type | None) -> Any:
    if kind is None:
        return None
    return msgspec.convert(dict(request.query_params), kind, strict=False)


def _answered(status: HTTPStatus, document: Any, headers: dict[str, str] | None = None) -> Response:
    if document is None:
        return Response(status_code=status, headers=headers)
    content = msgspec.json.encode(document, enc_hook=_plain)
    return Response(content, status, headers, media_type=JSON)


def _plain(value: Any) -> Any:
    """Numbers of NumPy's, and moments of pandas'."""
    return value.item() if hasattr(value, "item") else value.isoformat()


def _refuse(error: Exception, shape: Callable[[HTTPStatus, Any], Any] = own_shape) -> Response:
    status, problem, headers = refused(error)
    if status >= HTTPStatus.INTERNAL_SERVER_ERROR:
        LOG.error("a request failed", exc_info=error)
    return _answered(status, shape(status, problem), headers)
