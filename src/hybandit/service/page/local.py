"""Pages for whoever is on this machine, served beside other work."""

from __future__ import annotations

import logging
import time
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Thread

import uvicorn
from starlette.applications import Starlette

from hybandit.errors import HybanditError, UnknownName
from hybandit.loop import Loop
from hybandit.service.guard import Guard
from hybandit.service.limits import Limits
from hybandit.service.page import assets
from hybandit.service.page.pages import Pages, Raced

HOST = "127.0.0.1"
# Seconds to wait for the server to begin.
PATIENCE = 30.0


class OneLoop:
    """A loop that is open, by the only name there is."""

    def __init__(self, name: str, loop: Loop) -> None:
        self._name, self._loop = name, loop

    def names(self) -> list[str]:
        return [self._name]

    def __getitem__(self, name: str) -> Loop:
        if name != self._name:
            raise UnknownName(f"no loop is called {name!r}")
        return self._loop


@contextmanager
def shown(name: str, loop: Loop, *, port: int = 0, race: Raced | None = None) -> Iterator[str]:
    """The page of a loop, only to look at, while the block runs; gives its address."""
    pages = Pages(OneLoop(name, loop), Guard(None, Limits().rate), read_only=True, race=race)
    config = uvicorn.Config(
        Starlette(routes=list(pages.routes())), host=HOST, port=port, ws="none", lifespan="off",
        http="hybandit.service.protocol:LimitedProtocol", log_config=None, access_log=False,
        server_header=False, timeout_graceful_shutdown=1,
    )  # fmt: skip
    assets.prepare()
    logging.getLogger("uvicorn.error").setLevel(logging.CRITICAL)
    server = uvicorn.Server(config)
    thread = Thread(target=server.run, name="hybandit-page", daemon=True)
    thread.start()
    try:
        deadline = time.monotonic() + PATIENCE
        while not server.started:
            if not thread.is_alive() or time.monotonic() > deadline:
                raise HybanditError(f"no page can be served at {HOST}:{port}: is the port taken?")
            time.sleep(0.01)
        place = server.servers[0].sockets[0].getsockname()[1]
        yield f"http://{HOST}:{place}/loops/{name}"
    finally:
        server.should_exit = True
        thread.join()
