"""The rules of a loop's storage, as checks that every storage must pass.

Each check takes two storages that were opened on one and the same new database, and raises
AssertionError with what went wrong. `check_storage` runs them all; in pytest::

    @pytest.mark.parametrize("check", STORAGE_CHECKS, ids=lambda check: check.__name__)
    def test_storage(check, two_storages):
        check(*two_storages)
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import replace

from hybandit.errors import InvalidInput
from hybandit.loop.storage.contract import (
    CHANGE,
    IMPORT,
    LEARN,
    LOG,
    ROLLBACK,
    SWITCH,
    Closing,
    Event,
    Marks,
    Storage,
)

AT_ONCE, WINDOW = Closing(), Closing(wait=60.0)


def check_storage(opened: Callable[[], tuple[Storage, Storage]]) -> None:
    """Run every check of `STORAGE_CHECKS`.

    Parameters
    ----------
    opened
        Gives two storages of one new, empty database: each call another database.

    Examples
    --------
    >>> import tempfile
    >>> from itertools import count
    >>> from hybandit.loop.storage.database import Database
    >>> folder, names = tempfile.TemporaryDirectory(), count()
    >>> def opened():
    ...     path = f"{folder.name}/{next(names)}.db"
    ...     return Database(path), Database(path)
    >>> check_storage(opened)
    >>> folder.cleanup()
    """
    for check in STORAGE_CHECKS:
        storages = opened()
        try:
            check(*storages)
        finally:
            for storage in storages:
                storage.close()


def an_event(name: str = "e", *, at: float = 100.0, wait: float | None = None) -> Event:
    """A decision between two actions, one of them with features."""
    return Event(
        id=name, at=at, context='{"town":"Ulm"}', names=("a", "b"), features=('{"x":1}', "{}"),
        excluded=(), probabilities=(0.9, 0.1), choice=0, preferred=0, baseline=0, version=0,
        seed=2**63 - 1, deferred=False, due=None if wait is None else at + wait,
    )  # fmt: skip


def what_is_written_is_there_for_all(storage: Storage, other: Storage) -> None:
    event = replace(an_event(wait=60.0), excluded=(1,), context='{"text":"\\ud800\\u0000"}')
    assert storage.add_event(event) == event
    history = other.event_history("e")
    assert history is not None
    assert history.event == event
    assert (history.activated, history.due, history.rewards, history.closing) == (
        None,
        160.0,
        (),
        None,
    )
    assert [history.event for history in other.event_histories()] == [event]
    assert other.event_history("unknown") is None


def the_same_event_counts_once(storage: Storage, other: Storage) -> None:
    first = storage.add_event(an_event())
    again = replace(an_event(at=500.0), choice=1, version=9, probabilities=(0.1, 0.9))
    assert other.add_event(again) == first, "the same call gave another answer"
    for change in (
        replace(first, context="{}"),
        replace(first, names=("b", "a")),
        replace(first, features=("{}", "{}")),
        replace(first, excluded=(1,)),
        replace(first, baseline=1),
        replace(first, deferred=True),
    ):
        with _refused("event"):
            storage.add_event(change)
    assert storage.counts()["events"] == 1
    assert storage.counts()["actions"] == 2, "a refused call left actions behind"


def equal_actions_are_stored_once(storage: Storage, other: Storage) -> None:
    for number in range(5):
        (storage, other)[number % 2].add_event(an_event(f"e{number}"))
    storage.add_event(replace(an_event("new"), features=('{"x":2}', "{}")))
    assert storage.counts()["actions"] == 3


def the_first_reward_closes(storage: Storage, other: Storage) -> None:
    for name in ("e1", "e2"):
        storage.add_event(an_event(name))
    assert not other.add_reward("e2", 0.5, 110.0, AT_ONCE).late
    assert not other.add_reward("e1", -1.0, 111.0, AT_ONCE).late
    assert other.add_reward("e2", 9.0, 112.0, AT_ONCE).late
    entries = storage.entries(0, 10)
    assert [(line.position, line.kind, line.reward) for line in entries] == [
        (1, LEARN, 0.5),
        (2, LEARN, -1.0),
    ]
    assert (entries[0].name, entries[0].features) == ("a", '{"x":1}')
    assert entries[0].context == '{"town":"Ulm"}'
    assert storage.head() == 2
    assert storage.entries(1, 10) == entries[1:]
    assert storage.entries(0, 1) == entries[:1]
    history = storage.event_history("e2")
    assert history is not None
    assert history.closing == entries[0]
    assert [(reward.value, reward.late) for reward in history.rewards] == [
        (0.5, False),
        (9.0, True),
    ]


def what_others_write_is_noticed(storage: Storage, other: Storage) -> None:
    storage.settings({"explore": 0.1}, {})
    seen = storage.pulse()
    assert storage.pulse() == seen, "its pulse changed though nobody wrote"
    assert storage.next_due() == float("inf")
    writes = (
        lambda: other.add_event(an_event(wait=60.0)),
        lambda: other.add_reward("e", 1.0, 110.0, WINDOW),
        lambda: other.close_due(1000.0, WINDOW, 10),
        lambda: other.change({"explore": 0.2}, 1000.0),
    )
    for write in writes:
        write()
        await_that(lambda before=seen: storage.pulse() != before)  # type: ignore[misc]
        seen = storage.pulse()
    other.add_event(an_event("later", at=500.0, wait=60.0))
    other.add_event(an_event("sooner", at=400.0, wait=60.0))
    assert storage.next_due() == 460.0


def await_that(holds: Callable[[], bool]) -> None:
    """A pulse may be a moment old."""
    deadline = time.monotonic() + 5.0
    while not holds():
        assert time.monotonic() < deadline, "what another has written was not noticed"
        time.sleep(0.01)


def rewards_need_their_event(storage: Storage, other: Storage) -> None:
    with _refused("event"):
        storage.add_reward("nobody", 1.0, 1.0, AT_ONCE)
    with _refused("event"):
        storage.activate("nobody", 1.0, AT_ONCE)
    assert other.counts()["rewards"] == other.head() == 0


def a_reward_with_a_key_counts_once(storage: Storage, other: Storage) -> None:
    total = Closing(wait=60.0, aggregate="sum")
    for name in ("e1", "e2"):
        storage.add_event(an_event(name, wait=60.0))
    first = storage.add_reward("e1", 2.0, 101.0, total, key="k")
    assert other.add_reward("e1", 2.0, 150.0, total, key="k") == first
    with _refused("key", "came with the reward 2.0"):
        other.add_reward("e1", 3.0, 150.0, total, key="k")
    assert other.add_reward("e2", 5.0, 150.0, total, key="k").value == 5.0
    storage.close_due(1000.0, total, 10)
    assert [line.reward for line in storage.entries(0, 10)] == [2.0, 5.0]


def rewarded_events_come_all_or_none(storage: Storage, other: Storage) -> None:
    three = [(an_event(f"e{number}"), float(number)) for number in range(3)]
    storage.add_rewarded(three[:2], 110.0, AT_ONCE, "k")
    other.add_rewarded([*three, three[2]], 120.0, AT_ONCE, "k")
    assert [line.reward for line in storage.entries(0, 10)] == [0.0, 1.0, 2.0]
    for wrong in ((an_event("e0"), 5.0), (replace(an_event("e1"), context="{}"), 1.0)):
        with _refused("event"):
            storage.add_rewarded([(an_event("new"), 1.0), wrong], 130.0, AT_ONCE, "k")
    assert other.event_history("new") is None, "a refused call left an event behind"
    assert other.add_reward("e0", 9.0, 140.0, AT_ONCE).late
    history = other.event_history("e2")
    assert history is not None
    assert history.closing == storage.entries(2, 1)[0]
    assert [(reward.value, reward.late) for reward in history.rewards] == [(2.0, False)]


def windows_close_in_order_and_aggregate(storage: Storage, other: Storage) -> None:
    for name, at in (("second", 20.0), ("first", 10.0), ("open", 500.0)):
        storage.add_event(an_event(name, at=at, wait=60.0))
    for value, at in ((1.0, 30.0), (2.0, 40.0), (4.0, 50.0)):
        storage.add_reward("second", value, at, WINDOW)
    assert storage.add_reward("second", 8.0, 81.0, WINDOW).late, "a reward after its window"
    assert not storage.add_reward("second", 16.0, 80.0, WINDOW).late
    assert other.close_due(69.0, WINDOW, 10) == 0
    assert other.close_due(400.0, Closing(60.0, "sum", -1.0), 10) == 2
    assert other.close_due(400.0, WINDOW, 10) == 0
    assert [line.reward for line in storage.entries(0, 10)] == [-1.0, 23.0]
    assert storage.add_reward("first", 1.0, 60.0, WINDOW).late, "its event is closed"
    assert storage.counts()["waiting"] == 1


def each_way_to_aggregate(storage: Storage, other: Storage) -> None:
    for way, expected in (("earliest", 1.0), ("last", 4.0), ("sum", 7.0)):
        storage.add_event(an_event(way, wait=60.0))
        for value, at in ((4.0, 150.0), (2.0, 140.0), (1.0, 130.0)):
            storage.add_reward(way, value, at, WINDOW)
        assert other.close_due(200.0, Closing(60.0, way), 10) == 1
        assert storage.entries(storage.head() - 1, 1)[0].reward == expected


def closing_goes_in_pieces(storage: Storage, other: Storage) -> None:
    for number in range(7):
        storage.add_event(an_event(f"e{number}", at=float(number), wait=1.0))
    assert [storage.close_due(100.0, WINDOW, 3) for _ in range(4)] == [3, 3, 1, 0]
    positions = [line.position for line in other.entries(0, 100)]
    assert positions == list(range(1, 8))


def deferred_events_wait_for_activation(storage: Storage, other: Storage) -> None:
    storage.add_event(replace(an_event("now"), deferred=True))
    storage.add_event(replace(an_event("later"), deferred=True))
    assert not storage.add_reward("now", 1.0, 110.0, AT_ONCE).late
    storage.add_reward("now", 2.0, 111.0, AT_ONCE)
    assert other.head() == 0, "a deferred event has closed"
    other.activate("now", 120.0, AT_ONCE)
    other.activate("now", 130.0, AT_ONCE)
    assert [line.reward for line in storage.entries(0, 9)] == [1.0]
    history = storage.event_history("now")
    assert history is not None
    assert history.activated == 120.0
    assert [reward.late for reward in history.rewards] == [False, True]
    storage.activate("later", 140.0, WINDOW)
    assert storage.close_due(199.0, WINDOW, 9) == 0
    assert not storage.add_reward("later", 5.0, 190.0, WINDOW).late
    assert storage.close_due(201.0, WINDOW, 9) == 1
    assert storage.entries(1, 9)[0].reward == 5.0


def log_only_closes_as_logged(storage: Storage, other: Storage) -> None:
    storage.add_event(an_event())
    storage.add_reward("e", 1.0, 110.0, Closing(kind=LOG))
    assert [line.kind for line in other.entries(0, 9)] == [LOG]
    assert other.counts()["learned"] == 0


def jumps_are_in_the_journal(storage: Storage, other: Storage) -> None:
    storage.add_event(an_event())
    storage.add_reward("e", 1.0, 110.0, AT_ONCE)
    assert storage.append(ROLLBACK, 120.0, b"old", target=0) == 2
    assert other.append(IMPORT, 130.0, b"new", policy="other") == 3
    assert storage.append(SWITCH, 140.0, b"switched", target=3, policy="third") == 4
    for kind, targets in ((ROLLBACK, (-1, 9, None)), (SWITCH, (3, 9, None))):
        for target in targets:
            with _refused("version"):
                storage.append(kind, 150.0, b"", target=target, policy="refused")
    jumps = storage.jumps()
    assert [(line.position, line.kind, line.target, line.policy) for line in jumps] == [
        (2, ROLLBACK, 0, None),
        (3, IMPORT, None, "other"),
        (4, SWITCH, 3, "third"),
    ]
    assert other.entries(0, 9)[1:] == jumps
    assert [other.read_snapshot(place) for place in (2, 3, 4)] == [b"old", b"new", b"switched"]
    storage.delete_snapshots([2, 3, 4])
    assert storage.snapshots() == [2, 3, 4], "the journal needs these models"


def snapshots_come_and_go(storage: Storage, other: Storage) -> None:
    large = bytes(range(256)) * 8192
    storage.write_snapshot(5, large, 1.0)
    storage.write_snapshot(9, b"small", 2.0)
    storage.write_snapshot(9, b"again", 3.0)
    assert other.snapshots() == [5, 9]
    assert other.read_snapshot(5) == large
    assert other.read_snapshot(9) == b"small"
    assert other.read_snapshot(7) is None
    other.delete_snapshots([5, 7])
    assert storage.snapshots() == [9]
    assert storage.read_snapshot(5) is None


def what_is_old_can_be_forgotten(storage: Storage, other: Storage) -> None:
    for number in range(6):
        at = 100.0 + number
        storage.add_event(an_event(f"e{number}", at=at))
        if number != 1:
            storage.add_reward(f"e{number}", float(number), at, AT_ONCE)
    storage.add_event(an_event("waits", at=100.0, wait=1e9))
    assert (storage.base(), storage.last_before(103.0), storage.last_before(1e9)) == (0, 2, 5)
    storage.write_snapshot(1, b"one", 1.0)
    storage.set_base(2, b"two", 200.0)
    assert other.base() == 2
    assert other.snapshots() == [2]
    assert sum(storage.forget(103.0, 1)) == 3, "an old event that nothing closes goes too"
    assert [history.event.id for history in other.event_histories()] == ["e3", "e4", "e5", "waits"]
    found = other.news(Marks(), 9)
    assert (found.base, found.dropped, len(found.closed)) == (2, {"a": 1}, 3)
    assert [line.position for line in other.entries(0, 9)] == [3, 4, 5]
    storage.delete_snapshots([2])
    assert storage.read_snapshot(2) == b"two", "the base has no model"
    with _refused("version"):
        storage.append(ROLLBACK, 300.0, b"", target=1)
    storage.set_base(5, b"five", 300.0)
    list(storage.forget(1e9, 10))
    assert other.head() == 5, "an empty journal forgot where it was"
    storage.close_due(2e9, WINDOW, 1)
    assert [line.position for line in other.entries(0, 9)] == [6]


def all_that_is_old_goes_with_its_actions(storage: Storage, other: Storage) -> None:
    for number in range(120):
        at = 100.0 + number
        event = replace(an_event(f"e{number}", at=at), names=("a", f"new {number}"))
        (storage, other)[number % 2].add_event(event)
        if number % 3:
            storage.add_reward(f"e{number}", 1.0, at, AT_ONCE)
    assert storage.counts()["actions"] == 121
    storage.set_base(storage.last_before(200.0), b"model", 300.0)
    assert sum(storage.forget(200.0, 7)) == 100
    left = other.counts()
    assert (left["events"], left["actions"]) == (20, 21), "what is old is still there"
    # Both have the numbers of these actions in memory, the second of which are gone now.
    for name, each, new in (("one", storage, "new 0"), ("two", other, "new 1")):
        again = replace(an_event(name, at=400.0), names=("a", new))
        assert each.add_event(again) == again
        history = storage.event_history(name)
        assert history is not None
        assert history.event == again
    assert storage.counts()["actions"] == 23
    storage.set_base(storage.head(), b"later", 500.0)
    list(other.forget(1e9, 50))
    assert other.counts()["actions"] == other.counts()["events"] == 0


def one_holds_the_lease(storage: Storage, other: Storage) -> None:
    assert storage.take_lease(1.0)
    assert storage.take_lease(2.0), "the holder lost it by asking again"
    assert not other.take_lease(3.0)
    storage.release_lease()
    assert other.take_lease(4.0)
    assert not storage.take_lease(5.0)
    other.close()
    assert storage.take_lease(6.0), "closing did not free the lease"


def settings_stay(storage: Storage, other: Storage) -> None:
    assert storage.settings({}, {}) == {}, "a loop that was never made has settings"
    assert storage.settings({"a": 1, "b": None}, {"a": 2}) == {"a": 2, "b": None}
    assert other.settings({"a": 5, "b": 6}, {"b": None}) == {"a": 2, "b": None}
    with _refused("a", "must be 2", "got 3"):
        other.settings({"a": 1, "b": None}, {"a": 3})
    assert storage.settings({}, {}) == {"a": 2, "b": None}
    assert other.change({"b": 7}, 100.0) == 1
    assert storage.settings({}, {"b": 7}) == {"a": 2, "b": 7}
    (entry,) = storage.entries(0, 9)
    assert (entry.kind, entry.at, entry.settings) == (CHANGE, 100.0, '{"b": 7}')
    assert storage.jumps() == [], "a change of settings is no jump"


def threads_share_transactions(storage: Storage, other: Storage) -> None:
    def play(number: int) -> None:
        mine = (storage, other)[number % 2]
        mine.add_event(an_event(f"e{number}"))
        mine.add_event(an_event("shared"))
        mine.add_reward(f"e{number}", float(number), 110.0, AT_ONCE)
        try:
            mine.add_reward("nobody", 1.0, 110.0, AT_ONCE)
        except InvalidInput:
            return
        raise AssertionError("a reward for nobody was taken")

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(play, range(40)))
    assert storage.counts()["events"] == 41
    entries = storage.entries(0, 100)
    assert [line.position for line in entries] == list(range(1, 41)), "gaps in the journal"
    assert sorted(line.reward for line in entries) == list(map(float, range(40)))


def tasks_write_as_threads_do(storage: Storage, other: Storage) -> None:
    async def play() -> None:
        assert await storage.add_event_soon(an_event()) == an_event()
        await other.add_reward_soon("e", 1.0, 110.0, AT_ONCE)

    asyncio.run(play())
    assert [entry.reward for entry in storage.entries(0, 9)] == [1.0], "a task's call was lost"


def news_tell_what_is_new(storage: Storage, other: Storage) -> None:
    chances = (0.25, 0.75)
    storage.settings({"control": 0.05}, {})
    for number in range(4):
        event = an_event(f"e{number}", at=100.0 + number)
        storage.add_event(replace(event, choice=number % 2, baseline=1, probabilities=chances))
        storage.add_reward(f"e{number}", float(number), 110.0, AT_ONCE)
    storage.change({"control": 0.1}, 120.0)
    first = other.news(Marks(), 3)
    assert (first.base, first.dropped) == (0, {})
    assert [(each.at, each.name) for each in first.arrivals] == [
        (100.0, "a"),
        (101.0, "b"),
        (102.0, "a"),
    ]
    assert [(each.late, each.delay) for each in first.rewards] == [
        (False, 10.0),
        (False, 9.0),
        (False, 8.0),
    ]
    told = [(each.name, each.reward, each.served, each.chance) for each in first.closed]
    assert told == [("a", 0.0, False, 0.75), ("b", 1.0, True, 0.75), ("a", 2.0, False, 0.75)]
    assert [each.agreed for each in first.closed] == [True, False, True]
    rest = other.news(
        Marks(first.arrivals[-1].number, first.rewards[-1].number, first.closed[-1].position), 9
    )
    assert (len(rest.arrivals), len(rest.rewards), len(rest.closed)) == (1, 1, 2)
    assert (rest.closed[1].name, dict(rest.closed[1].settings)) == (None, {"control": 0.1})
    assert storage.tally() is None
    storage.keep_tally("counted")
    assert other.tally() == "counted"


def what_is_over_and_not_closed_is_overdue(storage: Storage, other: Storage) -> None:
    for name, wait in (("short", 10.0), ("long", 50.0)):
        storage.add_event(an_event(name, wait=wait))
    assert [other.facts(now)["overdue"] for now in (105.0, 120.0, 200.0)] == [0, 1, 2]
    storage.close_due(120.0, WINDOW, 9)
    found = other.facts(200.0)
    assert (found["overdue"], found["snapshots"], found["holder"]) == (1, 0, None)
    assert found["bytes"] > 0


def the_curve_goes_along_the_journal(storage: Storage, other: Storage) -> None:
    assert storage.curve(3) == []
    for number in range(6):
        storage.add_event(an_event(f"e{number}"))
        storage.add_reward(f"e{number}", float(number), 110.0, AT_ONCE)
    assert other.curve(3) == [(2, 0.5), (4, 2.5), (6, 4.5)]
    assert len(other.curve(100)) == 6
    storage.append(ROLLBACK, 120.0, b"model", target=2)
    assert other.curve(1) == [(6, 2.5)], "a roll back has no reward"
    storage.set_base(4, b"model", 130.0)
    list(storage.forget(0.0, 10))
    assert other.curve(1) == [(6, 4.5)]


STORAGE_CHECKS: tuple[Callable[[Storage, Storage], None], ...] = (
    what_is_written_is_there_for_all,
    the_same_event_counts_once,
    equal_actions_are_stored_once,
    the_first_reward_closes,
    what_others_write_is_noticed,
    rewards_need_their_event,
    a_reward_with_a_key_counts_once,
    rewarded_events_come_all_or_none,
    windows_close_in_order_and_aggregate,
    each_way_to_aggregate,
    closing_goes_in_pieces,
    deferred_events_wait_for_activation,
    log_only_closes_as_logged,
    jumps_are_in_the_journal,
    snapshots_come_and_go,
    what_is_old_can_be_forgotten,
    all_that_is_old_goes_with_its_actions,
    one_holds_the_lease,
    settings_stay,
    threads_share_transactions,
    tasks_write_as_threads_do,
    news_tell_what_is_new,
    what_is_over_and_not_closed_is_overdue,
    the_curve_goes_along_the_journal,
)


@contextmanager
def _refused(parameter: str, *told: str) -> Iterator[None]:
    refusal = ""
    try:
        yield
    except InvalidInput as error:
        refusal = str(error)
    assert refusal, "a call that breaks a rule was not refused"
    for words in (repr(parameter), *told):
        assert words in refusal, f"the error does not say {words}: {refusal}"
