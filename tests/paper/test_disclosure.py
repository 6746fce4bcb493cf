"""What shaped what is told from one place."""

from pathlib import Path

import hybandit.paper
from hybandit.experiments.experiment import Effort
from hybandit.paper.disclosure import ALL, FORGETTING, ITEM_HYBRID, STACKED_HYBRID
from hybandit.paper.experiments import EXPERIMENTS


def test_adult_and_the_rest_are_named():
    for data in ("digits", "Magic", "Mushroom", "Adult"):
        assert data in str(STACKED_HYBRID)
    assert STACKED_HYBRID.in_view == "MNIST, the news log"
    assert "reported seeds" in STACKED_HYBRID.seeds


def test_no_other_file_of_the_audit_says_it_in_words_of_its_own():
    folder = Path(hybandit.paper.__file__).parent
    for path in folder.rglob("*.py"):
        if path.name != "disclosure.py":
            assert "shaped on digits" not in path.read_text(), path
            assert "reported seeds" not in path.read_text(), path


def test_every_part_stands_where_its_rows_do():
    def told(name):
        experiment = EXPERIMENTS[name]
        section = experiment.section(experiment.findings(Effort(), {}))
        return " ".join([*(table.note for table in section.tables), *section.notes])

    assert str(FORGETTING) in told("drift")
    assert str(ITEM_HYBRID) in told("items")
    section = EXPERIMENTS["tuning"].section(EXPERIMENTS["tuning"].findings(Effort(), {}))
    (table,) = [each for each in section.tables if each.name == "disclosure"]
    assert [row[0] for row in table.rows] == [each.what for each in ALL]
