"""A loop that was opened before a fork."""

import asyncio
import multiprocessing
import os
import signal
import sys
import threading
import time
import traceback
from contextlib import contextmanager

import pytest
from databases import SLOW_ON_POSTGRESQL

from hybandit import Loop
from hybandit.errors import StoreError
from hybandit.loop.process import forks
from hybandit.loop.storage.contract import Storage
from hybandit.loop.storage.database import Database

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="this system has no fork")
# Children that take longer hang.
PATIENCE = 120.0


def in_child(work):
    """Run this in a forked child; its process id."""
    child = os.fork()
    if child:
        return child
    code = 1
    try:
        work()
        code = 0
    except BaseException:
        traceback.print_exc()
    finally:
        os._exit(code)


def ended_well(child):
    deadline = time.monotonic() + PATIENCE
    while time.monotonic() < deadline:
        ended, status = os.waitpid(child, os.WNOHANG)
        if ended:
            return status == 0
        time.sleep(0.01)
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    return False


def write(loop, name, rounds):
    for number in range(rounds):
        decision = loop.rank({"hour": number}, ["a", "b"], event=f"{name} {number}")
        loop.reward(decision.event, 1.0)


def play(loop, name, rounds=3):
    write(loop, name, rounds)
    assert loop.wait_for(timeout=PATIENCE)


@contextmanager
def busy(loop, threads=3):
    """Threads that rank and reward all the time."""
    stop, failed = threading.Event(), []

    def work(thread):
        number = 0
        try:
            while not stop.is_set():
                write(loop, f"thread {thread} {number}", 1)
                number += 1
                time.sleep(0.01)
        except BaseException as error:
            failed.append(error)

    working = [threading.Thread(target=work, args=(number,)) for number in range(threads)]
    for thread in working:
        thread.start()
    try:
        yield
    finally:
        stop.set()
        for thread in working:
            thread.join(PATIENCE)
    assert failed == []


def test_a_child_opens_its_own_and_learns(url):
    with Loop(url, wait=None) as loop:
        play(loop, "parent")

        def work():
            play(loop, "child")
            assert loop.status().error is None
            assert loop.status().here == 6, "the child still has the model of the fork"
            loop.close()

        assert ended_well(in_child(work))
        play(loop, "parent again")
        assert loop.status().here == 9
        assert all(difference == 0.0 for _, difference in loop.verify())


@pytest.mark.slow
def test_forks_under_load_never_hang(tmp_path):
    with Loop(tmp_path / "loop.db", wait=None) as loop:
        play(loop, "first")
        with busy(loop):
            for number in range(25):
                child = in_child(lambda number=number: write(loop, f"child {number}", 2))
                assert ended_well(child), f"child {number} hangs or failed"
    with Loop(tmp_path / "loop.db", wait=None) as loop:
        assert loop.wait_for(timeout=PATIENCE)
        assert {difference for _, difference in loop.verify()} == {0.0}
        events = set(loop.events()["event"])
        assert {f"child {number} 1" for number in range(25)} <= events


def test_a_child_of_a_loop_that_has_just_been_opened(tmp_path):
    """What its thread imports, compiles and locks meanwhile must be free in the child."""
    loop = Loop(tmp_path / "loop.db", wait=None)
    children = [in_child(lambda name=name: play(loop, name)) for name in ("one", "two")]
    assert [ended_well(child) for child in children] == [True, True]
    loop.close()


def test_a_child_of_a_child(tmp_path):
    with Loop(tmp_path / "loop.db", wait=None) as loop:

        def work():
            play(loop, "child")
            assert ended_well(in_child(lambda: play(loop, "grandchild")))
            play(loop, "child again")

        assert ended_well(in_child(work))
        assert loop.wait_for(9, PATIENCE)


def test_the_child_may_lead_when_its_parent_has_ended(tmp_path):
    """SQLite's locks are in the memory that a child inherits."""
    reading, writing = os.pipe()

    def parent():
        loop = Loop(tmp_path / "loop.db", wait=None)
        play(loop, "parent")
        assert loop.status().leads

        def child():
            play(loop, "child")
            deadline = time.monotonic() + PATIENCE
            while not loop.status().leads and time.monotonic() < deadline:
                time.sleep(0.05)
            os.write(writing, b"leads" if loop.status().leads else b"never")

        in_child(child)

    assert ended_well(in_child(parent))
    os.close(writing)
    with os.fdopen(reading) as answer:
        assert answer.read() == "leads"


def test_the_parent_that_closes_first_takes_nothing_from_its_child(tmp_path):
    """Whoever closes last removes the write-ahead file: that must not be the parent."""
    loop = Loop(tmp_path / "loop.db", wait=None)
    go, gone = os.pipe()

    def work():
        play(loop, "child", 1)
        os.read(go, 1)
        loop.reward(loop.rank({}, ["a", "b"], event="after").event, 1.0)
        os._exit(0)  # Without the checkpoint of close.

    child = in_child(work)
    while loop.version < 1:
        time.sleep(0.01)
    loop.close()
    os.write(gone, b".")
    assert ended_well(child)
    with Loop(tmp_path / "loop.db", wait=None) as loop:
        assert set(loop.events()["event"]) == {"child 0", "after"}


