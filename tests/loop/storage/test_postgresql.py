"""What only PostgreSQL does: transactions beside each other, connections that loops share."""

import threading
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import pytest
import sqlalchemy as sql

from hybandit.loop import Loops
from hybandit.loop.storage.contract import Closing, Marks
from hybandit.loop.storage.database import Database
from hybandit.loop.storage.postgresql import CONNECTIONS, MORE
from hybandit.testing.storage import an_event
from tests.loop.conftest import new_schema

WINDOW = Closing(wait=60.0)


@pytest.fixture
def uri(postgres_server):
    return postgres_server.get_uri()


@pytest.fixture
def two(uri):
    url = new_schema(uri)
    storages = Database(url), Database(url)
    yield storages
    for storage in storages:
        storage.close()


def begun(storage, *, alone):
    """A transaction of another process that is half way; call it to end it."""
    context = storage._backend.begin(alone=alone)
    context.__enter__()
    return lambda: context.__exit__(None, None, None)


def started(call, seconds=20.0):
    """A thread that makes a call, after so many seconds or when it has ended."""
    thread = threading.Thread(target=call, daemon=True)
    thread.start()
    thread.join(seconds)
    return thread


def test_ranks_and_rewards_do_not_wait_for_each_others_commits(two):
    first, second = two
    end = begun(first, alone=False)
    assert not started(lambda: second.add_event(an_event(wait=60.0))).is_alive()
    assert not started(lambda: second.add_reward("e", 1.0, 110.0, WINDOW)).is_alive()
    closing = started(lambda: second.close_due(1e9, WINDOW, 10), 0.3)
    assert closing.is_alive(), "an event was closed beside another transaction"
    end()
    closing.join(20.0)
    assert second.head() == 1
    end = begun(first, alone=True)
    ranking = started(lambda: second.add_event(an_event("other", wait=60.0)), 0.3)
    assert ranking.is_alive(), "an event was stored beside one that must be alone"
    end()
    ranking.join(20.0)


def test_what_is_committed_late_is_counted_all_the_same(two):
    """Its number is below one that has been seen."""
    first, second = two
    with first._backend.begin(alone=False) as connection:
        connection.execute(sql.text("SELECT nextval('loop_events_number_seq')"))
        assert not started(lambda: second.add_event(an_event("later", wait=60.0))).is_alive()
        found = []
        looking = started(lambda: found.append(second.news(Marks(), 10)), 0.3)
        assert not found, "it did not wait for a number that was given before"
    looking.join(20.0)
    assert [each.number for each in found[0].arrivals] == [2]


def test_the_same_event_and_the_same_new_actions_at_once_are_stored_once(two):
    def calls(storage):
        for number in range(40):
            event = replace(an_event(f"e{number}", wait=60.0), names=("a", f"new {number}"))
            assert storage.add_event(event).id == event.id
            storage.add_reward(event.id, 1.0, 110.0, WINDOW, key="once")

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(calls, [*two, *two]))
    counts = two[0].counts()
    assert (counts["events"], counts["rewards"], counts["actions"]) == (40, 40, 41)


def test_an_old_event_without_a_window_is_closed_once(two):
    first, _ = two
    for number in range(20):
        first.add_event(an_event(f"e{number}"))

    def calls(storage):
        for number in range(20):
            storage.add_reward(f"e{number}", 1.0, 110.0, WINDOW)

    with ThreadPoolExecutor(2) as pool:
        list(pool.map(calls, two))
    assert first.head() == 20
    assert [entry.position for entry in first.entries(0, 99)] == list(range(1, 21))
    assert sum(each.late for n in range(20) for each in first.event_history(f"e{n}").rewards) == 20


def test_many_loops_share_few_connections(uri):
    with Loops(uri) as loops:
        opened = [loops.create(f"many-{number}", wait=None) for number in range(25)]
        for loop in opened:
            loop.reward(loop.rank({}, ["a", "b"]).event, 1.0)
        assert all(loop.wait_for(1, 60.0) and loop.status().leads for loop in opened)
        ((count,),) = loops._place._run("SELECT count(*) FROM pg_stat_activity")
        assert count <= CONNECTIONS + MORE + 10
        assert [len(loop.events()) for loop in opened] == [1] * 25
        for name in loops.names():
            loops.delete(name)


def test_one_of_two_servers_leads_each_loop(uri):
    with Loops(uri) as first, Loops(uri) as second:
        mine = first.create("both", wait=None)
        assert mine.wait_for()
        theirs = second["both"]
        theirs.rank({}, ["a"])
        assert [mine.status().leads, theirs.status().leads] == [True, False]
        mine.close()
        theirs.reward(theirs.rank({}, ["a"]).event, 1.0)
        assert theirs.wait_for(1, 60.0)
        assert theirs.status().leads
        first._open.clear()
        second.delete("both")
