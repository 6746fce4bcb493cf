"""What the documents show is run, so that it cannot drift."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]  # Recipes: test_recipes.


# The loops and logs of the pages are short.
@pytest.mark.filterwarnings("ignore::hybandit.EvaluationWarning")
@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_python_in_the_documents_runs(page, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    names = {"__name__": "docs"}
    for block in re.findall(r"```python\n(.*?)```", page.read_text(), re.DOTALL):
        exec(compile(block, page.name, "exec"), names)


def test_the_example_policy_is_short():
    page = (ROOT / "docs" / "own-policy.md").read_text()
    block = re.search(r"class CuriousGreedy.*?```", page, re.DOTALL).group()
    assert len([line for line in block.splitlines() if line.strip()]) <= 30


def test_the_readme_is_one_screen():
    assert len((ROOT / "README.md").read_text().splitlines()) < 120


@pytest.mark.parametrize("page", [PAGES[0], *(ROOT / "docs").rglob("*.md")], ids=str)
def test_links_lead_to_files(page):
    targets = re.findall(r"\]\(([^)#\s]+)(?:#[^)]*)?\)", page.read_text())
    local = [target for target in targets if "://" not in target]
    assert [target for target in local if not (page.parent / target).exists()] == []


def test_every_policy_is_in_the_readme():
    from hybandit.policies import policy_names

    text = (ROOT / "README.md").read_text()
    missing = {name for name in policy_names() if f"`{name}`" not in text}
    assert missing <= {"curious-greedy", "last-reward"}  # Pages that were run define these.
