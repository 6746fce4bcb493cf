"""Copies of a loop that is in use."""

import threading

import pytest

from hybandit import Loop
from hybandit.errors import InvalidInput, StoreError


def play(loop, name, rounds=5):
    for number in range(rounds):
        decision = loop.rank({"hour": number}, ["a", "b"], event=f"{name} {number}")
        loop.reward(decision.event, float(number % 2))


def test_a_copy_is_a_loop_of_its_own(tmp_path):
    with Loop(tmp_path / "loop.db", explore=0.3, wait=None) as loop:
        play(loop, "before")
        loop.rollback(3)
        loop.backup(tmp_path / "copy.db")
        play(loop, "after")
    assert {path.name for path in tmp_path.iterdir()} >= {"loop.db", "copy.db"}
    assert not list(tmp_path.glob(".copy*")), "the copy left something beside it"
    with Loop(tmp_path / "copy.db", wait=None) as copy:
        assert copy.settings["explore"] == 0.3
        assert set(copy.events()["event"]) == {f"before {number}" for number in range(5)}
        assert copy.wait_for()
        assert {difference for _, difference in copy.verify()} == {0.0}
        play(copy, "restored")
        assert copy.wait_for()
        assert copy.version == 11


def test_copies_of_a_loop_that_is_written_to(tmp_path):
    stop = threading.Event()
    with Loop(tmp_path / "loop.db", wait=None) as loop:

        def work(name):
            number = 0
            while not stop.is_set():
                play(loop, f"{name} {number}", 1)
                number += 1

        threads = [threading.Thread(target=work, args=(name,)) for name in "ab"]
        for thread in threads:
            thread.start()
        confirmed = []
        for number in range(5):
            play(loop, f"main {number}")
            confirmed.append(set(loop.events()["event"]))
            loop.backup(tmp_path / f"copy {number}.db")
        stop.set()
        for thread in threads:
            thread.join()
    for number, events in enumerate(confirmed):
        with Loop(tmp_path / f"copy {number}.db", wait=None) as copy:
            assert events <= set(copy.events()["event"]), "what was confirmed is not in the copy"
            assert copy.wait_for()
            assert all(difference == 0.0 for _, difference in copy.verify())


def test_nothing_is_overwritten(tmp_path):
    (tmp_path / "precious").write_text("mine")
    (tmp_path / "link").symlink_to(tmp_path / "nothing")
    with Loop(tmp_path / "loop.db", wait=None) as loop:
        for name in ("precious", "loop.db", "link", "."):
            with pytest.raises(InvalidInput, match="'path' must be a file that does not exist yet"):
                loop.backup(tmp_path / name)
        with pytest.raises(FileNotFoundError, match="no folder"):
            loop.backup(tmp_path / "missing" / "copy.db")
    assert (tmp_path / "precious").read_text() == "mine"


def test_postgresql_copies_itself(postgres_server, tmp_path):
    with (
        Loop(postgres_server.get_uri(), wait=None) as loop,
        pytest.raises(StoreError, match=r"copied by PostgreSQL: pg_dump '?postgresql://"),
    ):
        loop.backup(tmp_path / "copy.sql")
    assert list(tmp_path.iterdir()) == []
