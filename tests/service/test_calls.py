"""The routes of the service: what they answer, and that they are the loop's own calls."""

import pytest

RANK = {"context": {"hour": 7}, "actions": {"green": {"hot": True}, "black": None}, "event": "e1"}


def test_a_decision_its_reward_and_what_was_learned(tea, loops):
    ranked = tea.post("/v1/loops/tea/rank", json=RANK)
    assert ranked.status_code == 201
    decision = ranked.json()
    assert decision["event"] == "e1"
    assert {each["action"] for each in decision["ranking"]} == {"green", "black"}
    assert decision["ranking"][0] == {
        "action": decision["action"], "probability": decision["probability"],
    }  # fmt: skip
    rewarded = tea.post("/v1/loops/tea/reward", json={"event": "e1", "value": 1})
    assert (rewarded.status_code, rewarded.content) == (204, b"")
    assert loops["tea"].wait_for()
    history = tea.get("/v1/loops/tea/events/e1").json()
    assert (history["learned"], history["reward"]) == (1, 1.0)
    assert loops["tea"].explain("e1").learned == 1
    status = tea.get("/v1/loops/tea/status").json()
    assert (status["events"], status["rewards"], status["learned"]) == (1, 1, 1)
    (action,) = tea.get("/v1/loops/tea/actions").json()["actions"]
    assert (action["action"], action["shown"], action["low"]) == (decision["action"], 1, None)
    points = tea.get("/v1/loops/tea/curve?points=5").json()["points"]
    assert points == [{"version": 1, "reward": 1.0}]
    stretches = tea.get("/v1/loops/tea/history").json()["stretches"]
    counts = {name: sum(each[name] for each in stretches) for name in ("decided", "closed")}
    assert counts == {"decided": 1, "closed": 1}
    assert stretches[0]["shown"] == {decision["action"]: 1}


def test_the_same_event_again_gives_the_same_answer_and_other_content_a_conflict(tea):
    first, again = (tea.post("/v1/loops/tea/rank", json=RANK) for _ in range(2))
    assert first.json() == again.json()
    other = tea.post("/v1/loops/tea/rank", json={**RANK, "context": {"hour": 8}})
    assert other.status_code == 409
    assert other.json()["error"]["code"] == "conflict"
    assert other.json()["error"]["parameter"] == "event"
    assert tea.get("/v1/loops/tea/status").json()["events"] == 1


def test_an_idempotency_key_makes_a_retry_count_once(tea):
    body, once = {"actions": ["a", "b"]}, {"Idempotency-Key": "request-5"}
    events = {
        tea.post("/v1/loops/tea/rank", json=body, headers=once).json()["event"] for _ in range(3)
    }
    assert events == {"request-5"}
    reward = {"event": "request-5", "value": 1.0}
    for _ in range(3):
        assert tea.post("/v1/loops/tea/reward", json=reward, headers=once).status_code == 204
    status = tea.get("/v1/loops/tea/status").json()
    assert (status["events"], status["rewards"]) == (1, 1)
    other = tea.post("/v1/loops/tea/reward", json={**reward, "value": 2.0}, headers=once)
    assert other.status_code == 409


def test_an_idempotency_key_makes_the_retry_of_a_batch_count_once(tea):
    calls, once = {"calls": [{"actions": ["a", "b"]}] * 3}, {"Idempotency-Key": "batch-1"}
    told = [tea.post("/v1/loops/tea/rank/batch", json=calls, headers=once) for _ in range(2)]
    assert told[0].json() == told[1].json()
    events = [each["decision"]["event"] for each in told[0].json()["answers"]]
    assert len(set(events)) == 3
    rewards = {"calls": [{"event": event, "value": 1} for event in events]}
    for _ in range(2):
        tea.post("/v1/loops/tea/reward/batch", json=rewards, headers=once)
    status = tea.get("/v1/loops/tea/status").json()
    assert (status["events"], status["rewards"]) == (3, 3)


def test_a_deferred_decision_waits_for_activate(tea):
    tea.post("/v1/loops/tea/rank", json={**RANK, "defer": True})
    tea.post("/v1/loops/tea/reward", json={"event": "e1", "value": 1})
    assert tea.get("/v1/loops/tea/events/e1").json()["closed"] is None
    assert tea.post("/v1/loops/tea/activate", json={"event": "e1"}).status_code == 204
    assert tea.get("/v1/loops/tea/events/e1").json()["closed"] is not None


def test_a_batch_answers_each_call_by_itself(tea):
    calls = [RANK, {"actions": []}, {"actions": ["x"], "event": "e2", "defer": True}]
    found = tea.post("/v1/loops/tea/rank/batch", json={"calls": calls})
    assert found.status_code == 200
    first, second, third = found.json()["answers"]
    assert [each["status"] for each in (first, second, third)] == [201, 400, 201]
    assert first["decision"]["event"] == "e1"
    assert second["error"]["parameter"] == "actions"
    rewards = [{"event": "e1", "value": 1}, {"event": "nobody", "value": 1}]
    told = tea.post("/v1/loops/tea/reward/batch", json={"calls": rewards}).json()["answers"]
    assert [each["status"] for each in told] == [204, 404]
    ready = {"calls": [{"event": "e2"}, {"event": "?"}]}
    told = tea.post("/v1/loops/tea/activate/batch", json=ready).json()["answers"]
    assert [each["status"] for each in told] == [204, 404]
    assert tea.post("/v1/loops/tea/rank/batch", json={"calls": []}).status_code == 400


