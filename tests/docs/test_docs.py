"""What the documents show is run, so that it cannot drift."""

import re
from pathlib import Path

import pytest

from hybandit.paper.disclosure import STACKED_HYBRID

ROOT = Path(__file__).parents[2]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]  # Recipes: test_recipes.


# The loops and logs of the pages are short.
@pytest.mark.filterwarnings("ignore::hybandit.EvaluationWarning")
@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_python_in_the_documents_runs(page, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    names = {"__name__": "docs"}
    for block in re.findall(r"```python\n(.*?)```", page.read_text(), re.DOTALL):
        if "localhost:8000" in block:
            continue  # It needs a server: tests/service/test_examples.py starts one.
        exec(compile(block, page.name, "exec"), names)


@pytest.mark.parametrize("page", ["README.md", "docs/results/summary.md"])
def test_pages_tell_what_stacked_hybrid_was_shaped_on(page):
    text = " ".join((ROOT / page).read_text().split())
    assert f"shaped on {STACKED_HYBRID.looked_at}" in text


@pytest.mark.parametrize("page", ["README.md", "docs/results/summary.md", "docs/choosing.md"])
def test_who_speaks_of_magic_tells_who_is_ahead_on_its_ordinal_columns(page):
    text = (ROOT / page).read_text()
    assert "Magic" in text
    assert "`ordinal`" in text
    assert "neurallinear" in text.lower().replace("-", "")


def test_wins_against_weak_policies_are_not_added_up():
    for page in [*PAGES, ROOT / "docs/results/summary.md"]:
        assert not re.search(r"in \d+ of \d+\s+comparisons", page.read_text()), page


@pytest.mark.parametrize(
    ("page", "most"), [("README.md", 120), ("CHANGELOG.md", 40), ("docs/design.md", 180)]
)
def test_what_is_read_in_one_go_stays_short(page, most):
    assert len((ROOT / page).read_text().splitlines()) < most


def test_the_results_are_light():
    files = [path for path in (ROOT / "docs/results").rglob("*") if path.is_file()]
    assert sum(path.stat().st_size for path in files) < 3e6


@pytest.mark.parametrize("page", [PAGES[0], *(ROOT / "docs").rglob("*.md")], ids=str)
def test_links_lead_to_files(page):
    targets = re.findall(r"\]\(([^)#\s]+)(?:#[^)]*)?\)", page.read_text())
    local = [target for target in targets if "://" not in target]
    assert [target for target in local if not (page.parent / target).exists()] == []
