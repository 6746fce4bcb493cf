"""Pages in a real browser: wide and narrow, light and dark.

HYBANDIT_SCREENS names a folder for pictures of them.
"""

import os
import shutil
from pathlib import Path
from urllib.parse import urlsplit

import pytest

PROGRAM = shutil.which("chromium") or shutil.which("chromium-browser")
# Told before the site is built.
missing = pytest.mark.skipif(not PROGRAM, reason="there is no chromium: apt-get install chromium")
pytestmark = [pytest.mark.slow, missing]
PAGES = [
    "index.html", "choosing.html", "loop.html", "recipes/log.html", "reference/policies.html",
    "cli.html", "a-report/report.html",
]  # fmt: skip
BAD = ("serious", "critical")


@pytest.fixture(scope="module")
def browser():
    playwright = pytest.importorskip(
        "playwright.sync_api", reason="playwright comes with pip install '.[dev]'"
    )
    pytest.importorskip("axe_playwright_python", reason="comes with pip install '.[dev]'")
    with playwright.sync_playwright() as engine:
        opened = engine.chromium.launch(executable_path=PROGRAM, args=["--no-sandbox"])
        yield opened
        opened.close()


@pytest.fixture(params=[(1280, "light"), (1280, "dark"), (390, "light"), (390, "dark")], ids=str)
def window(request, browser):
    width, scheme = request.param
    context = browser.new_context(
        viewport={"width": width, "height": 900}, color_scheme=scheme, reduced_motion="reduce"
    )
    yield context.new_page()
    context.close()


@pytest.mark.parametrize("page", PAGES)
def test_a_page_is_clean(page, window, address, request):
    from axe_playwright_python.sync_playwright import Axe

    asked, complaints = [], []
    window.on("request", lambda each: asked.append(each.url))
    window.on("console", lambda each: each.type == "error" and complaints.append(each.text))
    window.on("pageerror", lambda each: complaints.append(str(each)))
    window.goto(f"{address}/{page}", wait_until="networkidle")
    screen(window, request.node.name)
    assert complaints == []
    assert [url for url in asked if not ours(url, address)] == []
    assert window.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
    found = [each for each in Axe().run(window).response["violations"] if each["impact"] in BAD]
    assert [told(each) for each in found] == []


def test_search_finds_a_policy_without_the_network(window, address):
    asked = []
    window.on("request", lambda each: asked.append(each.url))
    window.goto(f"{address}/index.html", wait_until="networkidle")
    window.evaluate("document.querySelector('#__search').click()")
    window.locator(".md-search__input").press_sequentially("LNUCBTA", delay=50)
    window.wait_for_selector(".md-search-result__item", timeout=30_000)
    assert [url for url in asked if not ours(url, address)] == []


# Of every box that may scroll: its table or picture, how wide it is, and what there is room for.
BOXES = """[...document.querySelectorAll('.wide')].map(
    box => [box.id || box.ariaLabel, box.scrollWidth, box.clientWidth])"""


@pytest.fixture
def full(window, whole, request):
    """The full report, with all its tables unfolded."""
    window.goto(whole.as_uri())
    window.evaluate("document.querySelectorAll('details').forEach(each => each.open = true)")
    screen(window, request.node.name)
    return window


@pytest.mark.parametrize("window", [(1280, "light"), (1280, "dark")], indirect=True, ids=str)
def test_no_table_and_no_picture_of_the_full_report_is_cut_off(full):
    boxes = full.evaluate(BOXES)
    assert len(boxes) > 30
    assert [box for box in boxes if box[1] > box[2]] == []


@pytest.mark.parametrize("window", [(390, "light")], indirect=True, ids=str)
def test_on_a_phone_a_row_keeps_its_name_while_its_table_scrolls(full):
    assert full.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
    box = full.locator("#table-items-differences")
    box.evaluate("each => { each.scrollLeft = 200; }")
    first, second = (box.locator("tbody td").nth(place).bounding_box() for place in (0, 1))
    assert first["x"] >= 0
    assert second["x"] < first["x"] + first["width"]


def test_letters_of_all_pictures_are_of_one_size(full):
    scales = full.evaluate(
        "[...document.querySelectorAll('figure img')].map(each => each.naturalWidth / each.width)"
    )
    assert len(scales) > 5
    assert max(scales) == pytest.approx(min(scales), rel=0.02)


def ours(url, address):
    parts = urlsplit(url)
    return parts.scheme in ("data", "blob") or parts.netloc == urlsplit(address).netloc


def told(violation):
    return violation["id"], [node["html"][:200] for node in violation["nodes"][:3]]


def screen(window, name):
    folder = os.environ.get("HYBANDIT_SCREENS")
    if folder:
        plain = "".join(sign if sign.isalnum() else "-" for sign in name).strip("-")
        window.screenshot(path=Path(folder) / f"{plain}.png", full_page=False)
