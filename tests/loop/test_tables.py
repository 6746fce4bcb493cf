import sqlite3
from contextlib import closing

import pytest
import sqlalchemy as sql

from hybandit.errors import StoreError
from hybandit.loop import tables
from hybandit.loop.database import Database
from hybandit.testing.storage import AT_ONCE, an_event


def test_a_newer_schema_is_refused_with_a_sentence_and_left_alone(url, storages, monkeypatch):
    monkeypatch.setattr(tables, "VERSION", 0)
    with pytest.raises(StoreError, match=r"has schema 1; this hybandit knows up to 0: update it"):
        Database(url)
    monkeypatch.undo()
    assert Database(url).close() is None


def test_an_older_schema_is_brought_forward_step_by_step(url, monkeypatch):
    old = Database(url)
    old.add_event(an_event())
    old.close()

    def add_column(connection):
        connection.execute(sql.text("ALTER TABLE loop_events ADD COLUMN colour TEXT"))

    def colour(connection):
        return connection.scalar(sql.text("SELECT colour FROM loop_events"))

    def fill_column(connection):
        connection.execute(sql.text("UPDATE loop_events SET colour = 'red'"))

    monkeypatch.setattr(tables, "VERSION", 3)
    monkeypatch.setattr(tables, "MIGRATIONS", {1: add_column, 2: fill_column})
    for _ in range(2):
        new = Database(url)
        new.add_reward("e", 1.0, 110.0, AT_ONCE)
        assert new._read(colour) == "red"
        new.close()


def test_a_migration_that_fails_leaves_the_old_schema(url, monkeypatch):
    Database(url).close()

    def fail(connection):
        connection.execute(sql.text("ALTER TABLE loop_events ADD COLUMN colour TEXT"))
        connection.execute(sql.text("SELECT nonsense FROM nowhere"))

    monkeypatch.setattr(tables, "VERSION", 2)
    monkeypatch.setattr(tables, "MIGRATIONS", {1: fail})
    with pytest.raises(StoreError):
        Database(url)
    monkeypatch.undo()
    again = Database(url)
    assert again.add_event(an_event()) == an_event()
    again.close()


def test_foreign_files_are_refused_and_left_alone(tmp_path):
    text, database = tmp_path / "text.db", tmp_path / "other.db"
    text.write_text("not a database at all, but long enough to look like something" * 20)
    with closing(sqlite3.connect(database)) as connection, connection:
        connection.execute("CREATE TABLE mine (x)")
    for path in (text, database):
        before = path.read_bytes()
        with pytest.raises(StoreError, match=r"(text|other)\.db"):
            Database(path)
        assert path.read_bytes() == before
        assert {file.name for file in tmp_path.iterdir()} == {"text.db", "other.db"}
