"""The page in a real browser, fed by another process.

HYBANDIT_SCREENS names a folder for pictures.
"""

import os
import shutil
import signal
import time
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from serving import PATIENCE, served

from hybandit.loop import Loop
from hybandit.service.demo.race import Race
from hybandit.service.demo.run import Told
from hybandit.service.keys import Keys
from hybandit.service.page.local import shown

PROGRAM = shutil.which("chromium") or shutil.which("chromium-browser")
missing = pytest.mark.skipif(not PROGRAM, reason="there is no chromium: apt-get install chromium")
pytestmark = [pytest.mark.slow, missing]
BAD = ("serious", "critical")
EVIL = "<script>alert('x')</script><img src=x onerror=alert(1)>"
SOON = 20_000


@pytest.fixture(scope="module")
def browser():
    playwright = pytest.importorskip("playwright.sync_api", reason="comes with '.[dev]'")
    pytest.importorskip("axe_playwright_python", reason="comes with '.[dev]'")
    with playwright.sync_playwright() as engine:
        opened = engine.chromium.launch(executable_path=PROGRAM, args=["--no-sandbox"])
        yield opened
        opened.close()


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    """A server with a loop that has learned something."""
    with served(tmp_path_factory.mktemp("served")) as (client, _):
        made(client, "full")
        feed(client, "full", 300, [EVIL, "green", "black"], good="green")
        yield client


@pytest.fixture(params=[(1280, "light"), (1280, "dark"), (390, "light"), (390, "dark")], ids=str)
def window(request, browser):
    width, scheme = request.param
    yield from opened(browser, width, scheme)


@pytest.fixture
def page(browser):
    yield from opened(browser, 1280, "light")


def opened(browser, width, scheme):
    """A page that keeps what it asked for, what it complained of, and what it alerted."""
    context = browser.new_context(
        viewport={"width": width, "height": 900}, color_scheme=scheme, reduced_motion="reduce"
    )
    page = context.new_page()
    page.asked, page.complaints, page.alerts = [], [], []
    page.on("request", lambda each: page.asked.append(each.url))
    page.on("console", lambda each: each.type == "error" and page.complaints.append(each.text))
    page.on("pageerror", lambda each: page.complaints.append(str(each)))
    page.on("dialog", lambda each: (page.alerts.append(each.message), each.dismiss()))
    yield page
    context.close()


def made(client, name, **settings):
    body = {"settings": {"wait": None, "control": 0.5, **settings}}
    assert client.put(f"/v1/loops/{name}", json=body).status_code == 201


def feed(client, name, count, actions, good):
    """Decisions, all rewarded; a `good` one with 1."""
    calls = [{"actions": actions, "context": {"hour": number % 24}} for number in range(count)]
    answers = client.post(f"/v1/loops/{name}/rank/batch", json={"calls": calls}).json()["answers"]
    decided = [each["decision"] for each in answers]
    rewards = [{"event": each["event"], "value": float(each["action"] == good)} for each in decided]
    client.post(f"/v1/loops/{name}/reward/batch", json={"calls": rewards})
    return decided[-1]["event"]


@pytest.mark.parametrize("path", ["/", "/loops/full", "event", "/loops/none"])
def test_a_page_is_clean(path, window, server, request):
    from axe_playwright_python.sync_playwright import Axe

    if path == "/loops/none":
        made(server, "none")
    if path == "event":
        events = server.get("/v1/loops/full/events", params={"limit": 1}).json()["events"]
        path = f"/loops/full/events/{events[0]['event']}"
    window.goto(f"{server.base_url}{path}")
    if path == "/loops/full":
        window.locator("#chart-exploring canvas").first.wait_for(timeout=SOON)
        window.locator("#live.on").wait_for(timeout=SOON)
    screen(window, request.node.name)
    assert window.complaints == []
    assert window.alerts == []
    elsewhere = [url for url in window.asked if not ours(url, server)]
    assert elsewhere == []
    assert window.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
    found = [each for each in Axe().run(window).response["violations"] if each["impact"] in BAD]
    assert [(each["id"], each["nodes"][0]["html"]) for each in found] == []


def test_what_another_process_does_appears_without_reload(page, server):
    made(server, "live")
    page.goto(f"{server.base_url}/loops/live")
    page.get_by_text("Waiting for the first decision").wait_for(timeout=SOON)
    feed(server, "live", 40, ["tea", EVIL], good="tea")
    page.locator("#actions").get_by_text("tea").wait_for(timeout=SOON)
    page.locator("#actions").get_by_text("<script>alert").wait_for(timeout=SOON)
    page.locator("#figures").get_by_text("40").first.wait_for(timeout=SOON)
    # From empty to a verdict.
    deadline = time.monotonic() + PATIENCE
    while not page.locator(".verdict.better").count():
        feed(server, "live", 100, ["bad", "tea"], good="tea")
        page.wait_for_timeout(1000)
        assert time.monotonic() < deadline
    assert page.locator("#verdict .word").inner_text() == "Better than the baseline"
    assert page.locator("#verdict .bar .interval").count() == 1
    assert page.evaluate("performance.getEntriesByType('navigation').length") == 1
    assert page.alerts == page.complaints == []


