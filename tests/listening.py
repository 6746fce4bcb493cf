"""An application behind a real socket of this machine, as `hybandit serve` runs it."""

import threading
import time
from contextlib import contextmanager

import uvicorn

from hybandit.service.protocol import LimitedProtocol


@contextmanager
def listening(app, http=LimitedProtocol):
    """The address at which it answers."""
    config = uvicorn.Config(app, port=0, http=http, ws="none", log_config=None)
    server = uvicorn.Server(config)
    thread = threading.Thread(target=server.run)
    thread.start()
    try:
        while not server.started:
            assert thread.is_alive()
            time.sleep(0.01)
        yield f"http://127.0.0.1:{server.servers[0].sockets[0].getsockname()[1]}"
    finally:
        server.should_exit = True
        thread.join()
