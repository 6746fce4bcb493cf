"""A loop behind gunicorn and uvicorn, each with two workers."""

import json
import os
import socket
import subprocess
import sys
import time
import urllib.request
from collections import Counter
from concurrent.futures import ThreadPoolExecutor

import pytest

from hybandit import Loop

pytestmark = pytest.mark.slow
WSGI = """
import json, os, sys
import hybandit

loop = hybandit.Loop(os.environ["LOOP"], wait=None)


def app(environment, start_response):
    event = environment["QUERY_STRING"]
    decision = loop.rank({"hour": 7}, ["a", "b"], event=event)
    loop.reward(decision.event, 1.0)
    loop.wait_for()
    status = loop.status()
    answer = {"process": os.getpid(), "parent": os.getppid(), "here": status.here,
              "version": status.version, "error": status.error}
    start_response("200 OK", [("Content-Type", "application/json")])
    return [json.dumps(answer).encode()]
"""
ASGI = """
import asyncio
from wsgi import app as answered

async def app(scope, receive, send):
    if scope["type"] == "lifespan":
        for kind in ("startup", "shutdown"):
            await receive()
            await send({"type": f"lifespan.{kind}.complete"})
        return
    query = {"QUERY_STRING": scope["query_string"].decode()}
    (body,) = await asyncio.to_thread(answered, query, lambda *_: None)
    await send({"type": "http.response.start", "status": 200, "headers": []})
    await send({"type": "http.response.body", "body": body})
"""
PATIENCE = 120.0


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def asked(port, event):
    with urllib.request.urlopen(f"http://127.0.0.1:{port}/?{event}", timeout=PATIENCE) as answer:
        return json.load(answer)


def answers(command, port, url, folder):
    """What 40 requests are told, eight at a time."""
    (folder / "wsgi.py").write_text(WSGI)
    (folder / "asgi.py").write_text(ASGI)
    server = subprocess.Popen(
        [sys.executable, "-m", *command], cwd=folder, env={**os.environ, "LOOP": url}
    )
    try:
        deadline = time.monotonic() + PATIENCE
        while True:
            try:
                asked(port, "first")
                break
            except OSError:
                assert server.poll() is None, "the server ended"
                assert time.monotonic() < deadline, "the server does not answer"
                time.sleep(0.1)
        with ThreadPoolExecutor(8) as pool:
            return list(pool.map(lambda number: asked(port, f"e{number}"), range(40)))
    finally:
        server.terminate()
        assert server.wait(PATIENCE) in (0, -15)


def check(found, url):
    assert len(Counter(answer["process"] for answer in found)) == 2, "one worker did all"
    for answer in found:
        assert answer["error"] is None
        assert answer["here"] > 0, "a worker does not learn"
    with Loop(url, wait=None) as loop:
        assert loop.wait_for(timeout=PATIENCE)
        assert loop.version == 41
        assert all(difference == 0.0 for _, difference in loop.verify())


def test_gunicorn_that_loads_the_application_before_it_forks(url, tmp_path):
    pytest.importorskip("gunicorn", reason="gunicorn is not installed: pip install '.[test]'")
    port = free_port()
    command = ["gunicorn", "--preload", "--workers", "2", "--bind", f"127.0.0.1:{port}"]
    check(answers([*command, "--log-level", "warning", "wsgi:app"], port, url, tmp_path), url)


def test_uvicorn_with_workers(tmp_path):
    pytest.importorskip("uvicorn", reason="uvicorn is not installed: pip install '.[test]'")
    port, url = free_port(), str(tmp_path / "loop.db")
    command = ["uvicorn", "--workers", "2", "--port", str(port), "--log-level", "warning"]
    check(answers([*command, "asgi:app"], port, url, tmp_path), url)
