import pytest

from hybandit.loop import lookback
from hybandit.loop.tables import events
from hybandit.testing.storage import AT_ONCE, an_event


@pytest.fixture
def database(storages):
    first, _ = storages
    for number in range(4):
        first.add_event(an_event(f"e{number}"))
    for number in (2, 0, 1):
        first.add_reward(f"e{number}", float(number), 110.0, AT_ONCE)
    first.add_reward("e1", 9.0, 120.0, AT_ONCE)
    return first


def test_lives_come_with_their_rewards_and_closing(database):
    found = database._read(
        lambda connection: lookback.event_histories(
            connection, events.select().order_by(events.c.number)
        )
    )
    assert [number for number, _ in found] == [1, 2, 3, 4]
    histories = [history for _, history in found]
    assert [history.closing.position if history.closing else None for history in histories] == [
        2,
        3,
        1,
        None,
    ]
    assert [[reward.value for reward in history.rewards] for history in histories] == [
        [0.0], [1.0, 9.0], [2.0], [],
    ]  # fmt: skip


def test_no_event_is_no_life(database):
    query = events.select().where(events.c.id == "unknown")
    assert database._read(lambda connection: lookback.event_histories(connection, query)) == []


def test_the_curve_is_in_stretches(database):
    assert database._read(lambda connection: lookback.curve(connection, 2)) == [(2, 1.0), (3, 1.0)]
    assert len(database._read(lambda connection: lookback.curve(connection, 60))) == 3


def test_everything_is_counted(database):
    found = database._read(lookback.counts)
    assert {name: found[name] for name in ("events", "rewards", "late", "closed", "learned")} == {
        "events": 4, "rewards": 4, "late": 1, "closed": 3, "learned": 3,
    }  # fmt: skip
    assert (found["actions"], found["waiting"]) == (2, 0)
