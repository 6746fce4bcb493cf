import json
from threading import Event, Thread

import numpy as np
import pytest

from hybandit.loop.counts.tally import Counting, Tally
from hybandit.loop.storage.contract import LEARN, LOG, Arrival, ClosedEvent, News, RewardNews
from hybandit.loop.storage.forgetting import MOST_NAMES, OTHERS
from hybandit.testing.storage import AT_ONCE, an_event


def news(arrivals=(), rewards=(), closed=(), base=0, dropped=None):
    return News(base, dropped or {}, list(arrivals), list(rewards), list(closed))


def arrival(number, name="a", at=1000.0):
    return Arrival(number, at, name)


def closed(position, name="a", reward=1.0, kind=LEARN, **rest):
    return ClosedEvent(position, kind, 1000.0, name, reward, **rest)


def test_each_action_has_its_counts():
    tally = Tally(0.05)
    shown = [arrival(number, "ab"[number % 2], 1000.0 + number) for number in range(1, 8)]
    lines = [closed(1, "a", 0.5, agreed=True), closed(2, "a", 1.0, LOG), closed(3, "b", 0.0)]
    tally.take(news(shown, [RewardNews(1, False, 5.0), RewardNews(2, True, 90.0)], lines))
    a, b = tally.actions["a"], tally.actions["b"]
    assert (a.shown, a.closed, a.learned, a.total, a.squares) == (3, 2, 1, 1.5, 1.25)
    assert (a.first, a.last, b.first, b.last) == (1002.0, 1006.0, 1001.0, 1007.0)
    assert (tally.open, tally.open_of("a"), tally.open_of("b"), tally.open_of("c")) == (4, 1, 3, 0)
    assert (tally.rewards, tally.late, tally.agreed) == (2, 1, 1)
    assert a.reward.mean == 0.75
    tally.take(news(dropped={"b": 2}))
    assert (tally.open, tally.open_of("b")) == (2, 1)


def test_only_decisions_far_beyond_the_answers_hold_an_action_back():
    tally = Tally(0.05)
    tally.take(news([arrival(number) for number in range(1, 10)]))
    assert tally.standing(["a", "new"]).answered == [1.0, 1.0]
    tally.take(news([arrival(number) for number in range(10, 100)]))
    assert tally.standing(["a"]).answered == [pytest.approx(10 / 100)]
    tally.take(news(closed=[closed(position) for position in range(1, 90)]))
    assert tally.standing(["a"]).answered == [1.0]


def test_shares_are_those_of_the_last_day():
    tally = Tally(0.05)
    old = [arrival(number, "old", 1000.0) for number in range(1, 11)]
    new = [arrival(number, "ab"[number % 4 == 0], 2 * 86_400.0) for number in range(11, 19)]
    tally.take(news(old + new))
    assert tally.shares(2 * 86_400.0 + 60.0) == {"a": 0.75, "b": 0.25}
    assert tally.shares(9 * 86_400.0) == {}


def test_it_tells_the_time_that_would_have_been_enough():
    tally = Tally(0.05)
    assert tally.patience() > 0.0
    delays = np.random.default_rng(0).exponential(300.0, 5000)
    tally.take(news(rewards=[RewardNews(n, False, float(delay)) for n, delay in enumerate(delays)]))
    assert np.quantile(delays, 0.99) <= tally.patience() <= 1.1 * np.quantile(delays, 0.99)


def test_names_that_were_not_shown_for_long_go_first():
    tally = Tally(0.05)
    shown = ["a", "b", *(f"n{number}" for number in range(MOST_NAMES - 2)), "a", "c"]
    tally.take(news([arrival(number, name) for number, name in enumerate(shown)]))
    assert (len(tally.actions), list(tally.actions)[-2:]) == (MOST_NAMES, ["a", "c"])
    shares = tally.shares(1000.0)
    assert "b" not in shares
    assert shares["a"] == 2 * shares["c"] == 2 * shares[OTHERS] == 2 / len(shown)
    again = Tally.read(tally.text())
    for each in (tally, again):
        each.take(news([arrival(len(shown), "b")]))
    assert tally.text() == again.text()


