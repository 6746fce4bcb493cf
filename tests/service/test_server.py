"""`hybandit serve` as a process on a free port of this machine."""

import os
import signal
import time
from concurrent.futures import ThreadPoolExecutor

import httpx2 as httpx
import pytest
from serving import PATIENCE, served

from hybandit.loop import Loops
from hybandit.service.server import run

RANK = "/v1/loops/tea/rank"


def test_a_server_ranks_learns_ends_gracefully_and_has_lost_nothing(tmp_path):
    (tmp_path / "serve.toml").write_text('[loops.tea]\nwait = "1 day"\n[limits]\nactions = 5\n')
    with served(tmp_path, "--config", "serve.toml") as (client, server):
        assert client.get("/v1/loops").json() == {"loops": ["tea"]}
        assert client.post(RANK, json={"actions": list("abcdef")}).status_code == 400
        client.put("/v1/loops/now", json={"settings": {"wait": None}})
        event = client.post("/v1/loops/now/rank", json={"actions": ["a", "b"]}).json()["event"]
        client.post("/v1/loops/now/reward", json={"event": event, "value": 1})
        deadline = time.monotonic() + PATIENCE
        while client.get(f"/v1/loops/now/events/{event}").json()["learned"] != 1:
            assert time.monotonic() < deadline
            time.sleep(0.05)
        acknowledged = under_load_until_it_ends(client, server)
        # Uvicorn closes everything, and then ends by the signal that it got.
        assert server.wait(PATIENCE) == -signal.SIGTERM
        assert "Application shutdown complete" in (tmp_path / "server.log").read_text()
    assert len(acknowledged) > 5
    with Loops(tmp_path / "loops", learn=False) as loops:
        assert set(acknowledged) <= set(loops["tea"].events().event)
        assert loops["now"].wait_for()
        assert loops["now"].explain(event).learned == 1


def under_load_until_it_ends(client, server):
    """Events of the calls that were answered while the server was told to end."""
    acknowledged = []

    def work(part):
        for number in range(1_000):
            event = f"{part}-{number}"
            try:
                answer = client.post(RANK, json={"actions": ["a", "b"], "event": event})
            except httpx.TransportError:
                return
            if answer.status_code == 201:
                acknowledged.append(event)
            if len(acknowledged) == 20:
                server.send_signal(signal.SIGTERM)

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(work, range(4)))
    return acknowledged


def options(**changes):
    return {"config": None, "keys": None, "host": "127.0.0.1", "port": 0, "workers": 1, **changes}


@pytest.mark.parametrize(
    ("changes", "told"),
    [({"host": "0.0.0.0"}, "'host' must be this machine's own"), ({"workers": 2}, "PostgreSQL")],
)
def test_what_would_be_unsafe_is_refused(tmp_path, changes, told):
    from hybandit.errors import InvalidInput

    with pytest.raises(InvalidInput, match=told):
        run(str(tmp_path), **options(**changes))


def test_a_key_is_shown_once_on_the_command_line(tmp_path):
    from typer.testing import CliRunner

    from hybandit.cli import app
    from hybandit.service.keys import Keys

    path = tmp_path / "keys.json"
    words = ["serve", "key", "add", "shop", "--keys", str(path), "--loops", "tea,coffee"]
    shown = CliRunner().invoke(app, words)
    assert shown.exit_code == 0, shown.output
    key = Keys(path).find(shown.stdout.strip())
    assert (key.name, key.loops, key.rights) == ("shop", ["tea", "coffee"], ["rank", "reward"])
    assert os.listdir(tmp_path) == ["keys.json"]
