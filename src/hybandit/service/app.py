"""The ASGI application: it reads a request, asks for its right, and has the work done."""

from __future__ import annotations

import asyncio
import logging
from collections import defaultdict
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from http import HTTPStatus
from inspect import iscoroutinefunction
from typing import Any

import anyio
import msgspec
from anyio import to_thread
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.routing import Route
from starlette.types import Receive, Scope, Send

from hybandit.loop import Loops
from hybandit.service import documentation, personalizer
from hybandit.service.calls import Call
from hybandit.service.guard import Guard, Reads, reads
from hybandit.service.keys import ALL, Keys
from hybandit.service.limits import Limits
from hybandit.service.metrics import Metrics
from hybandit.service.observing import Observed
from hybandit.service.operations import LOOP, OPERATIONS, Operation, own_shape
from hybandit.service.page.pages import Pages
from hybandit.service.refusals import Refusal, refused

Endpoint = Callable[[Request], Awaitable[Response]]
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
    return Starlette(
        routes=[*service.routes(), *documentation.routes(), *service.pages.routes()],
        lifespan=service.lifespan,
        middleware=[Middleware(Observed, service.metrics)],
        exception_handlers={HTTPException: service.unrouted},
    )


class Service:
    """What all requests share."""

    def __init__(self, loops: Loops, keys: Keys | None, limits: Limits) -> None:
        self.loops, self.limits = loops, limits
        self.metrics, self.guard = Metrics(loops), Guard(keys, limits.rate)
        self.pages = Pages(loops, self.guard, latency=self._latency)

    @asynccontextmanager
    async def lifespan(self, app: Starlette) -> AsyncIterator[None]:
        await to_thread.run_sync(self._open)
        try:
            yield
        finally:
            with anyio.CancelScope(shield=True):
                await to_thread.run_sync(self.loops.close)

    def routes(self) -> list[Route]:
        """A route for each path, so that a wrong method is told all the right ones."""
        paths: defaultdict[str, dict[str, Endpoint]] = defaultdict(dict)
        for each in OPERATIONS:
            paths[each.path][each.method] = self.endpoint(each)
        return [
            Route(path, Resource(endpoints), methods=list(endpoints))
            for path, endpoints in paths.items()
        ]

    def endpoint(self, operation: Operation) -> Endpoint:
        """What answers the requests of one route."""
        works_here = iscoroutinefunction(operation.work)

        async def answer(request: Request) -> Response:
            request.scope["operation"] = operation
            try:
                may_read = await self._authorised(request, operation)
                call = Call(
                    self.loops,
                    self.limits,
                    self.metrics,
                    may_read,
                    request.path_params,
                    await self._body(request, operation.body),
                    _query(request, operation.query),
                    _once(request),
                )
                if works_here:
                    document = await operation.work(call)
                else:
                    document = await to_thread.run_sync(operation.work, call)
            except Exception as error:
                return _refuse(error, operation.refusal)
            return _answered(operation.status, document, media=operation.media)

        return answer

    async def unrouted(self, request: Request, error: Exception) -> Response:
        """The answer to a path or method that is not there."""
        is_personalizers = "/personalizer/" in request.url.path
        return _refuse(error, personalizer.refusal() if is_personalizers else own_shape)

    def _latency(self) -> str | None:
        """How long decisions take over HTTP, in this process."""
        half, most = (self.metrics.within("POST", f"{LOOP}/rank", share) for share in (0.5, 0.99))
        if half is None or most is None:
            return None
        return f"half within {1000 * half:g} ms, 99 % within {1000 * most:g} ms"

    def _open(self) -> None:
        """Open all loops, so that they learn; one that is damaged does not stop the others."""
        for name in self.loops.names():
            try:
                self.loops[name]
            except Exception:
                LOG.exception("the loop %s cannot be opened", name)

    async def _authorised(self, request: Request, operation: Operation) -> Reads:
        """Whose loops the caller may read, if he has the right that is asked for."""
        right = operation.right
        if right is None:
            return lambda name: False
        loop = ALL if operation.everywhere else request.path_params.get("name")
        return reads(await self.guard.check(request, _secret(request), right, loop))

    async def _body(self, request: Request, kind: type | None) -> Any:
        if kind is None:
            return None
        if request.headers.get("content-type", "").partition(";")[0].strip().lower() != JSON:
            told = f"a body needs the header Content-Type: {JSON}"
            raise Refusal(HTTPStatus.UNSUPPORTED_MEDIA_TYPE, told)
        parts, size = [], 0
        try:
            async with asyncio.timeout(self.limits.seconds):
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


class Resource:
    """What answers at one path, by method.

    A function would get Starlette's own care for errors in between; these endpoints raise none.
    """

    def __init__(self, endpoints: dict[str, Endpoint]) -> None:
        self._endpoints = endpoints
        if "GET" in endpoints:
            endpoints["HEAD"] = endpoints["GET"]

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        response = await self._endpoints[scope["method"]](Request(scope, receive, send))
        await response(scope, receive, send)


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


def _answered(
    status: HTTPStatus,
    document: Any,
    headers: dict[str, str] | None = None,
    media: str | None = None,
) -> Response:
    if document is None:
        return Response(status_code=status, headers=headers)
    if media is not None:
        return Response(document, status, headers, media_type=media)
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
