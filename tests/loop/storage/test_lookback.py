import pytest

from hybandit.errors import InvalidInput
from hybandit.loop import Loop
from hybandit.loop.storage import lookback
from hybandit.loop.storage.tables import events
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
    histories = database._read(
        lambda connection: lookback.event_histories(
            connection, events.select().order_by(events.c.number)
        )
    )
    assert [history.number for history in histories] == [1, 2, 3, 4]
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


def test_events_come_in_pages_and_by_action(url):
    with Loop(url, wait=None) as loop:
        for number in range(7):
            loop.rank({}, ["a"] if number % 2 else ["b"], event=f"e{number}")
        first = loop.events(limit=3)
        assert list(first.event) == ["e0", "e1", "e2"]
        rest = loop.events(after=int(first.number.iloc[-1]))
        assert list(rest.event) == ["e3", "e4", "e5", "e6"]
        assert list(loop.events(action="a").event) == ["e1", "e3", "e5"]
        last = loop.events(action="b", after=int(rest.number.iloc[0]), limit=1)
        assert list(last.event) == ["e4"]
        for wrong in ({"after": -1}, {"limit": 0}, {"action": ""}):
            with pytest.raises(InvalidInput):
                loop.events(**wrong)


def test_stored_models_tell_what_made_them(tmp_path):
    with Loop(tmp_path / "loop.db", wait=None) as loop:
        loop.reward(loop.rank({}, ["a"]).event, 1.0)
        loop.reset()
        loop.rollback(1)
        found = {model.version: model for model in loop.models()}
        assert found[2].kind == "reset"
        assert (found[3].kind, found[3].target) == ("rollback", 1)
