"""Every section is built from made-up results, whole and with holes."""

import csv
import io
import re

import pytest
from made_up import THREE
from paper.whole import results

from hybandit.paper.experiments import EXPERIMENTS
from hybandit.paper.reproduce import Reproduce
from hybandit.reports.figures import LIGHT, drawn
from hybandit.reports.tables import csv_of


@pytest.mark.parametrize("every", [1, 5])
@pytest.mark.parametrize("name", EXPERIMENTS)
def test_a_section_is_made_of_what_is_there(name, every):
    found = list(results(Reproduce.of([name], THREE)).items())[::every]
    section = EXPERIMENTS[name].section(EXPERIMENTS[name].findings(THREE, dict(found)))
    assert section.tables
    for table in section.tables:
        text = csv_of(table)
        assert not re.search(r"\bnan\b|±", text)
        head, *rows = csv.reader(io.StringIO(text))
        assert len(set(head)) == len(head)
        assert all(len(row) == len(head) for row in rows)
    for figure in section.figures:
        assert drawn(figure, LIGHT).axes
