import pytest

from hybandit.paper.judgement.values import Gain, Published, PublishedRun, PublishedShare, Share
from hybandit.reports.section import Column, Worded
from hybandit.reports.spread import Difference, Spread


@pytest.mark.parametrize(
    ("value", "text", "numbers"),
    [
        (Spread(109.4, 10.04, 5), "109.4 ± 10.0", [109.4, 10.04, 5]),
        (Difference(2.0, -0.5, 4.5, 3), "+2.00 [-0.50, +4.50]", [2.0, -0.5, 4.5, 3]),
        (Published(2097.5, 50.3), "2,098 ± 50", [2097.5, 50.3]),
        (Published(567), "567", [567, ""]),
        (PublishedShare(None, 0.02), "? ± 0.02", ["", 0.02]),
        (PublishedRun(2089, 10.11), "2,089 / 10 s", [2089, 10.11]),
        (Gain(12.3, 8.0, 1.0, 15.0, 4), "+12 %, +8.0 [+1.0, +15.0]", [12.3, 8.0, 1.0, 15.0, 4]),
        (Gain(12.3), "+12 %", [12.3, "", "", "", ""]),
        (Share(3, 10), "3 of 10", [3, 10]),
        (Worded(0.5, "at most {:.2f}"), "at most 0.50", [0.5]),
        ("words", "words", ["words"]),
        (1234.5, "1,234", [1234.5]),
        (True, "yes", ["yes"]),
    ],
)
def test_a_value_is_text_for_people_and_numbers_for_programs(value, text, numbers):
    column = Column("head", type(value))
    assert column.text(value) == text
    assert column.numbers(value) == numbers
    assert len(column.csv_names) == len(numbers)
    assert column.text(None) == "-"
    assert column.numbers(None) == [""] * len(numbers)


def test_names_in_files_may_differ_from_heads():
    column = Column("published", Published, name="Adult published")
    assert column.csv_names == ["Adult published mean", "Adult published sd"]
