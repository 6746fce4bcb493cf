import multiprocessing
import sqlite3
from contextlib import closing

import pytest

from hybandit.errors import StoreError
from hybandit.experiments import Run, Store
from hybandit.experiments.store import APPLICATION, VERSION
from hybandit.policies import find_policy

RUN = Run(rounds=2, reward=1.0, regret=1.0, seconds=0.5, at=[1, 2], rewards=[0.0, 1.0],
          regrets=[1.0, 1.0], extra={"seen": 3})  # fmt: skip


def test_what_goes_in_comes_out(store, tasks):
    store.add(tasks[0], RUN, machine="here")
    assert store.get(tasks[0]) == RUN
    assert store.get(tasks[1]) is None
    assert store.tasks() == tasks[:1]
    assert Store(store.path).get(tasks[0]) == RUN


def test_the_first_result_of_a_task_stays(store, tasks):
    store.add(tasks[0], RUN, machine="here")
    store.add(tasks[0], Run(rounds=9, reward=9.0, regret=None, seconds=9.0), machine="there")
    assert store.get(tasks[0]) == RUN


def test_notes_are_kept(store):
    store.note("asked", {"kind": "compare"})
    store.note("asked", {"kind": "reproduce"})
    assert store.noted("asked") == {"kind": "reproduce"}
    assert store.noted("other") is None


def test_provenance_counts_runs_by_machine(store, tasks):
    for task, machine in zip(tasks, ("here", "here", "there"), strict=False):
        store.add(task, RUN, machine=machine)
    assert [(row[0], row[-1]) for row in store.provenance()] == [("here", 2), ("there", 1)]


def test_a_newer_store_is_refused_and_left_alone(store):
    with closing(sqlite3.connect(store.path)) as connection, connection:
        connection.execute("PRAGMA user_version = 99")
    before = store.path.read_bytes()
    with pytest.raises(StoreError, match=r"format 99.*update"):
        Store(store.path)
    assert store.path.read_bytes() == before


def test_foreign_files_are_refused_and_left_alone(tmp_path):
    text, database = tmp_path / "text.sqlite", tmp_path / "other.sqlite"
    text.write_text("not a database at all, but long enough to look like something" * 20)
    with closing(sqlite3.connect(database)) as connection, connection:
        connection.execute("CREATE TABLE mine (x)")
    for path in (text, database):
        before = path.read_bytes()
        with pytest.raises(StoreError, match="store"):
            Store(path)
        assert path.read_bytes() == before


def test_a_full_disk_is_a_clear_error_and_leaves_a_valid_store(store, tasks, monkeypatch):
    store.add(tasks[0], RUN, machine="here")
    open_really = store._open

    def nearly_full():
        connection = open_really()
        connection.execute("PRAGMA max_page_count = 1")
        return connection

    monkeypatch.setattr(store, "_open", nearly_full)
    large = Run(rounds=1, reward=0.0, regret=None, seconds=0.0, rewards=[0.1] * 100_000)
    with pytest.raises(StoreError, match="full"):
        store.add(tasks[1], large, machine="here")
    monkeypatch.undo()
    assert store.get(tasks[1]) is None
    assert store.get(tasks[0]) == RUN


def test_a_store_that_must_exist_is_not_made(tmp_path):
    with pytest.raises(StoreError, match="no store"):
        Store(tmp_path / "missing.sqlite", must_exist=True)
    assert not (tmp_path / "missing.sqlite").exists()


def test_runs_of_another_results_version_are_kept_and_not_used(store, tasks, monkeypatch):
    store.add(tasks[0], RUN, machine="here")
    monkeypatch.setattr(find_policy("lin-ucb"), "results_version", 2)
    again = type(tasks[0])(tasks[0].environment, tasks[0].policy, tasks[0].seed)
    found = store.find([again])
    assert (found.runs, found.outdated) == ({}, 1)
    store.add(again, RUN, machine="here")
    monkeypatch.undo()
    found = store.find(tasks)
    assert set(found.runs) == {tasks[0].key}
    assert found.outdated == 1


def open_store(path, barrier, failures):
    barrier.wait()
    try:
        Store(path).note("opened", True)
    except Exception as error:
        failures.put(repr(error))


def test_many_may_make_a_store_at_once(tmp_path):
    context = multiprocessing.get_context("fork")
    failures = context.Queue()
    for number in range(4):
        barrier = context.Barrier(4)
        path = tmp_path / str(number) / "results.sqlite"
        processes = [
            context.Process(target=open_store, args=(path, barrier, failures)) for _ in range(4)
        ]
        for process in processes:
            process.start()
        for process in processes:
            process.join()
        assert Store(path).noted("opened") is True
    assert failures.empty(), failures.get()


@pytest.mark.parametrize(
    "made",
    [
        f"PRAGMA application_id = {APPLICATION}",
        f"PRAGMA application_id = {APPLICATION}; PRAGMA user_version = 1",
        f"PRAGMA application_id = {APPLICATION}; PRAGMA user_version = {VERSION}",
        f"PRAGMA application_id = {APPLICATION}; PRAGMA user_version = {VERSION};"
        "CREATE TABLE notes (name TEXT PRIMARY KEY, content TEXT NOT NULL) STRICT",
    ],
)
def test_a_store_left_half_made_is_finished(tmp_path, tasks, made):
    path = tmp_path / "results.sqlite"
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.executescript(made)
    store = Store(path)
    store.add(tasks[0], RUN, machine="here")
    assert store.get(tasks[0]) == RUN


def test_a_store_is_made_whole_or_not_at_all(tmp_path):
    path = tmp_path / "results.sqlite"
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.executescript(
            f"PRAGMA application_id = {APPLICATION}; "
            "CREATE TABLE a (b); CREATE INDEX notes ON a (b)"
        )
    with pytest.raises(StoreError, match="already an index named notes"):
        Store(path)
    with closing(sqlite3.connect(path)) as connection:
        names = connection.execute("SELECT name FROM sqlite_master").fetchall()
        assert names == [("a",), ("notes",)]
        assert connection.execute("PRAGMA user_version").fetchone() == (0,)


def test_a_damaged_note_and_text_that_is_none_are_clear_errors(store, tasks):
    store.note("asked", {"command": "compare"})
    with closing(sqlite3.connect(store.path)) as connection, connection:
        connection.execute("UPDATE notes SET content = '{'")
    with pytest.raises(StoreError, match=r"'asked'.*damaged"):
        store.noted("asked")
