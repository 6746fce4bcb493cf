"""Personalizer's clients: what they send, and both Python SDKs unchanged over a real socket."""

import json
import shutil
import subprocess
from pathlib import Path
from urllib.parse import quote

import pytest
from listening import listening

from hybandit.errors import StoreError
from hybandit.loop import Loop
from hybandit.service.app import create_app
from hybandit.service.keys import Keys
from hybandit.service.personalizer import FAMILIES

ROOT = "/loops/tea/personalizer"
RANK = {
    "contextFeatures": [{"user": {"age": 30}}, {"hour": 7}],
    "actions": [
        {"id": "green", "features": [{"hot": True}, {"price": 2.5}]},
        {"id": "black", "features": [{"hot": True}]},
        {"id": "iced", "features": []},
    ],
    "excludedActions": ["black"],
    "eventId": "visit-1",
    "deferActivation": False,
}


@pytest.fixture
def address(loops, tmp_path):
    """The address of the loop tea on a server with keys, as a client's endpoint, and a key."""
    keys = Keys(tmp_path / "keys.json")
    secret = keys.add("shop", loops=["tea"], rights=["rank", "reward", "read"])
    loops.create("tea", wait=None)
    with listening(create_app(loops, keys=keys)) as address:
        yield f"{address}/loops/tea", secret


@pytest.mark.parametrize("family", FAMILIES)
def test_each_family_ranks_activates_rewards_and_is_described(tea, loops, family):
    root = f"{ROOT}{family}"
    answer = tea.post(f"{root}/rank", json={**RANK, "deferActivation": True})
    assert answer.status_code == 201
    told = answer.json()
    assert set(told) == {"ranking", "eventId", "rewardActionId"}
    assert told["eventId"] == "visit-1"
    assert told["rewardActionId"] in ("green", "iced")
    assert told["ranking"][1] == {"id": "black", "probability": 0.0}
    assert sum(each["probability"] for each in told["ranking"]) == pytest.approx(1.0)
    rewarded = tea.post(f"{root}/events/visit-1/reward", json={"value": 0.5})
    assert (rewarded.status_code, rewarded.content) == (204, b"")
    assert loops["tea"].explain("visit-1").closed is None
    activated = tea.post(f"{root}/events/visit-1/activate")
    assert (activated.status_code, activated.content) == (204, b"")
    assert loops["tea"].wait_for()
    assert loops["tea"].explain("visit-1").reward == 0.5
    assert tea.get(f"{root}/configurations/service").json()["learningMode"] == "Online"


def test_features_come_to_the_loop_in_one_dict_each(tea, loops):
    body = {**RANK, "contextFeatures": [{"user": {"age": 30}}, {"tag": "a"}, {"tag": "b"}]}
    tea.post(f"{ROOT}/v1.0/rank", json=body)
    (event,) = tea.get("/v1/loops/tea/events").json()["events"]
    loops["tea"].rank(
        {"user": {"age": 30}, "tag": ["a", "b"]},
        {"green": {"hot": True, "price": 2.5}, "black": {"hot": True}, "iced": {}},
        event=event["event"],
        exclude=["black"],
    )


def test_settings_by_personalizers_names(client):
    settings = {"wait": "10 min", "explore": 0.2, "keep": 90, "mode": "apprentice"}
    client.put("/v1/loops/tea", json={"settings": settings})
    told = client.get(f"{ROOT}/v1.0/configurations/service").json()
    assert told == {
        "rewardWaitTime": "PT600S", "defaultReward": 0.0, "rewardAggregation": "earliest",
        "explorationPercentage": 0.2, "modelExportFrequency": "PT1S", "logRetentionDays": 90,
        "learningMode": "Apprentice", "logMirrorEnabled": False,
        "isAutoOptimizationEnabled": False,
    }  # fmt: skip


