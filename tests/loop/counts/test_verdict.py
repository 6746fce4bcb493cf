import json

import numpy as np
import pytest

from hybandit.loop.counts.verdict import BETTER, UNKNOWN, WORSE, GainEvidence


def played(rates, count, chance=0.2, control=0.05, seed=0):
    """The evidence of a loop between the baseline, shown with this chance, and another action."""
    draw = np.random.default_rng(seed)
    evidence = GainEvidence(control)
    for _ in range(count):
        served = bool(draw.random() < chance)
        reward = float(draw.random() < rates[0 if served else 1])
        evidence.add(reward, served=served, chance=chance)
    return evidence


@pytest.mark.parametrize(
    ("rates", "answer"), [((0.2, 0.8), BETTER), ((0.8, 0.2), WORSE), ((0.5, 0.5), UNKNOWN)]
)
def test_the_better_is_called_better_and_the_worse_worse(rates, answer):
    """A flipped sign fails here."""
    found = played(rates, 2000).verdict()
    gain = 0.8 * (rates[1] - rates[0])
    assert found.answer == answer
    assert found.low < gain < found.high
    assert found.gain == pytest.approx(gain, abs=0.1)
    assert {BETTER: found.low > 0, WORSE: found.high < 0, UNKNOWN: found.more > 0}[answer]
    assert (answer in found.text) == (answer != UNKNOWN)


def test_what_is_missing_is_told():
    early = "Cannot tell yet whether the loop is better than the baseline"
    nothing = GainEvidence(0.05).verdict()
    assert nothing.text == f"{early}: no event is closed in which there was a choice."
    assert GainEvidence(0.05).verdict("apprentice").text.startswith("In mode apprentice the loop")
    without = played((0.2, 0.8), 50, control=0.0).verdict()
    assert without.text == f"{early}, which is shown too rarely: control is 0."
    told = played((0.5, 0.6), 100).verdict().text
    assert told.startswith(f"{early}: the difference is 0.")
    assert " more events." in told


def test_where_the_baseline_was_certain_there_was_no_choice():
    evidence = GainEvidence(0.05)
    for _ in range(50):
        evidence.add(1.0, served=True, chance=1.0)
    assert evidence.verdict().events == 0


def test_events_from_before_control_was_raised_are_left_out():
    evidence = played((0.5, 0.5), 10, control=0.1)
    before = evidence.state()
    evidence.add(1.0, served=True, chance=0.05)
    assert evidence.state() == before
    evidence.add(1.0, served=True, chance=0.1)
    assert evidence.state() != before


def test_rewards_beyond_0_to_1_are_assumed_to_stay_where_they_were():
    evidence = GainEvidence(0.2)
    for turn in range(400):
        evidence.add(10.0 * (turn % 5 > 0), served=turn % 5 == 0, chance=0.2)
    assert "if rewards stay within 0 and 10" in evidence.verdict().text
    narrow, wide = evidence.verdict(reward_range=(0, 10)), evidence.verdict(reward_range=(0, 100))
    assert "if rewards stay" not in narrow.text
    assert narrow.low > wide.low


def test_the_interval_holds_as_often_as_it_says_at_all_times():
    missed = 0
    for seed in range(100):
        draw = np.random.default_rng(seed)
        evidence = GainEvidence(0.1)
        wrong = False
        for turn in range(600):
            served = bool(draw.random() < 0.1)
            evidence.add(float(draw.random() < 0.3), served=served, chance=0.1)
            if turn % 50 == 49:
                found = evidence.verdict()
                wrong |= not found.low <= 0.0 <= found.high
        missed += wrong
    assert missed <= 5


def test_it_comes_back_from_json_as_it_was():
    evidence = played((0.3, 0.4), 300)
    again = GainEvidence.restored(json.loads(json.dumps(evidence.state())))
    for each in (evidence, again):
        each.add(1.0, served=True, chance=0.2)
    assert again.state() == evidence.state()
    assert again.verdict() == evidence.verdict()
