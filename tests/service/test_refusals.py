"""What the service refuses: one shape, nothing changed."""

import json

import pytest
from starlette.testclient import TestClient

from hybandit.errors import InvalidInput, StoreError
from hybandit.loop import Loop, Loops
from hybandit.service.app import create_app
from hybandit.service.keys import Keys
from hybandit.service.limits import Limits

HEADERS = {"Content-Type": "application/json"}
RANK = "/v1/loops/tea/rank"
BAD_BODIES = {
    "no JSON": b"{",
    "nothing": b"",
    "a list": b"[]",
    "NaN": b'{"actions": ["a"], "context": {"x": NaN}}',
    "huge": b'{"actions": ["a"], "context": {"x": 1e999}}',
    "huge integer": b'{"actions": ["a"], "context": {"x": ' + b"9" * 5000 + b"}}",
    "deep": b'{"actions": ["a"], "context": {"x": ' + b"[" * 10_000 + b"]" * 10_000 + b"}}",
    "40 deep": b'{"actions": ["a"], "context": {"x": ' + b"[" * 40 + b"]" * 40 + b"}}",
    "lone surrogate": b'{"actions": ["\\ud800"]}',
    "not UTF-8": b'{"actions": ["\xff"]}',
    "NUL": b'{"actions": ["a\\u0000"]}',
    "no actions": b'{"context": {}}',
    "unknown field": b'{"actions": ["a"], "colour": 1}',
    "wrong type": b'{"actions": ["a"], "event": 5}',
    "long name": json.dumps({"actions": ["x" * 257]}).encode(),
    "all excluded": b'{"actions": ["a"], "exclude": ["a"]}',
}


def problem(answer):
    assert answer.headers["content-type"] == "application/json"
    assert set(answer.json()) == {"error"}
    assert {"code", "message"} <= set(answer.json()["error"]) <= {"code", "message", "parameter"}
    return answer.json()["error"]


@pytest.mark.parametrize("body", BAD_BODIES.values(), ids=BAD_BODIES)
def test_bad_bodies_change_nothing(tea, loops, body):
    answer = tea.post(RANK, content=body, headers=HEADERS)
    assert answer.status_code == 400, answer.text
    assert problem(answer)["parameter"]
    assert loops["tea"].status().events == 0


def test_an_error_names_parameter_rule_and_value(tea):
    tea.post(RANK, json={"actions": ["a"], "event": "e"})
    told = problem(tea.post("/v1/loops/tea/reward", json={"event": "e", "value": 1e300}))
    assert told["parameter"] == "value"
    assert told["message"].startswith("'value' must be")
    assert "1e+300" in told["message"]
    told = problem(tea.post(RANK, json={"actions": ["a"], "defer": "yes"}))
    assert told["parameter"] == "defer"
    assert "Expected `bool`, got `str`" in told["message"]


@pytest.mark.parametrize(
    ("method", "path", "status", "code"),
    [
        ("GET", "/nothing", 404, "unknown_path"),
        ("PUT", RANK, 405, "wrong_method"),
        ("GET", "/v1/loops/coffee", 404, "unknown_name"),
        ("GET", "/v1/loops/..%2Ftea", 404, "unknown_path"),
        ("GET", "/v1/loops/%2e%2e/status", 404, "unknown_name"),
        ("GET", "/v1/loops/tea/events/nobody", 404, "unknown_event"),
        ("GET", "/v1/loops/tea/curve?points=0", 400, "invalid_input"),
    ],
)
def test_what_is_not_there(tea, method, path, status, code):
    answer = tea.request(method, path)
    assert (answer.status_code, problem(answer)["code"]) == (status, code)


def test_a_wrong_method_is_told_the_right_ones(tea):
    allowed = tea.post("/v1/loops/tea").headers["allow"]
    assert set(allowed.split(", ")) == {"GET", "HEAD", "PUT", "PATCH", "DELETE"}


@pytest.mark.parametrize(
    "settings", [{}, {"wait": "never"}, {"wait": None, "learn": False}, {"x": 1}]
)
def test_a_refused_loop_is_not_made(client, settings):
    assert client.put("/v1/loops/new", json={"settings": settings}).status_code == 400
    assert client.put("/v1/loops/Up", json={"settings": {"wait": None}}).status_code == 400
    assert client.get("/v1/loops").json() == {"loops": []}


def test_bodies_that_are_not_json_by_their_header(tea):
    answer = tea.post(RANK, content=b'{"actions": ["a"]}', headers={"Content-Type": "text/plain"})
    assert (answer.status_code, problem(answer)["code"]) == (415, "not_json")