def test_a_click_tells_the_whole_life_of_an_event(page, server):
    page.goto(f"{server.base_url}/loops/full")
    page.locator("#events a").first.click()
    page.get_by_text("It closed with the reward").wait_for(timeout=SOON)
    page.get_by_text("Learned in version").wait_for(timeout=SOON)
    assert page.get_by_role("rowheader", name="hour").count() == 1


def test_a_roll_back_and_a_switch_by_keyboard(page, server):
    made(server, "back")
    feed(server, "back", 3, ["a", "b"], good="a")
    server.post("/v1/loops/back/switch", json={"policy": "lin-ucb"})
    feed(server, "back", 2, ["a", "b"], good="a")
    page.goto(f"{server.base_url}/loops/back")
    page.get_by_role("button", name="Go back to version 4").focus()
    page.keyboard.press("Enter")
    page.get_by_text("The loop went back.").wait_for(timeout=SOON)
    status = server.get("/v1/loops/back/status").json()
    assert status["version"] == 7
    page.locator("#versions").get_by_text("went back to 4").wait_for(timeout=SOON)
    page.get_by_label("Policy").select_option("item-lin-ucb")
    page.get_by_role("button", name="Switch to it").click()
    page.get_by_text("decides from now on").wait_for(timeout=SOON)
    assert server.get("/v1/loops/back").json()["policy"] == "item-lin-ucb"


def test_an_explanation_opens_by_tap_and_stays_open_while_the_page_changes(page, server):
    made(server, "asked")
    feed(server, "asked", 5, ["a", "b"], good="a")
    page.goto(f"{server.base_url}/loops/asked")
    page.locator("#ask-decisions").click()
    told = page.get_by_text("How often the loop was asked")
    assert told.is_visible()
    feed(server, "asked", 5, ["a", "b"], good="a")
    page.locator("#figures").get_by_text("10", exact=True).wait_for(timeout=SOON)
    assert told.is_visible()
    page.keyboard.press("Escape")
    assert not told.is_visible()


def test_a_demo_is_clean_and_its_end_is_told(window, tmp_path, request):
    from axe_playwright_python.sync_playwright import Axe

    race, began = Race(120, 100.0, seed=0), time.time()
    with Loop(tmp_path / "shop.db", **race.settings()) as loop:
        while race.done < 100:
            race.visit(loop, time.time())
        told = Told(race, began)
        with shown("shop", loop, race=told) as address:
            window.goto(address)
            window.locator("#chart-race canvas").first.wait_for(timeout=SOON)
            window.locator("#live.on").wait_for(timeout=SOON)
            screen(window, request.node.name)
            assert window.complaints == window.alerts == []
            assert window.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
            found = Axe().run(window).response["violations"]
            assert [each["id"] for each in found if each["impact"] in BAD] == []
            told.is_over = True
            window.locator("#live").get_by_text("ended").wait_for(timeout=SOON)
        window.wait_for_timeout(500)
        assert window.locator("#live").inner_text() == "ended"


def test_a_key_is_asked_for_and_an_open_page_does_not_hold_up_the_end(page, tmp_path):
    secret = Keys(tmp_path / "keys.json").add("me", rights=["read"])
    with served(tmp_path, "--keys", "keys.json") as (client, process):
        client.headers["Authorization"] = f"Bearer {Keys(tmp_path / 'keys.json').add('chief')}"
        made(client, "tea")
        page.goto(f"{client.base_url}/loops/tea")
        page.get_by_label("A key of this server").fill("hyb_wrong")
        page.keyboard.press("Enter")
        page.get_by_text("This key is not valid").wait_for(timeout=SOON)
        page.get_by_label("A key of this server").fill(secret)
        page.get_by_role("button", name="Sign in").click()
        page.get_by_role("link", name="tea").click()
        page.locator("#live.on").wait_for(timeout=SOON)
        assert page.evaluate("document.cookie") == ""
        began = time.monotonic()
        process.send_signal(signal.SIGTERM)
        process.wait(PATIENCE)
        assert time.monotonic() - began < 15.0


def ours(url, server):
    parts = urlsplit(url)
    return parts.scheme in ("data", "blob", "about") or url.startswith(str(server.base_url))


def screen(page, name):
    folder = os.environ.get("HYBANDIT_SCREENS")
    if folder:
        page.wait_for_timeout(500)
        name = name.replace("/", "-")
        page.screenshot(path=Path(folder) / f"{name}.png", full_page=True)
