"""The pages as a browser without scripts has them; test_page_browser.py looks with a real one."""

import json
import re
import time
from datetime import UTC, datetime

import pytest
from clocked_loop import ClockedLoop
from starlette.applications import Starlette
from starlette.testclient import TestClient

from hybandit.loop import Explanation
from hybandit.loop.counts.verdict import Verdict
from hybandit.loop.verbs.parts import Candidate, Parts
from hybandit.service.app import create_app
from hybandit.service.demo.race import Race
from hybandit.service.demo.run import Told
from hybandit.service.guard import Guard
from hybandit.service.keys import Keys
from hybandit.service.page import assets
from hybandit.service.page.event import outcome, reason
from hybandit.service.page.local import OneLoop
from hybandit.service.page.measure import CLICKS, REWARD
from hybandit.service.page.pages import Pages
from hybandit.service.page.view import Look

LOCAL = "http://127.0.0.1"
EVIL = "<script>alert(1)</script>"
NOON = datetime(2026, 11, 19, 12, tzinfo=UTC)


def asked(client, count=1, actions=(EVIL, "tea")):
    """Decisions and their rewards, which are learned; the last event."""
    for number in range(count):
        body = {"actions": list(actions), "context": {"<b>age</b>": 30 + number}}
        event = client.post("/v1/loops/tea/rank", json=body).json()["event"]
        client.post("/v1/loops/tea/reward", json={"event": event, "value": number % 2})
    deadline = time.monotonic() + 60.0
    while client.get("/v1/loops/tea/status").json()["lag"]:
        assert time.monotonic() < deadline
        time.sleep(0.01)
    return event


def test_an_empty_server_says_what_to_do_next(client):
    page = client.get("/").text
    assert "curl -X PUT" in page
    assert "There is no loop" in page


def test_an_empty_loop_says_what_to_do_next(tea):
    page = tea.get("/loops/tea").text
    assert "Waiting for the first decision" in page
    assert "/v1/loops/tea/rank" in page


def test_a_loop_shows_its_actions_and_verdict_and_nothing_of_users_as_markup(tea):
    asked(tea, 1, [EVIL])
    event = asked(tea, 20)
    for path in ("/", "/loops/tea", f"/loops/tea/events/{event}"):
        page = tea.get(path)
        assert page.status_code == 200
        assert EVIL not in page.text
        assert "<b>age" not in page.text
    page = tea.get("/loops/tea").text
    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in page
    assert "Cannot tell yet" in page
    numbers = json.loads(re.search(r'id="numbers">(.*?)</script>', page, re.S)[1])
    assert set(numbers) == {"reward", "gain", "shares", "exploring"}


def test_the_whole_life_of_an_event_is_told(tea):
    event = asked(tea)
    page = tea.get(f"/loops/tea/find?event={event}").text
    assert "It closed with the reward" in page
    assert "earned in version 1" in page


def explanation(action, probability, why="learned in version 7"):
    return Explanation("e", action, probability, NOON, None, (), None, None, None, why)


def parts(action):
    """Of a decision in which `best` was the favourite, `own` the baseline, of three."""
    chances = {"best": 0.9, "own": 0.0955, "other": 0.0005}
    offered = tuple(Candidate(name, {}, chance, 0.1) for name, chance in chances.items())
    return Parts(action, 0.1, 1, 2, (), offered, "best", "own")


@pytest.mark.parametrize(
    ("action", "probability", "why"),
    [
        ("best", 0.9, r"was the model's favourite, and had a chance of 90.0.%"),
        (
            "own",
            0.0955,
            r"is the baseline, .* chance was 9\.\d.%. The favourite was best, with 90",
        ),
        ("other", 0.0005, r"learn more about it: its chance was < 0.1.%. The favourite was best"),
        ("best", 1.0, "Nothing else could be shown"),
    ],
)
def test_it_says_why_an_action_was_shown(action, probability, why):
    assert re.search(why, reason(explanation(action, probability), parts(action)))


def test_an_open_window_says_when_the_event_is_learned():
    open_until = "its window is open until 2026-11-19T16:52:10+00:00"
    told = outcome(explanation("best", 0.9, open_until))
    assert told == "Its window is open until 2026-11-19 16:52:10 UTC: it is learned then."
    assert outcome(explanation("best", 0.9)) == "Learned in version 7."


