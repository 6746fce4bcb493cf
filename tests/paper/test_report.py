"""The whole report of made-up runs: conclusions on one page, and no more words than people read."""

import re

import pytest
from paper.whole import whole_report

from hybandit.experiments import Store
from hybandit.experiments.provenance import provenance
from hybandit.reports.page import markdown


@pytest.fixture(scope="module")
def text(tmp_path_factory):
    store = Store(tmp_path_factory.mktemp("store") / "s.sqlite")
    return markdown(*whole_report(), provenance(store))


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
    assert len(links) == 10
    for link in links:
        assert f'<a id="{link}"></a>' in text
    assert len(first.split()) < 600
