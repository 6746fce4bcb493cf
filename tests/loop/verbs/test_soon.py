"""Decisions and rewards for asyncio: the same as those of threads; nobody waits for the disk."""

import asyncio
import threading

import pytest

from hybandit import Loop
from hybandit.errors import Conflict, InvalidInput, StoreError, UnknownEvent
from hybandit.loop.storage.contract import Storage
from hybandit.loop.storage.database import Database

CONTEXT, ACTIONS = {"hour": 7}, {"green": {"hot": True}, "black": {"hot": False}}


@pytest.fixture
def loop(url):
    with Loop(url, wait=None) as loop:
        yield loop


def events(count):
    return [f"e{number}" for number in range(count)]


async def ranked(loop, names):
    calls = (loop.rank_async(CONTEXT, ACTIONS, event=name) for name in names)
    return await asyncio.gather(*calls)


async def rewarded(loop, names):
    await asyncio.gather(*(loop.reward_async(name, 1.0, key="once") for name in names))


def test_tasks_decide_and_are_learned_like_threads(loop):
    async def work():
        found = await ranked(loop, events(1)) + await ranked(loop, events(20)[1:])
        await rewarded(loop, events(20))
        return found

    found = asyncio.run(work())
    assert loop.wait_for()
    assert [each.event for each in found] == events(20)
    assert sorted(loop.events().event) == sorted(events(20))
    status = loop.status()
    assert (status.rewards, status.learned) == (20, 20)
    # The same call again, whoever makes it, has the same answer and counts once.
    assert [loop.rank(CONTEXT, ACTIONS, event=each.event) for each in found] == found
    assert asyncio.run(ranked(loop, events(20))) == found
    asyncio.run(rewarded(loop, events(20)))
    assert (loop.status().events, loop.status().rewards) == (20, 20)


def test_tasks_share_commits_and_the_loop_goes_on_meanwhile(tmp_path, monkeypatch):
    begun, gate = [], threading.Event()
    with Loop(tmp_path / "loop.db", wait=None) as loop:
        asyncio.run(ranked(loop, ["first"]))
        begin = loop._storage._backend.begin

        def slow(**options):
            gate.wait(30.0)
            begun.append(options)
            return begin(**options)

        monkeypatch.setattr(loop._storage._writer, "_begin", slow)

        async def work():
            tasks = asyncio.ensure_future(ranked(loop, events(50)))
            await asyncio.sleep(0.05)
            assert not tasks.done()
            gate.set()
            return await tasks

        assert len(asyncio.run(work())) == 50
    # The first may go alone; who comes meanwhile goes together.
    assert len(begun) <= 4


def test_a_refusal_reaches_its_task_only(loop):
    async def work():
        await ranked(loop, ["e0"])
        calls = [
            loop.rank_async(CONTEXT, ACTIONS, event="e1"),
            loop.rank_async({"hour": 8}, ACTIONS, event="e0"),
            loop.reward_async("nobody", 1.0),
            loop.reward_async("e0", 1.0),
        ]
        return await asyncio.gather(*calls, return_exceptions=True)

    first, conflict, unknown, last = asyncio.run(work())
    assert first.event == "e1"
    assert isinstance(conflict, Conflict)
    assert isinstance(unknown, UnknownEvent)
    assert last is None
    with pytest.raises(InvalidInput, match="'value'"):
        asyncio.run(loop.reward_async("e0", float("nan")))


def test_a_lost_database_is_told_and_nothing_is_written(tmp_path, monkeypatch):
    import sqlalchemy

    with Loop(tmp_path / "loop.db", wait=None) as loop:
        asyncio.run(ranked(loop, ["e0"]))

        def lost(**options):
            raise sqlalchemy.exc.OperationalError("BEGIN", None, Exception("disk is full"))

        with monkeypatch.context() as patch:
            patch.setattr(loop._storage._writer, "_begin", lost)
            with pytest.raises(StoreError, match=r"cannot be written.*disk is full"):
                asyncio.run(ranked(loop, ["e1"]))
        assert [each.event for each in asyncio.run(ranked(loop, ["e2"]))] == ["e2"]
        assert sorted(loop.events().event) == ["e0", "e2"]


def test_a_task_that_is_cancelled_has_its_decision_stored(loop):
    async def work():
        await ranked(loop, ["e0"])
        task = asyncio.ensure_future(ranked(loop, ["e1"]))
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        await ranked(loop, ["e2"])

    asyncio.run(work())
    assert sorted(loop.events().event) == ["e0", "e1", "e2"]


class Own(Database):
    """A storage of somebody's own, which leaves asyncio to the contract."""

    add_event_soon = Storage.add_event_soon
    add_reward_soon = Storage.add_reward_soon


def test_with_a_storage_of_ones_own_threads_do_it(tmp_path):
    with Loop(Own(tmp_path / "loop.db"), wait=None) as loop:
        asyncio.run(ranked(loop, events(5)))
        asyncio.run(rewarded(loop, events(5)))
        assert (loop.status().events, loop.status().rewards) == (5, 5)


def test_the_thread_that_commits_ends_by_itself(tmp_path):
    with Loop(tmp_path / "loop.db", wait=None) as loop:
        asyncio.run(ranked(loop, events(3)))
        for thread in threading.enumerate():
            if thread.name == "hybandit-writer":
                thread.join(10.0)
                assert not thread.is_alive()
        assert len(asyncio.run(ranked(loop, events(5)))) == 5