@pytest.mark.parametrize(
    ("path", "body", "status", "code", "target"),
    [
        ("rank", {}, 400, "InvalidRankRequest", "body"),
        ("rank", {"actions": []}, 400, "InvalidRankRequest", "actions"),
        ("rank", {"actions": [{"id": "a"}] * 2}, 400, "InvalidRankRequest", "actions"),
        ("rank", {"actions": [{"id": f"a{n}"} for n in range(51)]}, 400, "InvalidRankRequest",
         "actions"),
        ("rank", {"actions": [{"id": "a" * 257}]}, 400, "InvalidRankRequest", "actions"),
        ("rank", {"actions": [{"id": "a"}], "excludedActions": ["b"]}, 400, "InvalidRankRequest",
         "excludedActions"),
        ("rank", {"actions": [{"id": "a"}], "eventId": ""}, 400, "InvalidRankRequest", "eventId"),
        ("events/visit-1/reward", {"value": "x"}, 400, "InvalidRewardRequest", "value"),
        ("events/visit-1/reward", {"value": 1e300}, 400, "InvalidRewardRequest", "value"),
        ("events/nobody/reward", {"value": 1}, 404, "ResourceNotFound", "eventId"),
        ("events/nobody/activate", None, 404, "ResourceNotFound", "eventId"),
        ("multislot/rank", {}, 404, "ResourceNotFound", None),
        ("evaluations", {}, 404, "ResourceNotFound", None),
        ("configurations/service", {}, 405, "MethodNotAllowed", None),
    ],
)  # fmt: skip
def test_errors_have_its_shape_and_change_nothing(tea, loops, path, body, status, code, target):
    tea.post(f"{ROOT}/v1.0/rank", json=RANK)
    answer = tea.post(f"{ROOT}/v1.0/{path}", json=body)
    assert answer.status_code == status
    error = answer.json()["error"]
    assert set(error) == {"code", "message", "target", "details"}
    assert (error["code"], error["target"], error["details"]) == (code, target, [])
    assert target is None or target == "body" or f"'{target}'" in error["message"]
    status = loops["tea"].status()
    assert (status.events, status.rewards) == (1, 0)


@pytest.mark.parametrize("event", ["a/b", "äö ü", "a/reward", "100%", "x/activate"])
def test_events_may_have_any_signs(tea, event):
    tea.post(f"{ROOT}/rank", json={**RANK, "eventId": event})
    path = f"{ROOT}/events/{quote(event, safe='')}/reward"
    assert tea.post(path, json={"value": 1}).status_code == 204


def test_the_clients_request_id_makes_a_retry_count_once(tea, loops):
    once = {"x-ms-client-request-id": "5f6c"}
    body = {**RANK, "eventId": None}
    told = [tea.post(f"{ROOT}/rank", json=body, headers=once).json() for _ in range(2)]
    assert told[0] == told[1]
    for _ in range(2):
        path = f"{ROOT}/events/{told[0]['eventId']}/reward"
        assert tea.post(path, json={"value": 1}, headers=once).status_code == 204
    status = loops["tea"].status()
    assert (status.events, status.rewards) == (1, 1)


def test_the_older_python_sdk(address, loops):
    sdk = pytest.importorskip("azure.cognitiveservices.personalizer")
    from azure.cognitiveservices.personalizer import models
    from msrest.authentication import CognitiveServicesCredentials

    client = sdk.PersonalizerClient(address[0], CognitiveServicesCredentials(address[1]))
    actions = [models.RankableAction(id=name, features=[{"hot": True}]) for name in ("a", "b/ö")]
    request = models.RankRequest(
        actions=actions, context_features=[{"hour": 7}], excluded_actions=["a"],
        event_id="visit/ö 1", defer_activation=True,
    )  # fmt: skip
    ranked = client.rank(request)
    assert (ranked.event_id, ranked.reward_action_id) == ("visit/ö 1", "b/ö")
    assert [(each.id, each.probability) for each in ranked.ranking] == [("a", 0.0), ("b/ö", 1.0)]
    assert client.events.activate(ranked.event_id) is None
    assert client.events.reward(ranked.event_id, 1.0) is None
    assert loops["tea"].wait_for()
    assert loops["tea"].explain("visit/ö 1").reward == 1.0
    made = client.rank(models.RankRequest(actions=actions))
    assert made.event_id
    with pytest.raises(models.ErrorResponseException) as refused:
        client.rank(models.RankRequest(actions=[models.RankableAction(id="a", features=[])] * 2))
    assert refused.value.error.error.code == "InvalidRankRequest"
    stranger = sdk.PersonalizerClient(address[0], CognitiveServicesCredentials("hyb_no"))
    with pytest.raises(models.ErrorResponseException) as refused:
        stranger.rank(request)
    assert refused.value.error.error.code == "Unauthorized"


