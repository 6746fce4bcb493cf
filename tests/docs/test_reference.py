"""What is made from the code is up to date."""

import re

import pytest

from tools import policy_lists
from tools.pages import PAGES
from tools.policy_lists import LISTS, ROOT

MADE = {**LISTS, **PAGES}


@pytest.mark.parametrize("page", MADE)
def test_what_is_generated_is_up_to_date(page):
    written = (ROOT / page).read_text()
    assert written == MADE[page](), "run: python -m tools.reference"


def test_a_policy_that_is_gone_leaves_every_list(monkeypatch):
    known = policy_lists.found()
    assert known["lnucb-ta"] == ("LNUCBTA", "hybandit.policies.lnucb_ta")
    left = {name: home for name, home in known.items() if name != "ucb"}
    monkeypatch.setattr(policy_lists, "found", lambda: left)
    assert "`ucb`" not in policy_lists.readme()
    assert "`kl-ucb`, `epsilon-greedy`" in policy_lists.readme()
    for written in LISTS.values():
        assert not re.search(r"\bUCB\b", written())
        assert re.search(r"\bKLUCB\b", written())


def test_a_new_policy_gets_a_row_of_its_own_in_the_readme(monkeypatch):
    text = policy_lists.readme()
    told = "The mean reward of each arm plus a bonus for arms played rarely; ignores contexts"
    monkeypatch.setattr(policy_lists.Path, "read_text", without(text, "`ucb`, "))
    assert f"| `ucb` | {told} |" in policy_lists.readme()


def without(text, taken):
    """`Path.read_text` where the README lacks something."""
    real = policy_lists.Path.read_text
    return lambda path: text.replace(taken, "") if path.name == "README.md" else real(path)
