"""`python -m tools.page_pictures`: the pictures of docs/page.md and README, from a running demo.

Needs playwright and Debian's chromium.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path

from playwright.sync_api import Browser, sync_playwright

FIGURES = Path(__file__).parents[1] / "docs" / "figures"
SECONDS, RATE = 120, 60
# When most has happened and everything still runs.
MOMENT = 0.92
# Name, width, height, colours.
WINDOWS = (
    ("page", 1280, 1010, "light"),
    ("page-phone", 390, 844, "dark"),
)
PATIENCE = 60_000


def main() -> None:
    command = [sys.executable, "-m", "hybandit", "demo"]
    command += ["--seconds", str(SECONDS), "--rate", str(RATE)]
    program = shutil.which("chromium") or shutil.which("chromium-browser")
    with (
        subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as demo,
        sync_playwright() as engine,
    ):
        assert demo.stdout is not None
        found = re.search(r"http://\S+", demo.stdout.readline())
        assert found is not None
        browser = engine.chromium.launch(executable_path=program, args=["--no-sandbox"])
        for name, width, height, scheme in WINDOWS:
            photograph(browser, found[0], name, (width, height), scheme)
        demo.communicate()


def photograph(
    browser: Browser, address: str, name: str, size: tuple[int, int], scheme: str
) -> None:
    """The first screen of the page, once enough visitors have been there; one event, too."""
    context = browser.new_context(
        viewport={"width": size[0], "height": size[1]},
        color_scheme="dark" if scheme == "dark" else "light",
    )
    page = context.new_page()
    page.goto(address)
    page.locator("#chart-exploring canvas").first.wait_for(timeout=PATIENCE)
    while int(page.locator("#race strong").first.inner_text().split()[1].replace(",", "")) < (
        MOMENT * SECONDS * RATE
    ):
        page.wait_for_timeout(500)
    page.wait_for_timeout(1500)
    page.screenshot(path=FIGURES / f"{name}.png")
    if name == "page":
        # Some of the newest may have been closed meanwhile.
        page.locator("#events a").last.click()
        page.locator(".life").wait_for(timeout=PATIENCE)
        page.screenshot(path=FIGURES / "page-event.png")
    context.close()


if __name__ == "__main__":
    main()
