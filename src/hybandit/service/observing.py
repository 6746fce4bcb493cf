"""Every request gets an id, is counted, and leaves a line in the log."""

from __future__ import annotations

import logging
import re
from http import HTTPStatus
from secrets import token_hex
from time import perf_counter
from typing import Any

from starlette.datastructures import Headers
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from hybandit.loop.loops import NAME
from hybandit.service.logs import REQUEST
from hybandit.service.metrics import Metrics

LOG = logging.getLogger("hybandit.service")
HEADER = "x-request-id"
# An id of the caller's is taken if it can be nothing but an id.
SENSIBLE = re.compile(r"[A-Za-z0-9._-]{1,64}", re.ASCII)
# The route of a request that has none; paths themselves may tell of a person, so are not told.
ELSEWHERE = "elsewhere"


class Observed:
    """Around the application: ids, metrics and the log of requests."""

    def __init__(self, app: ASGIApp, metrics: Metrics) -> None:
        self._app, self._metrics = app, metrics

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        given = Headers(scope=scope).get(HEADER, "")
        request = given if SENSIBLE.fullmatch(given) else token_hex(16)
        token, started = REQUEST.set(request), perf_counter()
        status = int(HTTPStatus.INTERNAL_SERVER_ERROR)

        async def answer(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                named = (HEADER.encode(), request.encode())
                message["headers"] = [*message["headers"], named]
            await send(message)

        try:
            await self._app(scope, receive, answer)
        finally:
            self._tell(scope, status, perf_counter() - started)
            REQUEST.reset(token)

    def _tell(self, scope: Scope, status: int, seconds: float) -> None:
        operation = scope.get("operation")
        route = ELSEWHERE if operation is None else operation.path
        method = scope["method"] if operation is not None else ELSEWHERE
        self._metrics.count(method, route, status, seconds)
        if LOG.isEnabledFor(logging.INFO):
            fields: dict[str, Any] = {
                "method": scope["method"], "route": route, "status": status,
                "seconds": round(seconds, 6), "key": scope.get("key"),
            }  # fmt: skip
            loop = scope.get("path_params", {}).get("name", "")
            if NAME.fullmatch(loop):
                fields["loop"] = loop
            LOG.info("request", extra={"fields": fields})