def test_limits_on_size_actions_features_and_calls(loops):
    limits = Limits(body=2_000, actions=3, features=10, calls=2)
    with TestClient(create_app(loops, limits=limits), "http://localhost") as client:
        client.put("/v1/loops/tea", json={"settings": {"wait": None}})
        good = {"actions": ["a", "b", "c"], "context": {"x": [1] * 7}}
        assert client.post(RANK, json=good).status_code == 201
        large = client.post(RANK, json={"actions": ["a" * 2_000]})
        assert (large.status_code, problem(large)["code"]) == (413, "too_large")
        many = client.post(RANK, json={"actions": list("abcd")})
        assert problem(many)["parameter"] == "actions"
        rich = client.post(RANK, json={"actions": {"a": {"deep": {"x": [1] * 11}}}})
        assert problem(rich)["parameter"] == "features"
        long = client.post(f"{RANK}/batch", json={"calls": [{"actions": ["a"]}] * 3})
        assert problem(long)["parameter"] == "calls"
        assert loops["tea"].status().events == 1


@pytest.mark.parametrize("error", [StoreError("/secret/path"), OSError(28, "No space left")])
def test_a_lost_database_or_a_full_disk_may_be_tried_again(tea, monkeypatch, error):
    def fail(*_, **__):
        raise error

    monkeypatch.setattr(Loop, "rank_async", fail)
    answer = tea.post(RANK, json={"actions": ["a"]})
    assert (answer.status_code, answer.headers["retry-after"]) == (503, "5")
    assert problem(answer)["code"] == "database_unavailable"
    assert "secret" not in answer.text


def test_a_fault_of_the_server_tells_nothing_of_itself(tea, monkeypatch):
    def fail(*_, **__):
        raise RuntimeError("secret")

    monkeypatch.setattr(Loop, "rank_async", fail)
    answer = tea.post(RANK, json={"actions": ["a"]})
    assert (answer.status_code, problem(answer)["code"]) == (500, "failed")
    assert "secret" not in answer.text


@pytest.mark.parametrize("host", ["evil.example", "10.0.0.1", "127.0.0.1.evil.example"])
def test_without_keys_only_this_machine_is_answered(tmp_path, host):
    with TestClient(create_app(Loops(tmp_path)), f"http://{host}") as client:
        assert client.get("/v1/loops").status_code == 403
        assert client.get("/health").status_code == 200


@pytest.mark.parametrize("origin", ["https://evil.example", "null"])
def test_without_keys_no_foreign_page_is_answered(tea, origin):
    tea.post(RANK, json={"actions": ["a"]})
    answer = tea.post("/v1/loops/tea/reset", headers={"Origin": origin})
    assert (answer.status_code, problem(answer)["code"]) == (403, "missing_right")
    assert tea.get("/v1/loops/tea/models").json() == {"models": []}
    ours = tea.post("/v1/loops/tea/reset", headers={"Origin": "http://127.0.0.1:8000"})
    assert ours.status_code == 200


def test_a_key_may_send_so_many_requests_in_a_second(loops, tmp_path):
    keys = Keys(tmp_path / "keys.json")
    one, other = ({"Authorization": f"Bearer {keys.add(name)}"} for name in ("one", "other"))
    with TestClient(create_app(loops, keys=keys, limits=Limits(rate=3))) as client:
        client.put("/v1/loops/tea", json={"settings": {"wait": None}}, headers=other)
        answers = [client.post(RANK, json={"actions": ["a"]}, headers=one) for _ in range(30)]
        statuses = [answer.status_code for answer in answers]
        assert statuses[:3] == [201] * 3
        assert 429 in statuses
        refused = next(answer for answer in answers if answer.status_code == 429)
        assert refused.headers["retry-after"] == "1"
        assert problem(refused)["code"] == "too_many"
        assert client.get("/v1/loops", headers=other).status_code == 200
        assert loops["tea"].status().events == statuses.count(201)


def test_a_limit_is_above_zero():
    with pytest.raises(InvalidInput, match=r"'limits\.rate' must be above 0; got 0"):
        Limits(rate=0)


def test_a_damaged_loop_does_not_stop_the_others(tmp_path):
    (tmp_path / "broken.db").write_bytes(b"no database at all, but long enough to be looked at")
    with TestClient(create_app(Loops(tmp_path)), "http://localhost") as client:
        assert client.put("/v1/loops/tea", json={"settings": {"wait": None}}).status_code == 201
        assert client.get("/v1/loops/broken/status").status_code == 503
