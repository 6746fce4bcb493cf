from dataclasses import replace

import pytest

from hybandit.loop.counts.status import (
    NOTHING,
    MeanInterval,
    explanation,
    lateness,
    silence,
    time_told,
)
from hybandit.loop.storage.contract import LEARN, LOG, Entry, EventHistory
from hybandit.testing.storage import an_event


def test_nothing_gives_no_mean_and_equal_rewards_no_interval():
    assert MeanInterval.of(0, 0.0, 0.0) == NOTHING
    for count in (1, 3):
        found = MeanInterval.of(count, 0.1 * count, 0.01 * count)
        assert found == MeanInterval(pytest.approx(0.1), None, None)


def test_a_mean_has_the_usual_interval():
    found = MeanInterval.of(100, 20.0, 20.0)
    assert (found.mean, found.low) == (0.2, pytest.approx(0.2 - 1.96 * 0.04))


def test_silence_is_told_when_more_than_half_of_200_have_no_reward():
    assert silence(199, 199) is None
    assert silence(100, 200) is None
    assert silence(101, 200).startswith("101 of 200 decisions have no reward, and with wait=None")


def test_lateness_is_told_above_one_in_a_hundred():
    assert lateness(1, 100, 600.0, 1500.0) is None
    assert lateness(0, 0, 600.0, 0.0) is None
    told = lateness(2, 100, 600.0, 1500.0)
    assert told.startswith("2.0% of the rewards came after their window of 10 min")
    assert "wait='25 min' would have been in time for 99 %" in told
    told = lateness(2, 100, 3.0, 3.04)
    assert "window of 3 s" in told
    assert "wait='3.1 s'" in told, "a longer one than it has"


@pytest.mark.parametrize(
    ("seconds", "told"),
    [(0.5, "0.5 s"), (1.1, "1.1 s"), (45.01, "45.1 s"), (120.0, "120 s"), (121.0, "2.1 min"),
     (7200.0, "120 min"), (7200.5, "2.1 h"), (172_800.0, "48 h"), (172_801.0, "2.1 days"),
     (86_400.0 * 400, "400 days")],
)  # fmt: skip
def test_times_are_told_rounded_up(seconds, told):
    assert time_told(seconds) == told


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
        (
            history(closing=Entry(3, LOG, 1.0)),
            False,
            "closed, not learned: the mode was log-only, or learning was paused",
        ),
    ],
)
def test_every_life_has_its_reason(known, undone, why):
    told = explanation(known, now=200.0, here=5, undone=undone)
    assert told.why.startswith(why)
    assert (told.learned == 3) == (why.startswith("learned"))
