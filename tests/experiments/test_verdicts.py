import pytest

from hybandit.experiments.experiment import Scale
from hybandit.experiments.judgements import Claim, Verdict, Word, percent, ratios
from hybandit.experiments.paper import EXPERIMENTS
from hybandit.experiments.runs import Run
from hybandit.experiments.section import Published
from hybandit.experiments.spread import Spread
from hybandit.experiments.verdicts import Judged, conclusions_section, verdicts_section


@pytest.mark.parametrize(
    ("published", "ours", "outcome"),
    [
        # The interval within 5 %, on either side of zero or about it.
        (Published(100.0, 1.0), Spread(104.0, 1.0, 20), "reproduced"),
        (Published(100.0, 1.0), Spread(96.0, 1.0, 20), "reproduced"),
        (Published(100.0, 6.0), Spread(101.0, 6.0, 20), "reproduced"),
        # Beyond 5 %, and sure.
        (Published(100.0, 1.0), Spread(104.9, 1.0, 20), "not reproduced"),
        (Published(100.0, 1.0), Spread(95.1, 1.0, 20), "not reproduced"),
        (Published(100.0), Spread(120.0, 11.0, 10), "not reproduced"),
        # Zero within, and wide: by our spread, by theirs, by few runs.
        (Published(100.0, 1.0), Spread(103.0, 15.0, 20), "cannot tell"),
        (Published(100.0, 15.0), Spread(103.0, 1.0, 20), "cannot tell"),
        (Published(100.0), Spread(103.0, 1.0, 2), "cannot tell"),
        # Numbers below zero are as near as others.
        (Published(-100.0, 1.0), Spread(-104.0, 1.0, 20), "reproduced"),
        # One run is all there is.
        (Published(567.0), Spread(567.0, 0.0, 1), "reproduced"),
        (Published(567.0), Spread(600.0, 0.0, 1), "not reproduced"),
        # As near as the printed digits can tell.
        (Published(0.01, digits=2), Spread(0.014, 0.0, 1), "reproduced"),
        (Published(0.01, digits=2), Spread(0.016, 0.0, 1), "not reproduced"),
        (Published(2262.0), None, "no data"),
    ],
)
def test_a_verdict_weighs_the_gap_and_both_spreads(published, ours, outcome):
    assert Verdict.of("news", "clicks", published, ours).outcome == outcome


def regrets(scale):
    """LinUCB has what is printed for Mushroom everywhere, all others 1."""
    results = {}
    for cell in EXPERIMENTS["regret"].cells(scale):
        for task in cell.tasks:
            regret = 562.7 if "LinUCB" in str(cell.row) else 1.0
            results[task.key] = Run(rounds=10, reward=0.0, regret=regret, seconds=1.0)
    return results


def judged(*names, scale=None, results=None):
    scale = scale or Scale()
    return Judged([EXPERIMENTS[name] for name in names], scale, results or {})


def test_every_printed_regret_has_one_line_and_the_summary_counts_them():
    found = judged("regret", results=regrets(Scale()))
    section = verdicts_section(found)
    (numbers,) = [table for table in section.details if table.name == "verdicts"]
    assert len(numbers.rows) == 36
    outcomes = {row[1]: row[4] for row in numbers.rows}
    assert outcomes["LinUCB, alpha 1: Mushroom, ordinal"] == "reproduced"
    assert list(outcomes.values()).count("reproduced") == 1
    summary = section.tables[0]
    assert summary.title == "36 printed numbers, and 0 that follow from them"
    assert summary.rows == [["regret", 1, 35, 0, 0], ["all", 1, 35, 0, 0]]


def test_what_follows_from_other_numbers_is_not_counted_again():
    found = judged("news")
    found.verdicts = [
        Verdict.of("news", "clicks", Published(100.0), Spread(100.0, 0.0, 1)),
        Verdict.of("news", "mean", Published(0.12, digits=2), Spread(0.3, 0.0, 1), "from clicks"),
        Verdict.of("news", "other", Published(100.0), Spread(150.0, 0.0, 1)),
        Verdict.of("news", "unheld", Published(100.0), None),
    ]
    assert found.counts == {"reproduced": 1, "not reproduced": 1, "no data": 1}
    text = conclusions_section(found).sentences[0].text
    assert text.startswith("Of 2 printed numbers")
    assert "1 reproduce, 1 do not, and for 0 nobody can tell; for 1 more" in text


def test_claims_and_words_are_shown_with_yes_or_no():
    found = judged("news")
    found.claims = [Claim("news", "a", "b", True), Claim("news", "c", "d", False)]
    found.words = [Word("news", "x", "1", "2", "not reproduced")]
    section = verdicts_section(found)
    assert [row[-1] for row in section.tables[1].rows] == ["yes", "NO"]
    words = section.details[0]
    assert words.title.startswith("1 printed words: 0 reproduced, 1 not, 0 that")


def test_the_attributes_of_our_policies_are_those_printed():
    found = judged()
    assert len(found.words) == 32
    assert {word.outcome for word in found.words} == {"reproduced"}


def test_reasons_are_given_for_what_is_shown():
    section = verdicts_section(judged("news"))
    assert next(note.split(":")[0] for note in section.notes) == "news"


def test_the_first_page_says_what_is_missing():
    results = regrets(Scale())
    results.pop(next(iter(results)))
    about = conclusions_section(judged("regret", results=results)).about
    assert about.startswith("NOT FINISHED: 1 of ")
    assert conclusions_section(judged("regret", results=regrets(Scale()))).about[:5] == "Every"


def test_ratios_are_at_equal_seeds_and_percents_are_more():
    assert ratios({0: 4.0, 1: 9.0, 2: 5.0}, {0: 2.0, 1: 3.0}) == Spread.of([2.0, 3.0])
    assert ratios({0: 4.0, 1: 9.0}, {}) is None
    assert percent(Spread(1.5, 0.25, 4)) == Spread(50.0, 25.0, 4)
    assert percent(None) is None
