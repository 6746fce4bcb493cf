"""Metrics, logs and request ids, in one process."""

import json
import logging
import re

import pytest
from starlette.testclient import TestClient

from hybandit.errors import StoreError
from hybandit.loop import Loop
from hybandit.service.app import create_app
from hybandit.service.keys import Keys
from hybandit.service.logs import JSONLines, settings

RANK = "/v1/loops/tea/rank"
PERSON = "person-7431"


@pytest.fixture
def lines():
    """What is logged, as the lines that a server would write."""
    written, handler = [], logging.Handler()
    handler.emit = lambda record: written.append(JSONLines().format(record))
    logger = logging.getLogger("hybandit")
    logger.addHandler(handler)
    logger.setLevel(logging.INFO)
    yield written
    logger.removeHandler(handler)
    logger.setLevel(logging.NOTSET)


def sample(text, name, **labels):
    """The value of one sample in Prometheus' text."""
    wanted = {f'{key}="{value}"' for key, value in labels.items()}
    for found in re.finditer(rf"^{name}{{(.*)}} (\S+)$", text, re.MULTILINE):
        if set(found[1].split(",")) == wanted:
            return float(found[2])
    return None


def test_metrics_count_requests_by_route_and_status_and_loops_by_the_database(tea, loops):
    for number in range(3):
        tea.post(RANK, json={"actions": ["a"], "event": f"e{number}"})
    tea.post(RANK, json={})
    tea.get("/nowhere")
    tea.post("/v1/loops/tea/reward", json={"event": "e0", "value": 1})
    assert loops["tea"].wait_for()
    answer = tea.get("/metrics")
    assert answer.headers["content-type"].startswith("text/plain; version=0.0.4")
    text, route = answer.text, "/v1/loops/{name}/rank"
    requests = {"name": "hybandit_requests_total", "method": "POST", "route": route}
    assert sample(text, **requests, status=201) == 3.0
    assert sample(text, **requests, status=400) == 1.0
    elsewhere = {"method": "elsewhere", "route": "elsewhere", "status": 404}
    assert sample(text, "hybandit_requests_total", **elsewhere) == 1.0
    assert sample(text, "hybandit_request_seconds_count", method="POST", route=route) == 4.0
    told = {
        name: sample(text, f"hybandit_loop_{name}", loop="tea")
        for name in ("events_total", "rewards_total", "closed_total", "version", "lag", "waiting")
    }
    assert told == {
        "events_total": 3.0, "rewards_total": 1.0, "closed_total": 1.0, "version": 1.0,
        "lag": 0.0, "waiting": 2.0,
    }  # fmt: skip


def test_a_damaged_loop_does_not_hide_the_metrics_of_the_others(tea, loops, tmp_path):
    (tmp_path / "loops" / "broken.db").write_bytes(b"no database at all, but long enough for one")
    text = tea.get("/metrics").text
    assert sample(text, "hybandit_loop_version", loop="tea") == 0.0
    assert sample(text, "hybandit_loop_version", loop="broken") is None


@pytest.mark.parametrize(
    ("sent", "is_taken"),
    [("a1.B-2_c", True), ("", False), ("x" * 65, False), ('"; drop', False), ("ä", False)],
)
def test_a_sensible_request_id_is_taken_and_answered(tea, lines, sent, is_taken):
    answer = tea.get("/v1/loops", headers={"X-Request-Id": sent.encode()})
    told = answer.headers["x-request-id"]
    assert (told == sent) == is_taken
    assert re.fullmatch(r"[A-Za-z0-9._-]{1,64}", told)
    (line,) = map(json.loads, lines)
    assert (line["request"], line["message"], line["status"]) == (told, "request", 200)


def test_a_line_has_route_loop_key_and_time(loops, tmp_path, lines):
    keys = Keys(tmp_path / "keys.json")
    loops.create("tea", wait=None)
    headers = {"Authorization": f"Bearer {keys.add('shop')}"}
    with TestClient(create_app(loops, keys=keys)) as client:
        client.post(RANK, json={"actions": ["a"]}, headers=headers)
    line = json.loads(lines[-1])
    assert line.pop("seconds") > 0.0
    assert line.pop("time").endswith("+00:00")
    assert line.pop("request")
    assert line == {
        "level": "info", "logger": "hybandit.service", "message": "request", "method": "POST",
        "route": "/v1/loops/{name}/rank", "status": 201, "key": "shop", "loop": "tea",
    }  # fmt: skip


def test_no_key_and_nothing_of_a_person_is_in_the_log(loops, tmp_path, lines, monkeypatch):
    keys = Keys(tmp_path / "keys.json")
    secret = keys.add("shop")
    loops.create("tea", wait=None)
    body = {"context": {"name": PERSON}, "actions": [PERSON, "b"], "event": PERSON}
    with TestClient(create_app(loops, keys=keys), raise_server_exceptions=False) as client:
        for header in (f"Bearer {secret}", f"Bearer {secret}x", secret):
            client.headers["Authorization"] = header
            client.post(RANK, json=body)
            client.post(RANK, json={**body, "context": {"name": [PERSON, 1e300]}})
            client.post(f"/v1/loops/{PERSON}%20/rank", json=body)
            client.get(f"/v1/loops/tea/events/{PERSON}")
            client.get(f"/{PERSON}/{secret}?key={secret}")
            client.put("/v1/loops/new", json={"settings": {"policy": PERSON}})
        client.headers["Authorization"] = f"Bearer {secret}"
        for error in failures():
            monkeypatch.setattr(Loop, "rank_async", raising(error))
            assert client.post(RANK, json=body).status_code >= 500
    text = "\n".join(lines)
    assert len(lines) > 18
    assert PERSON not in text
    assert secret not in text
    kinds = [each["kind"] for line in lines for each in json.loads(line).get("errors", ())]
    assert {"StoreError", "KeyError", "IntegrityError"} <= set(kinds)
    assert "no space left" in text


def failures():
    """Errors as they come, some of which quote what was stored."""
    import sqlite3

    import sqlalchemy

    quoting = sqlalchemy.exc.IntegrityError(f"INSERT {PERSON}", {"context": PERSON}, Exception())
    stored = StoreError(f"the loop cannot be written: no space left\nDETAIL: {PERSON}")
    stored.__cause__ = quoting
    return stored, KeyError(PERSON), sqlite3.OperationalError(PERSON), ValueError(PERSON)


def raising(error):
    def fail(*_, **__):
        raise error

    return fail


def test_all_loggers_write_such_lines(capsys):
    import logging.config

    wanted = settings("warning")
    assert wanted["loggers"]["hybandit"]["level"] == "WARNING"
    names = ["uvicorn", "hybandit", None]
    before = [(logging.getLogger(name), logging.getLogger(name).handlers[:]) for name in names]
    levels = [logger.level for logger, _ in before]
    try:
        logging.config.dictConfig(wanted)
        for name in ("uvicorn.error", "hybandit.service", "py.warnings"):
            logging.getLogger(name).warning("told")
        found = [json.loads(line) for line in capsys.readouterr().err.splitlines()]
        assert [each["message"] for each in found] == ["told"] * 3
    finally:
        for (logger, handlers), level in zip(before, levels, strict=True):
            logger.handlers[:], logger.propagate = handlers, True
            logger.setLevel(level)
