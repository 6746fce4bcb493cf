import sqlite3
from contextlib import closing

import pytest

from hybandit.errors import StoreError
from hybandit.experiments import Run, Store

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
