from dataclasses import replace

import numpy as np
import pytest

from hybandit.loop.status import NOTHING, MeanInterval, Status, explanation, rates
from hybandit.loop.storage import LEARN, LOG, Entry, EventHistory, Outcome
from hybandit.testing.storage import an_event


def test_nothing_gives_no_rates():
    assert rates([]) == (NOTHING, NOTHING, NOTHING, None)


def test_rates_are_those_of_the_served_and_of_the_baseline():
    generator = np.random.default_rng(0)
    outcomes = []
    for _ in range(4000):
        choice = int(generator.random() < 0.8)
        reward = float(generator.random() < (0.3, 0.6)[choice])
        outcomes.append(Outcome(reward, choice, 1, 0, (0.2, 0.8)))
    served, baseline, gain, agreement = rates(outcomes)
    assert served.low < 0.2 * 0.3 + 0.8 * 0.6 < served.high
    assert baseline.low < 0.3 < baseline.high
    assert baseline.high - baseline.low > served.high - served.low
    assert gain.mean == pytest.approx(served.mean - baseline.mean)
    assert gain.low < 0.8 * 0.3 < gain.high
    assert agreement == pytest.approx(0.8, abs=0.03)


def test_a_baseline_never_served_has_no_rate():
    assert rates([Outcome(1.0, 1, 1, 0, (0.5, 0.5))])[1:3] == (NOTHING, NOTHING)


@pytest.mark.parametrize("count", [1, 3])
def test_rewards_that_are_all_equal_have_a_mean_but_no_interval(count):
    served, baseline, gain, _ = rates([Outcome(0.1, 0, 1, 0, (0.5, 0.5))] * count)
    assert served == baseline == MeanInterval(pytest.approx(0.1), None, None)
    assert (gain.low, gain.high) == (None, None)


def drawn(chances, count, probability=0.5, seed=0):
    """Outcomes of a loop that shows the baseline with this probability."""
    generator = np.random.default_rng(seed)
    choices = (generator.random(count) >= probability).astype(int).tolist()
    return [
        Outcome(float(generator.random() < chances[choice]), choice, 1, 0,
                (probability, 1.0 - probability))
        for choice in choices
    ]  # fmt: skip


def test_the_interval_of_the_gain_holds_the_true_one_as_often_as_it_says():
    held = 0
    for seed in range(300):
        gain = rates(drawn((0.3, 0.6), 400, 0.2, seed))[2]
        held += gain.low < 0.8 * 0.3 < gain.high
    assert 0.92 < held / 300 < 0.99


def verdict(outcomes, mode="online"):
    reward, baseline, gain, agreement = rates(outcomes)
    counts = dict.fromkeys(
        ["version", "here", "lag", "events", "rewards", "late", "learned", "waiting", "actions",
         "snapshots", "bytes"], 0,
    )  # fmt: skip
    return Status(
        url="", mode=mode, policy="", closed=len(outcomes), learner=None, leads=False,
        reward=reward, baseline=baseline, gain=gain, agreement=agreement, error=None, **counts,
    ).verdict  # fmt: skip


EARLY = "Too early to tell whether the loop beats the baseline"


@pytest.mark.parametrize(
    ("outcomes", "told"),
    [
        ([], f"{EARLY}: closed events so far: 0."),
        (drawn((0.0, 1.0), 1), f"{EARLY}: closed events so far: 1."),
        (drawn((0.0, 1.0), 19), f"{EARLY}: closed events so far: 19."),
        (drawn((0.0, 1.0), 300, 0.02), f"{EARLY}, which was shown too rarely so far."),
        (drawn((0.0, 1.0), 300, 0.0), f"{EARLY}, which was shown too rarely so far."),
        (drawn((0.5, 0.5), 300), f"{EARLY}: the difference is "),
        (drawn((0.0, 0.02), 300, 0.1), f"{EARLY}: the difference is "),
        (drawn((0.0, 1.0), 300), "The loop is better than the baseline by 0.5"),
        (drawn((1.0, 0.0), 300), "The loop is worse than the baseline by 0.5"),
    ],
)
def test_the_verdict_is_made_from_the_numbers(outcomes, told):
    assert verdict(outcomes).startswith(told)


def test_without_choices_of_its_own_there_is_no_verdict():
    told = "In mode apprentice the loop shows the baseline: there is nothing to compare."
    assert verdict(drawn((0.3, 0.3), 300, 1.0), "apprentice") == told


def history(**changes):
    return replace(EventHistory(an_event(), None, None, (), None), **changes)


@pytest.mark.parametrize(
    ("known", "undone", "why"),
    [
        (history(), False, "no reward yet: the first one closes it"),
        (
            history(event=replace(an_event(), deferred=True)),
            False,
            "deferred: it cannot close before",
        ),
        (history(due=500.0), False, "its window is open until 1970-01-01T00:08:20+00:00"),
        (history(due=100.0), False, "its window is over; it closes when a learner comes by"),
        (history(closing=Entry(3, LEARN, 1.0)), False, "learned in version 3"),
        (
            history(closing=Entry(3, LEARN, 1.0)),
            True,
            "learned in version 3, then undone by a later version",
        ),
        (history(closing=Entry(9, LEARN, 1.0)), False, "closed as version 9; this process"),
        (history(closing=Entry(3, LOG, 1.0)), False, "closed, not learned: the mode was log-only"),
    ],
)
def test_every_life_has_its_reason(known, undone, why):
    told = explanation(known, now=200.0, here=5, undone=undone)
    assert told.why.startswith(why)
    assert (told.learned == 3) == (why.startswith("learned"))