def look(measure, gain, low, high, answer="better"):
    verdict = Verdict(answer, gain, low, high, 100, 1234, "")
    return Look("shop", None, verdict, [], [], [], [], {}, {}, {}, measure)


def test_the_verdict_is_told_in_the_unit_of_the_page():
    assert "gets 9.9 more clicks per 100 visitors" in look(CLICKS, 0.0986, 0.06, 0.13).sentence
    assert "+6.0 to +13.0" in look(CLICKS, 0.0986, 0.06, 0.13).sentence
    assert "2.0 fewer clicks" in look(CLICKS, -0.02, -0.03, -0.01, "worse").sentence
    assert "gets 0.0986 more reward per decision" in look(REWARD, 0.0986, 0.06, 0.13).sentence
    assert "about 1,200 more to tell" in look(REWARD, 0.01, -0.06, 0.13, "cannot tell").sentence


def test_the_bar_has_room_at_its_ends_and_labels_zero_where_it_does_not_touch_the_gain():
    bar = look(CLICKS, 0.0986, 0.06, 0.13).bar
    assert 10.0 < bar["zero"] < bar["low"] < bar["gain"] < bar["high"] < 90.0
    assert bar["is_free"]
    assert not look(CLICKS, 0.001, -0.06, 0.06).bar["is_free"]


@pytest.fixture(scope="module")
def shop(tmp_path_factory):
    """The page of a race in which the newcomer has arrived, and what it shows of the race."""
    race = Race(240, 100.0, seed=0)
    ClockedLoop.time = 1.7e9
    with ClockedLoop(tmp_path_factory.mktemp("shop") / "shop.db", **race.settings()) as loop:
        while race.done < 150:
            race.visit(loop, ClockedLoop.time)
            ClockedLoop.time += 0.05
        told = Told(race, 1.7e9)
        pages = Pages(OneLoop("shop", loop), Guard(None, 1.0), read_only=True, race=told)
        with TestClient(Starlette(routes=list(pages.routes())), LOCAL) as client:
            yield client, told


def test_a_race_is_told_in_clicks_and_nothing_twice(shop):
    client, told = shop
    page = client.get("/loops/shop").text
    assert "A simulated shop." in page
    assert "of 240 visitors" in page
    assert "clicks per 100 visitors" in page
    assert "reward per decision" not in page.lower()
    assert "see the verdict" in page
    assert f'<td class="n" data-head="Clicks per 100">{CLICKS(told.leads[0].share)}</td>' in page
    assert "data-over" not in page


def test_a_race_marks_what_has_happened_in_its_chart(shop):
    page = shop[0].get("/loops/shop").text
    drawn = json.loads(re.search(r'id="numbers">(.*?)</script>', page, re.S)[1])["race"]
    assert drawn["marks"]["text"] == [" moon lamp arrives "]
    assert drawn["marks"]["x"] == [pytest.approx((1.7e9 + 0.8) * 1000.0)]
    assert drawn["marks"]["top"] == [drawn["y"][1]]
    assert max(drawn["columns"]["p0"]) > 1.0


def test_a_race_that_is_over_says_so(shop):
    client, told = shop
    told.is_over = True
    page = client.get("/loops/shop").text
    assert "<p data-over>" in page
    assert "The demo has ended." in page


@pytest.mark.parametrize("path", ["/loops/other", "/loops/tea/events/other"])
def test_what_is_not_there_is_told(tea, path):
    answer = tea.get(path)
    assert answer.status_code == 404
    assert "default-src 'none'" in answer.headers["content-security-policy"]


def test_the_page_rolls_back_and_switches(tea):
    asked(tea, 3)
    answer = tea.post("/loops/tea/rollback", data={"version": "2"})
    assert "The loop went back." in answer.text
    assert tea.get("/v1/loops/tea/status").json()["version"] == 4
    answer = tea.post("/loops/tea/switch", data={"policy": "lin-ucb"})
    assert "decides from now on" in answer.text
    assert tea.get("/v1/loops/tea").json()["policy"] == "lin-ucb"


def test_policies_are_compared_on_the_loops_own_events(tea):
    asked(tea, 3)
    assert "from 50 on" in tea.get("/loops/tea/compare").text
    asked(tea, 60)
    page = tea.get("/loops/tea/compare").text
    assert "On the newest 63 closed events" in page
    assert all(name in page for name in ("item-hybrid", "item-lin-ucb", "this loop, as it was"))


