"""uvicorn's HTTP, with limits on how long and how large the head of a request may be."""

from __future__ import annotations

import asyncio
from typing import Any

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

# In bytes; a proxy allows 8,000 to 32,000.
LARGEST_HEAD = 64_000


class LimitedProtocol(HttpToolsProtocol):
    """Cuts off who sends the head of a request for ever; bodies are the application's matter."""

    # Seconds until a head has come, from the beginning of the connection or of the request.
    patience = 30.0

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self._is_in_head, self._head = True, 0
        self._timer: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._have_patience()

    def connection_lost(self, exc: Exception | None) -> None:
        self._end()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        if self._is_in_head:
            self._head += len(data)
            self._have_patience()
            if self._head > LARGEST_HEAD:
                self._cut_off()

    def on_message_begin(self) -> None:
        super().on_message_begin()
        self._is_in_head = True

    def on_headers_complete(self) -> None:
        self._end()
        super().on_headers_complete()

    def shutdown(self) -> None:
        """End what would never end by itself; everything else is answered first."""
        if self.cycle is not None and self.cycle.scope.get("endless"):
            self.transport.close()
        else:
            super().shutdown()

    def _have_patience(self) -> None:
        """With a head that did not come at once; most do."""
        if self._timer is None:
            self._timer = self.loop.call_later(self.patience, self._cut_off)

    def _end(self) -> None:
        self._is_in_head, self._head = False, 0
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _cut_off(self) -> None:
        self._end()
        self.transport.abort()
