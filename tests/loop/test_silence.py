"""What becomes of decisions without a reward."""

import time
import warnings
from collections import Counter
from datetime import timedelta

import numpy as np
import pytest
from clocked_loop import ClockedLoop

from hybandit import Loop
from hybandit.errors import InvalidInput

RATES = {"good": 0.5, "poor": 0.1, "worthless": 0.0}


def visited(loop, visitors, each=lambda visitor: None):
    """Visitors who report clicks only; returns which action each of them saw."""
    draw, shown = np.random.default_rng(0), []
    for visitor in range(visitors):
        decision = loop.rank({}, list(RATES), baseline="poor")
        shown.append(decision.action)
        if draw.random() < RATES[decision.action]:
            loop.reward(decision.event, 1.0)
        each(visitor)
    return shown


@pytest.mark.parametrize("place", ["new.db", "sqlite:///{}/other.db"])
def test_a_new_loop_must_say_how_long_a_reward_may_take(tmp_path, place):
    place = place.format(tmp_path) if "://" in place else tmp_path / place
    with pytest.raises(InvalidInput, match=r"'wait' must be given .* wait='10 min', .* wait=None"):
        Loop(place)
    assert not list(tmp_path.iterdir()), "a loop that was refused left a file"


def test_a_database_without_a_loop_is_none_yet(storages, url):
    with pytest.raises(InvalidInput, match="'wait' must be given"):
        Loop(url)
    with Loop(url, wait="2 days") as loop:
        assert loop.settings["wait"] == 2 * 86_400.0
    with Loop(url) as loop:
        assert loop.settings["wait"] == 2 * 86_400.0


@pytest.mark.parametrize(
    ("wait", "seconds"),
    [(timedelta(minutes=1), 60.0), (5, 5.0), (2.5, 2.5), ("90", 90.0), ("10 min", 600.0),
     ("1.5 h", 5400.0), ("3 hours", 10_800.0), ("1 week", 604_800.0), (None, None)],
)  # fmt: skip
def test_how_it_can_be_said(tmp_path, wait, seconds):
    with Loop(tmp_path / "loop.db", wait=wait) as loop:
        assert loop.settings["wait"] == seconds


def test_with_a_window_silence_is_learned_and_the_best_is_shown(tmp_path):
    """README's lines: a reward for each click, and nothing else."""
    ClockedLoop.time = 1e6
    with ClockedLoop(tmp_path / "loop.db", wait="1 min") as loop:

        def a_second_later(visitor):
            ClockedLoop.time += 1.0
            if visitor % 50 == 49:
                learned(loop)

        shown = visited(loop, 1500, a_second_later)
        ClockedLoop.time += 100.0
        learned(loop)
        status, table = loop.status(), loop.actions().set_index("action")
        assert status.learned == status.events == 1500
        assert (status.waiting, status.notes) == (0, ())
        last = loop.rank({}, list(RATES), baseline="poor")
    assert Counter(shown[-300:])["good"] > 200
    assert dict(last.ranking)["good"] > 0.8
    assert table.loc["good", "reward"] == pytest.approx(0.5, abs=0.06)
    assert table.loc["worthless", "reward"] == 0.0


def learned(loop):
    """Wait until what is over by now is closed and learned."""
    while loop._storage.facts(ClockedLoop.time)["overdue"]:
        loop._follower.wake()
        time.sleep(0.005)
    assert loop.wait_for()


def test_without_a_window_silence_is_told_and_no_action_runs_away(tmp_path):
    """Before, the worthless one was shown to 1,448 of these 1,500."""
    with (
        Loop(tmp_path / "loop.db", wait=None, staleness=0.02) as loop,
        warnings.catch_warnings(record=True) as told,
    ):
        warnings.simplefilter("always")
        shown = visited(loop, 1500, lambda visitor: time.sleep(0.01 * (visitor % 20 == 19)))
        note = loop.status().notes[0]
    warned = [str(each.message) for each in told if issubclass(each.category, UserWarning)]
    assert len(warned) == 1, "it is not told, or more than once"
    assert "decisions have no reward, and with wait=None they are never learned" in warned[0]
    assert "change(wait='10 min')" in note
    assert Counter(shown)["worthless"] < 500
    late = Counter(shown[-500:])
    assert late["worthless"] < 100
    assert late["good"] > late["poor"], "an action that is answered is shown more"


def test_where_every_decision_gets_its_reward_nothing_is_told(tmp_path):
    with Loop(tmp_path / "loop.db", wait=None) as loop:
        for number in range(260):
            decision = loop.rank({}, ["a", "b"])
            loop.reward(decision.event, float(number % 2))
        assert loop.status().notes == ()


def test_late_rewards_are_counted_and_a_better_window_is_told(tmp_path):
    ClockedLoop.time = 1e6
    with ClockedLoop(tmp_path / "loop.db", wait="10 s") as loop:
        events = [loop.rank({}, ["a", "b"]).event for _ in range(50)]
        for event in events[:45]:
            loop.reward(event, 1.0)
        assert loop.status().notes == ()
        ClockedLoop.time += 55.0
        for event in events[45:]:
            loop.reward(event, 1.0)
        status = loop.status()
    assert status.late == 5
    told = "10.0% of the rewards came after their window of 10 s and were not learned: "
    assert status.notes[0].startswith(f"{told}wait='55.2 s' would have been in time")