def test_the_newer_python_sdk(address, loops):
    sdk = pytest.importorskip("azure.ai.personalizer")
    from azure.core.credentials import AzureKeyCredential
    from azure.core.exceptions import HttpResponseError, ResourceNotFoundError

    with sdk.PersonalizerClient(address[0], AzureKeyCredential(address[1])) as client:
        ranked = client.rank(RANK)
        assert ranked["eventId"] == "visit-1"
        assert ranked["ranking"][1] == {"id": "black", "probability": 0.0}
        client.reward("visit-1", {"value": 1.0})
        deferred = client.rank({**RANK, "eventId": "a/ö", "deferActivation": True})
        client.activate(deferred["eventId"])
        assert loops["tea"].explain("a/ö").activated is not None
        with pytest.raises(HttpResponseError, match="InvalidRankRequest"):
            client.rank({"actions": []})
    with sdk.PersonalizerAdministrationClient(
        address[0], AzureKeyCredential(address[1])
    ) as administration:
        assert administration.get_service_configuration()["rewardAggregation"] == "earliest"
        with pytest.raises(ResourceNotFoundError):
            administration.get_policy()


def test_a_retry_of_the_newer_python_sdk_counts_once(address, loops, monkeypatch):
    sdk = pytest.importorskip("azure.ai.personalizer")
    from azure.core.credentials import AzureKeyCredential
    from azure.core.pipeline.transport import RequestsTransport

    def lost_once(verb):
        answers, done = [StoreError("lost after it was stored")], getattr(Loop, verb)

        async def work(*arguments, **options):
            found = await done(*arguments, **options)
            if answers:
                raise answers.pop()
            return found

        monkeypatch.setattr(Loop, verb, work)
        return answers

    lost = [lost_once("rank_async"), lost_once("reward_async")]
    waits = []

    class Hasty(RequestsTransport):
        def sleep(self, duration):
            waits.append(duration)

    key = AzureKeyCredential(address[1])
    with sdk.PersonalizerClient(address[0], key, transport=Hasty()) as client:
        ranked = client.rank({**RANK, "eventId": None})
        client.reward(ranked["eventId"], {"value": 1.0})
    assert lost == [[], []]
    assert waits == [5.0, 5.0]
    status = loops["tea"].status()
    assert (status.events, status.rewards) == (1, 1)


@pytest.mark.slow
def test_both_clients_of_npm(address, loops, tmp_path):
    if shutil.which("npm") is None:
        pytest.skip("there is no npm here")
    wanted = [
        "@azure/cognitiveservices-personalizer@2.0.1",
        "@azure-rest/ai-personalizer@1.0.0-beta.1",
    ]
    install = ["npm", "install", "--no-audit", "--no-fund", "--prefix", str(tmp_path), *wanted]
    installed = subprocess.run(install, capture_output=True, text=True, timeout=300, check=False)
    if installed.returncode:
        pytest.skip(f"the clients of npm cannot be installed: {installed.stderr[-300:]}")
    script = shutil.copy(Path(__file__).with_name("personalizer_clients.cjs"), tmp_path)
    done = subprocess.run(
        ["node", script, *address], capture_output=True, text=True, timeout=120, check=False
    )
    assert done.returncode == 0, done.stderr
    ranking = [{"id": "a", "probability": 0}, {"id": "b/ö", "probability": 1}]
    assert json.loads(done.stdout) == [["b/ö", ranking, "InvalidRankRequest"]] * 2
    assert loops["tea"].wait_for()
    assert [loops["tea"].explain(f"{age}/ö").reward for age in ("older", "newer")] == [1.0, 1.0]
