from dataclasses import replace

import numpy as np
import pytest

from hybandit.loop.status import Rate, explanation, rates
from hybandit.loop.storage import LEARN, LOG, Entry, Life, Outcome
from hybandit.testing.storage import an_event


def test_nothing_gives_no_rates():
    assert rates([]) == (Rate(None, None, None), Rate(None, None, None), None)


def test_rates_are_those_of_the_served_and_of_the_baseline():
    generator = np.random.default_rng(0)
    outcomes = []
    for _ in range(4000):
        choice = int(generator.random() < 0.8)
        reward = float(generator.random() < (0.3, 0.6)[choice])
        outcomes.append(Outcome(reward, choice, 1, 0, (0.2, 0.8)))
    served, baseline, agreement = rates(outcomes)
    assert served.low < 0.2 * 0.3 + 0.8 * 0.6 < served.high
    assert baseline.low < 0.3 < baseline.high
    assert baseline.high - baseline.low > served.high - served.low
    assert agreement == pytest.approx(0.8, abs=0.03)


def test_a_baseline_never_served_has_no_rate():
    assert rates([Outcome(1.0, 1, 1, 0, (0.5, 0.5))])[1] == Rate(None, None, None)


def life(**changes):
    return replace(Life(an_event(), None, None, (), None), **changes)


@pytest.mark.parametrize(
    ("known", "undone", "why"),
    [
        (life(), False, "no reward yet: the first one closes it"),
        (life(event=replace(an_event(), deferred=True)), False, "deferred: it cannot close before"),
        (life(due=500.0), False, "its window is open until 1970-01-01T00:08:20+00:00"),
        (life(due=100.0), False, "its window is over; it closes when a learner comes by"),
        (life(closing=Entry(3, LEARN, 1.0)), False, "learned in version 3"),
        (life(closing=Entry(3, LEARN, 1.0)), True, "learned in version 3, then rolled back"),
        (life(closing=Entry(9, LEARN, 1.0)), False, "closed as version 9; this process"),
        (life(closing=Entry(3, LOG, 1.0)), False, "closed, not learned: the mode was log-only"),
    ],
)
def test_every_life_has_its_reason(known, undone, why):
    told = explanation(known, now=200.0, here=5, undone=undone)
    assert told.why.startswith(why)
    assert (told.learned == 3) == (why.startswith("learned"))
