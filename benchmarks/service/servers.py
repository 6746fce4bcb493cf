"""Servers as processes of their own, and what processors and memory they take."""

import re
import subprocess
import sys
import tempfile
import time
from contextlib import contextmanager
from pathlib import Path

import psutil

PATIENCE = 600.0
ECHO = [
    sys.executable, "-m", "uvicorn", "benchmarks.service.echo:app", "--port", "0",
    "--http", "hybandit.service.protocol:LimitedProtocol", "--no-access-log",
]  # fmt: skip


@contextmanager
def running(command, **options):
    """A server that was started; its port and process."""
    with tempfile.NamedTemporaryFile("r", suffix=".log") as log:
        with Path(log.name).open("w") as written:
            server = subprocess.Popen(command, stdout=written, stderr=written, **options)
        try:
            yield _port(server, log), server
        finally:
            server.terminate()
            server.wait(PATIENCE)


def serving(place, *options):
    """The command that serves these loops."""
    words = ["--db", str(place), "--port", "0", "--log-level", "warning", *options]
    return [sys.executable, "-c", "from benchmarks.service.servers import told; told()", *words]


def told():
    """`hybandit serve`, which without its log does not tell its port: it is told here."""
    import uvicorn

    startup = uvicorn.Server.startup

    async def starting(self, sockets=None):
        await startup(self, sockets)
        ports = [sock.getsockname()[1] for server in self.servers for sock in server.sockets]
        print(f"http://127.0.0.1:{ports[0]}", flush=True)

    uvicorn.Server.startup = starting
    sys.argv = ["hybandit", "serve", *sys.argv[1:]]
    from hybandit.__main__ import main

    main()


def processes(server):
    """The process and all that it started."""
    parent = psutil.Process(server.pid)
    return [parent, *parent.children(recursive=True)]


def processor_seconds(server):
    """CPU seconds of a server with its workers."""
    return sum(sum(each.cpu_times()[:2]) for each in processes(server))


def _port(server, log):
    deadline = time.monotonic() + PATIENCE
    while time.monotonic() < deadline:
        log.seek(0)
        text = log.read()
        if found := re.search(r"http://127\.0\.0\.1:(\d+)", text):
            return int(found[1])
        if server.poll() is not None:
            raise RuntimeError(text)
        time.sleep(0.05)
    raise RuntimeError(text)
