import pytest
from paper.whole import whole_report

from hybandit.experiments.experiment import Effort
from hybandit.experiments.runs import Run
from hybandit.paper.experiments import EXPERIMENTS
from hybandit.paper.judgement.judgements import (
    Claim,
    Verdict,
    Word,
    claim_more,
    claim_within,
    percent,
    ratios,
)
from hybandit.paper.judgement.values import Published
from hybandit.paper.judgement.verdicts import Judged, conclusions_section, verdicts_section
from hybandit.reports.spread import Spread


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
        # Nothing is left to chance.
        (Published(567.0), Spread(567.0, 0.0, 10), "reproduced"),
        (Published(567.0), Spread(600.0, 0.0, 10), "not reproduced"),
        # One run spreads as the paper's do: 2.09 * sd * sqrt(1 + 1 / 20) to either side.
        (Published(100.0, 2.0), Spread(100.5, 0.0, 1), "reproduced"),
        (Published(100.0, 2.5), Spread(105.3, 0.0, 1), "cannot tell"),
        (Published(100.0, 2.5), Spread(105.4, 0.0, 1), "not reproduced"),
        # One run, and no spread printed.
        (Published(567.0), Spread(567.0, 0.0, 1), "cannot tell"),
        # Two runs that agree do not widen the paper's 20 beyond 19 degrees of freedom.
        (Published(100.0, 11.0), Spread(105.1, 0.0, 2), "cannot tell"),
        (Published(100.0, 11.0), Spread(105.2, 0.0, 2), "not reproduced"),
        # As near as the printed digits can tell.
        (Published(0.01, digits=2), Spread(0.014, 0.0, 9), "reproduced"),
        (Published(0.01, digits=2), Spread(0.016, 0.0, 9), "not reproduced"),
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
    scale = scale or Effort()
    return Judged([EXPERIMENTS[name] for name in names], scale, results or {})


def test_every_printed_regret_has_one_line_and_the_summary_counts_them():
    found = judged("regret", results=regrets(Effort()))
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
        Verdict.of("news", "clicks", Published(100.0), Spread(100.0, 0.0, 2)),
        Verdict.of("news", "mean", Published(0.12, digits=2), Spread(0.3, 0.0, 2), "from clicks"),
        Verdict.of("news", "other", Published(100.0), Spread(150.0, 0.0, 2)),
        Verdict.of("news", "unheld", Published(100.0), None),
    ]
    assert found.counts == {"reproduced": 1, "not reproduced": 1, "no data": 1}
    text = conclusions_section(found).sentences[0].text
    assert text.startswith("Of 2 printed numbers")
    assert "1 reproduce, 1 do not, and for 0 nobody can tell; for 1 more" in text


def test_claims_and_words_are_shown_with_yes_no_or_cannot_tell():
    found = judged("news")
    found.claims = [Claim("news", "a", "b", holds) for holds in (True, False, None)]
    found.words = [Word("news", "x", "1", "2", "not reproduced")]
    section = verdicts_section(found)
    claims = next(each for each in section.tables if each.name == "claims")
    assert [row[-1] for row in claims.rows] == ["yes", "NO", "cannot tell"]
    words = section.details[1]
    assert words.title.startswith("0 of 1 printed best settings reproduced, 1 not, 0 that")


def test_every_number_that_may_not_reproduce_has_an_explanation():
    _, sections = whole_report()
    (missed,) = [each for each in sections[-1].tables if each.name == "verdicts-missed"]
    assert len(missed.rows) > 40
    assert missed.title.startswith(f"{len(missed.rows)} printed numbers that do not reproduce")
    # These come out to the click, and would have none.
    exact = ("LinUCB, ", "(Lin+k-NN)-UCB, ")
    unexplained = [row[1] for row in missed.rows if row[-1] == "none found"]
    assert all(number.startswith(exact) for number in unexplained)
    why = {row[1]: row[-1] for row in missed.rows}
    assert "choices that were not made" in why["LNUCB-TA, 1: clicks"]


SURE = ({0: 5.0, 1: 6.0, 2: 7.0}, {0: 1.0, 1: 2.0, 2: 3.5})
OPEN = ({0: 5.0, 1: 6.0, 2: 7.0}, {0: 4.0, 1: 8.0, 2: 6.0})


@pytest.mark.parametrize(
    ("pairs", "holds"),
    [
        ([SURE], True),
        ([OPEN], None),
        ([SURE, OPEN], None),
        ([SURE[::-1]], False),
        ([SURE, OPEN, SURE[::-1]], False),
        # Equal is not more.
        ([(SURE[0], SURE[0])], False),
    ],
)
def test_a_claim_of_more_is_held_by_intervals(pairs, holds):
    (claim,) = claim_more("news", "more", dict(zip("abc", pairs, strict=False)))
    assert claim.holds is holds


@pytest.mark.parametrize(("margin", "holds"), [(4.2, True), (4.0, None), (3.9, None), (3.8, False)])
def test_a_claim_of_alike_is_held_on_both_sides(margin, holds):
    values, reference = SURE[0], {0: 1.0, 1: 2.1, 2: 3.0}
    for pair in ((values, reference), (reference, values)):
        (claim,) = claim_within("news", "alike", {"a": pair}, margin)
        assert claim.holds is holds


def test_intervals_of_a_claim_hold_together_and_none_is_made_of_missing_runs():
    one, two = (claim_more("news", "more", dict.fromkeys(names, SURE)) for names in ("a", "ab"))
    assert one[0].found == "a +3.83 [+3.12, +4.55]"
    assert two[0].found == "a +3.83 [+2.80, +4.87]; b +3.83 [+2.80, +4.87]"
    assert claim_more("news", "more", {"a": SURE, "b": (SURE[0], {})}) == []


def test_ratios_are_at_equal_seeds_and_percents_are_more():
    assert ratios({0: 4.0, 1: 9.0, 2: 5.0}, {0: 2.0, 1: 3.0}) == Spread.of([2.0, 3.0])
    assert ratios({0: 4.0, 1: 9.0}, {}) is None
    assert percent(Spread(1.5, 0.25, 4)) == Spread(50.0, 25.0, 4)
    assert percent(None) is None
