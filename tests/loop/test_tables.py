import sqlite3
from contextlib import closing

import pytest

from hybandit.errors import StoreError
from hybandit.loop.database import Database
from hybandit.loop.forgetting import note
from hybandit.loop.tables import SCHEMA


def test_a_newer_schema_is_refused_with_a_sentence_and_left_alone(url, storages):
    storage, _ = storages
    storage._write(lambda connection: note(connection, SCHEMA, 2))
    for _ in range(2):
        with pytest.raises(StoreError, match=r"has schema 2; this hybandit knows up to 1: update"):
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