def test_events_come_in_pages_and_by_action(tea):
    for number in range(5):
        body = {"actions": [f"a{number % 2}"], "event": f"e{number}"}
        tea.post("/v1/loops/tea/rank", json=body)
    first = tea.get("/v1/loops/tea/events?limit=3").json()
    assert [each["event"] for each in first["events"]] == ["e0", "e1", "e2"]
    rest = tea.get("/v1/loops/tea/events", params={"after": first["next"]}).json()
    assert [each["event"] for each in rest["events"]] == ["e3", "e4"]
    assert rest["next"] is None
    odd = tea.get("/v1/loops/tea/events?action=a1").json()["events"]
    assert [each["event"] for each in odd] == ["e1", "e3"]
    assert odd[0]["closed"] is None
    for query in ("limit=0", "limit=1001", "after=-1", "after=x", "colour=red"):
        assert tea.get(f"/v1/loops/tea/events?{query}").status_code == 400


def test_loops_are_made_described_changed_reset_switched_and_deleted(tea):
    made = tea.put("/v1/loops/coffee", json={"settings": {"wait": "10 min", "control": 0.1}})
    assert made.status_code == 201
    assert made.json()["settings"]["wait"] == 600.0
    same = tea.put("/v1/loops/coffee", json={"settings": {"control": 0.1}})
    assert (same.status_code, same.json()) == (201, made.json())
    other = tea.put("/v1/loops/coffee", json={"settings": {"control": 0.2}})
    assert (other.status_code, other.json()["error"]["parameter"]) == (409, "control")
    assert tea.get("/v1/loops").json() == {"loops": ["coffee", "tea"]}
    changed = tea.patch("/v1/loops/coffee", json={"settings": {"control": 0.3}})
    assert changed.json() == {"version": 1}
    assert tea.get("/v1/loops/coffee").json()["settings"]["control"] == 0.3
    assert tea.post("/v1/loops/coffee/reset").json() == {"version": 2}
    assert tea.post("/v1/loops/coffee/rollback", json={"version": 0}).json() == {"version": 3}
    switched = tea.post("/v1/loops/coffee/switch", json={"policy": "item-lin-ucb:alpha=0.3"})
    assert switched.json() == {"version": 4}
    kinds = [each["kind"] for each in tea.get("/v1/loops/coffee/models").json()["models"]]
    assert kinds == ["reset", "rollback", "switch"]
    assert tea.delete("/v1/loops/coffee").status_code == 204
    assert tea.get("/v1/loops").json() == {"loops": ["tea"]}
    assert tea.get("/v1/loops/coffee").status_code == 404


@pytest.mark.parametrize("event", ["a/b", "ä ö", "100%", "a/reward", "?x=1#y", "..", "."])
def test_event_ids_may_have_any_signs(tea, event):
    from urllib.parse import quote

    tea.post("/v1/loops/tea/rank", json={"actions": ["x"], "event": event})
    encoded = quote(event, safe="").replace(".", "%2E")
    assert tea.get(f"/v1/loops/tea/events/{encoded}").json()["event"] == event


def test_no_module_is_loaded_for_a_policy(tea):
    for policy in ("os:path", "logistic_items:LogisticItems"):
        made = tea.put("/v1/loops/new", json={"settings": {"wait": None, "policy": policy}})
        switched = tea.post("/v1/loops/tea/switch", json={"policy": policy})
        assert (made.status_code, switched.status_code) == (400, 400)
        assert "on the server itself" in made.json()["error"]["message"]
    assert tea.get("/v1/loops").json() == {"loops": ["tea"]}


def test_health_and_readiness(client):
    assert client.get("/health").json()["status"] == "ok"
    assert client.get("/ready").json()["status"] == "ok"


def test_learning_is_paused_and_resumed(tea):
    assert tea.post("/v1/loops/tea/pause").json() == {"version": 1}
    assert tea.get("/v1/loops/tea").json()["settings"]["paused"] is True
    assert tea.post("/v1/loops/tea/resume").json() == {"version": 2}
    assert tea.get("/v1/loops/tea").json()["settings"]["paused"] is False


def test_a_stored_model_comes_as_it_can_be_imported(tea, loops, tmp_path):
    version = tea.post("/v1/loops/tea/reset").json()["version"]
    found = tea.get(f"/v1/loops/tea/models/{version}")
    assert found.headers["content-type"] == "application/octet-stream"
    (tmp_path / "model.npz").write_bytes(found.content)
    assert loops["tea"].import_model(tmp_path / "model.npz") == version + 1
    for wrong in ("99", "-1", "x", "1e9", "01"):
        assert tea.get(f"/v1/loops/tea/models/{wrong}").status_code == 404
