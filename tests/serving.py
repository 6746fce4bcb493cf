"""`hybandit serve` as a process on a free port of this machine."""

import re
import subprocess
import sys
import time
from contextlib import contextmanager

import httpx2 as httpx

PATIENCE = 90.0


@contextmanager
def served(folder, *options):
    """A running server; its client, and its process."""
    log = folder / "server.log"
    command = [sys.executable, "-m", "hybandit", "serve", "--port", "0", *options]
    with log.open("w") as file:
        server = subprocess.Popen(command, cwd=folder, stderr=file, stdout=file)
    try:
        deadline = time.monotonic() + PATIENCE
        while not (found := re.search(r"http://127\.0\.0\.1:(\d+)", log.read_text())):
            assert server.poll() is None, log.read_text()
            assert time.monotonic() < deadline, log.read_text()
            time.sleep(0.1)
        with httpx.Client(base_url=found[0], timeout=PATIENCE) as client:
            yield client, server
    finally:
        server.kill()
        server.wait(PATIENCE)