def test_a_closed_loop_is_closed_in_the_child_too(tmp_path):
    loop = Loop(tmp_path / "loop.db", wait=None)
    loop.close()

    def work():
        with pytest.raises(StoreError, match="is closed"):
            loop.rank({}, ["a"])
        loop.close()

    assert ended_well(in_child(work))


def test_close_in_a_child_that_did_not_use_it(url):
    with Loop(url, wait=None) as loop:
        assert ended_well(in_child(loop.close))
        play(loop, "parent")


class OwnStorage(Database):
    """A storage of somebody else's, which cannot be opened again."""

    reopened = Storage.reopened


def test_a_storage_that_cannot_be_opened_again_is_refused_in_a_child(tmp_path):
    with Loop(OwnStorage(tmp_path / "loop.db"), wait=None) as loop:

        def work():
            with pytest.raises(StoreError, match="open the loop in the child"):
                loop.rank({}, ["a"])

        assert ended_well(in_child(work))
        play(loop, "parent")


def test_a_fork_that_cannot_wait_is_refused_in_the_child(tmp_path, monkeypatch):
    monkeypatch.setattr(forks, "PATIENCE", 0.05)
    inside, done = threading.Event(), threading.Event()

    def stay():
        with forks.GATE:
            inside.set()
            done.wait()

    with Loop(tmp_path / "loop.db", wait=None) as loop:
        play(loop, "parent")
        thread = threading.Thread(target=stay)
        thread.start()
        inside.wait()

        def work():
            for call in (
                lambda: loop.rank({}, ["a"]),
                lambda: Loop(tmp_path / "loop.db", wait=None),
            ):
                with pytest.raises(StoreError, match="open the loop after the fork, not before"):
                    call()

        child = in_child(work)
        done.set()
        thread.join()
        assert ended_well(child)
        play(loop, "parent again")


def test_two_threads_fork_at_once(tmp_path):
    with Loop(tmp_path / "loop.db", wait=None) as loop:
        results = []

        def fork(name):
            results.append(ended_well(in_child(lambda: play(loop, name))))

        threads = [threading.Thread(target=fork, args=(f"child {n}",)) for n in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert results == [True] * 4


def in_another_process(loop_or_path, name):
    loop = loop_or_path if isinstance(loop_or_path, Loop) else Loop(loop_or_path, wait=None)
    play(loop, name)


GLOBAL = {}


def with_the_global_loop(name):
    play(GLOBAL["loop"], name)


def test_multiprocessing_by_fork(url):
    context = multiprocessing.get_context("fork")
    with Loop(url, wait=None) as loop:
        play(loop, "parent")
        GLOBAL["loop"] = loop
        try:
            with context.Pool(2) as pool:
                pool.map(with_the_global_loop, ["a", "b", "c"])
            process = context.Process(target=in_another_process, args=(loop, "d"))
            process.start()
            process.join(PATIENCE)
            assert process.exitcode == 0
        finally:
            GLOBAL.clear()
        assert loop.wait_for(timeout=PATIENCE)
        assert loop.version == 15


@SLOW_ON_POSTGRESQL
def test_multiprocessing_by_spawn(url):
    context = multiprocessing.get_context("spawn")
    with Loop(url, wait=None) as loop:
        process = context.Process(target=in_another_process, args=(url, "spawned"))
        process.start()
        process.join(PATIENCE)
        assert process.exitcode == 0
        assert loop.wait_for(timeout=PATIENCE)
        assert loop.version == 3
        with pytest.raises(TypeError, match="open it in the other process"):
            context.Process(target=in_another_process, args=(loop, "x")).start()


def test_asyncio_through_threads_in_a_child(tmp_path):
    async def serve(loop, name):
        calls = [asyncio.to_thread(play, loop, f"{name} {number}", 1) for number in range(8)]
        await asyncio.gather(*calls)

    with Loop(tmp_path / "loop.db", wait=None) as loop:
        asyncio.run(serve(loop, "parent"))
        assert ended_well(in_child(lambda: asyncio.run(serve(loop, "child"))))
        assert loop.wait_for(16, PATIENCE)
        assert loop.version == 16


def test_a_fork_in_a_handler_while_a_call_waits(tmp_path):
    """The child has no thread that would end the call."""
    if sys.platform == "win32":
        pytest.skip("no such signals")
    loop = Loop(tmp_path / "loop.db", wait=None)
    play(loop, "parent")
    children = []

    def fork(*_):
        children.append(os.fork())

    before = signal.signal(signal.SIGUSR1, fork)
    parent = os.getpid()
    threading.Timer(0.3, os.kill, (parent, signal.SIGUSR1)).start()
    try:
        reached = loop.wait_for(1_000_000, timeout=3.0)
        told = ""
    except StoreError as error:
        told = str(error)
    if os.getpid() != parent:
        os._exit(0 if "repeat the call in the child" in told else 1)
    signal.signal(signal.SIGUSR1, before)
    assert not reached
    assert [ended_well(child) for child in children] == [True]
    loop.close()