def test_a_change_of_control_begins_the_verdict_anew():
    tally = Tally(0.05)
    lines = [closed(n, served=n % 2 == 0, chance=0.5) for n in range(1, 5)]
    tally.take(news(closed=lines))
    assert tally.evidence.gains.count == 3
    change = ClosedEvent(5, "change", 1.0, None, settings={"explore": 0.1})
    tally.take(news(closed=[change]))
    assert tally.evidence.gains.count == 3
    tally.take(news(closed=[change._replace(position=6, settings={"control": 0.2})]))
    assert (tally.evidence.gains.count, tally.evidence.control) == (0, 0.2)
    assert (tally.all.closed, tally.marks.position) == (4, 6)


def counted(counting):
    """The tally of all that is in the database."""
    counting.catch_up()
    with counting.counted() as tally:
        return tally


def filled(storage, count, start=0):
    for number in range(start, start + count):
        event = an_event(f"e{number}", at=100.0 + 60 * number)
        storage.add_event(event)
        if number % 3:
            storage.add_reward(f"e{number}", float(number % 2), event.at + 9.0, AT_ONCE)


def test_counting_on_from_a_stored_tally_gives_the_same_as_from_the_start(storages):
    first, second = storages
    filled(first, 40)
    counting = Counting(first, 0.05, page=7)
    counting.catch_up()
    counting.save()
    filled(second, 25, start=40)
    first.settings({"control": 0.05}, {})
    first.change({"control": 0.01}, 9000.0)
    filled(second, 25, start=65)
    on = counted(Counting(second, 0.05, page=7))
    first.keep_tally("damaged")
    assert json.loads(on.text()) == json.loads(counted(Counting(first, 0.05, page=7)).text())
    assert on.all.shown == 90


def test_nobody_sees_a_tally_that_is_half_counted(storages, monkeypatch):
    first, second = storages
    counting, half, go_on, close = Counting(first, 0.05), Event(), Event(), Tally._close

    def slow(tally, closed):
        if not half.is_set():
            half.set()
            go_on.wait(0.5)
        close(tally, closed)

    monkeypatch.setattr(Tally, "_close", slow)
    for number in range(30):
        event = an_event(f"e{number}", at=100.0)
        second.add_event(event)
        second.add_reward(event.id, 1.0, 109.0, AT_ONCE)
    counter = Thread(target=counting.catch_up)
    counter.start()
    assert half.wait(30.0)
    with counting.counted() as tally:
        assert (tally.all.shown, tally.open) == (30, 0)
    go_on.set()
    counter.join()


def test_who_is_behind_what_was_forgotten_takes_what_was_stored(storages):
    first, second = storages
    filled(first, 30)
    behind = Counting(second, 0.05)
    behind.catch_up()
    filled(first, 30, start=30)
    counting = Counting(first, 0.05)
    counting.catch_up()
    counting.save()
    first.set_base(first.head(), b"model", 1e4)
    list(first.forget(1e9, 100))
    tally = counted(behind)
    assert tally.all.closed == counted(counting).all.closed == 40
    assert tally.open == 0, "forgotten decisions are still waited for"


@pytest.mark.parametrize(
    "damage",
    [
        lambda stored: stored.pop("marks"),
        lambda stored: stored["marks"].update(event=-1),
        lambda stored: stored["marks"].update(event="x"),
        lambda stored: stored.update(counts=[1, 2]),
        lambda stored: stored.update(actions=[["a", 1]]),
        lambda stored: stored.update(all=[1.0, 2.0, 1.5, 0, 0, 0.0, 0.0]),
        lambda stored: stored.update(evidence=[]),
        lambda stored: stored.update(hours=[["x", ["a", 1]]]),
    ],
)
def test_a_tally_that_cannot_be_is_counted_again(storages, damage):
    first, _ = storages
    filled(first, 10)
    right = counted(Counting(first, 0.05)).text()
    stored = json.loads(right)
    damage(stored)
    first.keep_tally(json.dumps(stored))
    assert counted(Counting(first, 0.05)).text() == right