@pytest.mark.parametrize("form", [{"version": "99"}, {"version": "x"}, {"version": "9" * 30}, {}])
def test_a_wrong_roll_back_changes_nothing(tea, form):
    asked(tea, 3)
    assert tea.post("/loops/tea/rollback", data=form).status_code == 400
    assert tea.get("/v1/loops/tea/status").json()["version"] == 3


@pytest.mark.parametrize(
    "headers",
    [
        {"Origin": "http://evil.example"},
        {"Origin": "null"},
        {"Sec-Fetch-Site": "cross-site"},
        {"Origin": "http://localhost:1"},
    ],
)
def test_a_form_of_another_host_is_refused(tea, headers):
    asked(tea, 3)
    answer = tea.post("/loops/tea/rollback", data={"version": "1"}, headers=headers)
    assert answer.status_code == 403
    assert tea.get("/v1/loops/tea/status").json()["version"] == 3


def test_it_tells_how_long_decisions_take(tea):
    assert "99 % within" not in tea.get("/loops/tea").text
    asked(tea, 20)
    assert re.search(r"half within [\d.]+ ms, 99 % within [\d.]+ ms", tea.get("/loops/tea").text)


def test_no_module_can_be_loaded_by_the_page(tea):
    assert tea.post("/loops/tea/switch", data={"policy": "os:Class"}).status_code == 400


class TestKeys:
    @pytest.fixture
    def keys(self, tmp_path):
        keys = Keys(tmp_path / "keys.json")
        self.reader = keys.add("reader", loops=["tea"], rights=["read"])
        self.chief = keys.add("chief")
        self.ranker = keys.add("ranker", rights=["rank"])
        return keys

    @pytest.fixture
    def client(self, loops, keys):
        loops.create("tea", wait=None)
        loops.create("hidden", wait=None)
        with TestClient(create_app(loops, keys=keys), LOCAL) as client:
            yield client

    def test_whoever_has_no_key_is_asked_for_one(self, client):
        assert client.get("/loops/tea").url.path == "/sign-in"
        assert (
            client.get("/", headers={"Authorization": f"Bearer {self.chief}"}).url.path
            == "/sign-in"
        )

    def test_a_key_is_kept_in_a_cookie_that_no_script_and_no_other_site_gets(self, client):
        answer = client.post("/sign-in", data={"key": self.reader}, follow_redirects=False)
        cookie = answer.headers["set-cookie"]
        assert "HttpOnly" in cookie
        assert "SameSite=strict" in cookie
        page = client.get("/").text
        assert "/loops/tea" in page
        assert "/loops/hidden" not in page
        assert client.get("/loops/hidden").status_code == 403
        assert self.reader not in page
        client.post("/sign-out")
        assert client.get("/").url.path == "/sign-in"

    def test_only_a_key_that_may_administer_changes_anything(self, client):
        client.post("/sign-in", data={"key": self.reader})
        assert "/loops/tea/switch" not in client.get("/loops/tea").text
        assert client.post("/loops/tea/switch", data={"policy": "ucb"}).status_code == 403
        client.post("/sign-in", data={"key": self.chief})
        assert "/loops/tea/switch" in client.get("/loops/tea").text
        assert client.post("/loops/tea/switch", data={"policy": "ucb"}).status_code == 200

    @pytest.mark.parametrize("wrong", ["", "hyb_wrong", None])
    def test_a_wrong_key_is_refused_and_not_kept(self, client, wrong):
        answer = client.post("/sign-in", data={"key": wrong or self.ranker})
        assert answer.status_code in (401, 403)
        assert "set-cookie" not in answer.headers

    def test_the_cookie_is_no_key_of_the_api(self, client):
        client.post("/sign-in", data={"key": self.chief})
        assert client.get("/v1/loops/tea/status").status_code == 401


def test_files_are_compressed_kept_and_small(client):
    for name in assets.NAMES:
        answer = client.get(assets.address(name))
        assert answer.headers["content-encoding"] == "gzip"
        assert "immutable" in answer.headers["cache-control"]
    assert sum(len(assets.asset(name).compressed) for name in assets.NAMES) < 480_000
    assert client.get("/assets/x/secret.py").status_code == 404
