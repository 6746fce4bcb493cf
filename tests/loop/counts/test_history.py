import json
import math

import numpy as np
import pytest

from hybandit.loop import Loop
from hybandit.loop.counts.history import MOST, MOST_NAMES, History
from hybandit.loop.counts.verdict import GainEvidence
from hybandit.loop.storage.contract import LEARN, ClosedEvent


def closed(position, at, reward=1.0, **rest):
    return ClosedEvent(position, LEARN, at, "a", reward, **rest)


def filled(count, spacing=1.0, window=0.0, start=1e9):
    """Decisions and what becomes of them, each some time after it."""
    history, evidence = History(), GainEvidence(0.5)
    generator = np.random.default_rng(0)
    for number in range(count):
        at = start + spacing * number
        history.decided("ab"[number % 2], at)
        event = closed(
            number + 1, at + window, float(generator.random() < 0.3 + 0.4 * (number % 2)),
            served=number % 2 == 0, chance=0.5, agreed=number % 4 > 0,
        )  # fmt: skip
        history.closed(event, evidence, None)
        evidence.add(event.reward, served=event.served, chance=event.chance)
    return history, evidence


def test_there_are_never_too_many_stretches_and_nothing_is_lost():
    history, _ = filled(5000, spacing=7.0, window=600.0)
    found = history.stretches
    assert MOST // 2 - 1 <= len(found) <= MOST
    assert sum(each.decided for each in found) == sum(each.closed for each in found) == 5000
    assert sum(each.shown["a"] for each in found if each.shown) == 2500
    assert {each.start % history.seconds for each in found} == {0.0}
    assert sum(each.tried for each in found) == 1250


def test_the_control_group_counts_by_its_chance():
    history, evidence = History(), GainEvidence(0.1)
    for number, chance in enumerate((0.1, 0.5, 0.5)):
        history.closed(
            closed(number, 1e9, float(number > 0), served=True, chance=chance), evidence, None
        )
    history.closed(closed(9, 1e9, 5.0, served=False, chance=0.5), evidence, None)
    (only,) = history.stretches
    assert only.control == pytest.approx(4 / 14)
    assert only.exploring == 1.0


def test_it_remembers_how_the_interval_narrowed():
    history, evidence = filled(3000)
    widths = [each.high - each.low for each in history.stretches if each.low is not None]
    assert len(widths) == len(history.stretches) - 1
    assert widths[-1] < widths[len(widths) // 2] < widths[0]
    assert history.stretches[-2].gain == pytest.approx(evidence.verdict().gain, abs=0.01)


def test_rewards_that_come_long_after_their_decisions_do_not_blur_either():
    history, _ = filled(200, spacing=1.0, window=100.0)
    first, last = history.stretches[0], history.stretches[-1]
    assert (first.decided, first.closed) == (2, 0)
    assert (last.decided, last.closed) == (0, 2)


def test_many_names_are_bounded_and_the_one_shown_most_stays():
    history = History()
    for number in range(2000):
        history.decided("often" if number % 3 == 0 else f"rare {number}", 1e9)
    (only,) = history.stretches
    assert len(only.shown) <= MOST_NAMES
    assert only.shown["often"] == 667
    assert only.decided == 2000


def test_what_is_read_again_is_the_same_and_goes_on_the_same():
    history, evidence = filled(400)
    again = History.restored(json.loads(json.dumps(history.state())))
    assert again.state() == history.state()
    for each in (history, again):
        each.closed(closed(401, 1e9 + 900.0), evidence, None)
    assert again.state() == history.state()


@pytest.mark.parametrize(
    "damage",
    [
        lambda state: state.clear(),
        lambda state: state.__setitem__(0, 0.0),
        lambda state: state.__setitem__(1, 5),
        lambda state: state[2].pop(),
        lambda state: state[2].__setitem__(2, None),
        lambda state: state[2].__setitem__(3, math.inf),
        lambda state: state.extend([state[2]] * MOST),
    ],
)
def test_a_history_that_cannot_be_is_refused(damage):
    state = json.loads(json.dumps(filled(10)[0].state()))
    damage(state)
    with pytest.raises((ValueError, TypeError, KeyError, AttributeError)):
        History.restored(state)


def test_a_loop_tells_its_history(tmp_path):
    with Loop(tmp_path / "tea.db", wait=None) as loop:
        assert loop.history().empty
        for number in range(30):
            decided = loop.rank({}, ["green", "black"], event=f"e{number}")
            loop.reward(decided.event, float(decided.action == "green"))
        table = loop.history()
        assert table.decided.sum() == table.closed.sum() == 30
        assert sum(sum(each.values()) for each in table.shown) == 30
        assert table.reward.max() <= 1.0
        assert str(table.began.dtype).endswith("UTC]")
