"""The whole report of made-up runs: conclusions on one page, and no more words than people read."""

import re
import zlib

import numpy as np
import pytest
from made_up import EXTRA

from hybandit.experiments import Run, Store
from hybandit.experiments.experiment import Scale
from hybandit.experiments.requests import Reproduce
from hybandit.reports.page import markdown

TWO = Scale(runs=2)


def results(request):
    """Numbers that differ by policy and hardly by seed, so that nothing is left out as chance."""
    found = {}
    for task in (task for each in request.experiments for task in each.tasks(TWO)):
        told = f"{task.policy.label} {task.environment.name}"
        level = 10 ** np.random.default_rng(zlib.crc32(told.encode())).uniform(1.2, 2.8)
        level += task.seed % 10
        found[task.key] = Run(
            800, 800 - level, level, level / 100, at=[1, 800], rewards=[0.0, 800 - level],
            regrets=[0.0, level],
            extra={"frequencies": {"all": 0.3, "late": 0.3}, **dict.fromkeys(EXTRA, level / 300)},
        )  # fmt: skip
    return found


@pytest.fixture(scope="module")
def text(tmp_path_factory):
    request = Reproduce.of([], TWO)
    store = Store(tmp_path_factory.mktemp("store") / "s.sqlite")
    return markdown(request.title, request.sections(results(request)), store)


def prose(text):
    """All but tables, with their titles, and pictures; a link counts as its words."""
    lines = [line for line in text.splitlines() if not line.startswith(("|", "<a id", "!["))]
    return re.sub(r"\]\([^)]*\)", "", "\n".join(lines))


def test_the_report_is_under_2500_words_without_its_tables(text):
    assert 1000 < len(prose(text).split()) < 2500


def test_conclusions_come_first_and_every_one_leads_to_a_table_that_is_there(text):
    first = text.split("\n## ")[1]
    assert first.startswith("Conclusions")
    links = re.findall(r"^\d+\. .*\(\[table\]\(#(.*)\)\)$", first, flags=re.M)
    assert 10 <= len(links) <= 14
    for link in links:
        assert f'<a id="{link}"></a>' in text
    assert len(first.split()) < 600
