import sqlite3
from contextlib import closing

import pytest
import sqlalchemy as sql

from hybandit import Loop
from hybandit.errors import StoreError
from hybandit.loop.storage import tables
from hybandit.loop.storage.database import TALLY, Database
from hybandit.loop.storage.forgetting import note
from hybandit.loop.storage.tables import SCHEMA


def test_a_newer_schema_is_refused_with_a_sentence_and_left_alone(url, storages):
    storage, _ = storages
    storage._write(lambda connection: note(connection, SCHEMA, 4))
    for _ in range(2):
        with pytest.raises(StoreError, match=r"has schema 4; this hybandit knows up to 3: update"):
            Database(url)


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


def made_with_schema_1(url):
    """A loop with two events, brought to the form of schema 1."""
    with Loop(url, wait=None) as loop:
        for number in range(2):
            loop.rank({"x": number}, ["a", "b"], event=f"e{number}")
            loop.reward(f"e{number}", number, key=f"key {number}")
        loop.wait_for()
    database = Database(url)
    database._write(_back_to_schema_1)
    database.close()


def _back_to_schema_1(connection):
    columns = [column for column in tables.rewards.columns if column.name != "number"]
    kept = [row._asdict() for row in connection.execute(sql.select(*columns))]
    tables.rewards.drop(connection)
    old = sql.Table(
        "loop_rewards",
        sql.MetaData(),
        sql.Column("number", tables.Number, primary_key=True),
        sql.Column("event", sql.BigInteger, nullable=False, index=True),
        sql.Column("value", sql.Float(53), nullable=False),
        sql.Column("at", sql.Float(53), nullable=False),
        sql.Column("late", sql.Boolean, nullable=False),
        sql.Column("key", sql.Text, unique=True),
    )
    old.create(connection)
    connection.execute(old.insert(), kept)
    for name in ("policy", "settings"):
        connection.exec_driver_sql(f"ALTER TABLE loop_journal DROP COLUMN {name}")
    connection.exec_driver_sql("ALTER TABLE loop_events DROP COLUMN baseline")
    connection.execute(tables.meta.delete().where(tables.meta.c.name == TALLY))
    note(connection, SCHEMA, 1)


def test_a_loop_of_schema_1_is_brought_up_to_date(url):
    made_with_schema_1(url)
    with Loop(url, wait=None) as loop:
        assert loop.wait_for(2)
        assert loop.status().rewards == 2
        loop.reward("e0", 0, key="key 0")
        assert loop.status().rewards == 2, "a key was lost"
        loop.reward("e1", 1, key="key 0")
        assert loop.status().rewards == 3, "keys are still for the whole loop"
        assert loop.change(explore=0.2) == 3
        assert all(apart == 0.0 for _, apart in loop.verify())
        assert loop.events()["baseline"].tolist() == ["a", "a"]
    database = Database(url)
    assert database._read(lambda connection: connection.scalar(SCHEMA_OF)) == "3"
    database.close()


SCHEMA_OF = sql.select(tables.meta.c.value).where(tables.meta.c.name == SCHEMA)


def test_a_loop_that_cannot_be_brought_up_to_date_is_left_as_it_was(url, monkeypatch):
    made_with_schema_1(url)

    def fails(connection):
        connection.execute(tables.meta.delete())
        connection.exec_driver_sql("SELECT nothing")

    with monkeypatch.context() as patch:
        patch.setitem(tables.MIGRATIONS, 1, fails)
        with pytest.raises(StoreError, match="nothing"):
            Loop(url, wait=None)
    with Loop(url, wait=None) as loop:
        assert loop.status().events == 2
