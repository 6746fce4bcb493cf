"""A password is nowhere to be seen: not in messages, tracebacks, representations or logs."""

import logging
import traceback

import pytest
from commands import SameProcess, said

from hybandit import Loop
from hybandit.errors import HybanditError, InvalidInput
from hybandit.experiments.engines import ENGINES
from hybandit.loop.storage.backends import backend

SECRET = "tell0no1"
WRONG = [
    f"mysql://bob:{SECRET}@host/shop",
    f"postgresql+asyncpg://bob:{SECRET}@host/shop",
    f"postgresql://bob:{SECRET}@host:port/shop",
    f"postgresql://bob:{SECRET}@host:99999999/shop",
    f"postgresql://bob:x@{SECRET}@host/shop",
    f"postgresql+psycopg://bob:{SECRET}@127.0.0.1:1/shop",
    f"postgresql://bob@127.0.0.1:1/shop?password={SECRET}",
    f"postgresql://bob@127.0.0.1:1/shop?password={SECRET}&nonsense=1",
    f"postgresql://bob@127.0.0.1:1/shop?password={SECRET}&sslpassword={SECRET}&sslmode={SECRET}",
    f"postgres:/bob:{SECRET}@host/shop",
    f"sqlite://bob:{SECRET}@host/shop",
    f"host=127.0.0.1 user=bob password={SECRET}",
    f"password = '{SECRET}' user=bob",
]


@pytest.mark.parametrize("url", WRONG)
@pytest.mark.usefixtures("elsewhere")
def test_an_address_that_cannot_be_opened(url, caplog):
    caplog.set_level(logging.DEBUG)
    with pytest.raises(HybanditError) as refused:
        Loop(url, wait=None)
    told = "".join(traceback.format_exception(refused.value)) + repr(refused.value) + caplog.text
    assert SECRET not in told


@pytest.fixture
def elsewhere(tmp_path, monkeypatch):
    """A folder of its own, in which nothing may be made."""
    monkeypatch.chdir(tmp_path)
    yield
    assert not list(tmp_path.iterdir())


def test_a_port_that_is_no_number_is_told_in_a_sentence():
    with pytest.raises(InvalidInput, match="the port a number from 1 to 65535") as refused:
        backend(f"postgresql://bob:{SECRET}@host:port/shop")
    assert str(refused.value).endswith("got postgresql://bob:***@host:port/shop")


@pytest.mark.parametrize("url", [WRONG[1], WRONG[6], WRONG[9], WRONG[11]])
@pytest.mark.parametrize("command", [["loop", "{}"], ["evaluate", "{}"]])
def test_the_command_line(url, command, monkeypatch, capsys):
    done = said(monkeypatch, capsys, *(word.format(url) for word in command))
    assert done.code == 1
    assert SECRET not in done.out + done.err
    assert done.err.startswith("hybandit: ")
    assert "Traceback" not in done.err


@pytest.mark.parametrize("scheme", ["postgresql", "postgres", "postgresql+psycopg"])
@pytest.mark.parametrize("password", [":{}@", "?password={}&"])
def test_the_usual_forms_of_an_address(postgres_server, scheme, password):
    from tests.loop.conftest import new_schema

    uri = new_schema(postgres_server.get_uri()).partition("://")[2]
    uri = uri.replace(":@" if password[0] == ":" else "?", password, 1)
    with Loop(f"{scheme}://{uri.format(SECRET)}", wait=None) as loop:
        assert SECRET not in loop.status().url
        engines = vars(loop._storage._backend)
        assert SECRET not in f"{loop!r} {loop._storage!r} {engines!r}"
        assert loop.status().url.startswith("postgresql://postgres@")
        with pytest.raises(HybanditError) as refused:
            loop._storage._read(lambda connection: connection.exec_driver_sql("SELECT nothing"))
    assert SECRET not in "".join(traceback.format_exception(refused.value))


@pytest.mark.parametrize("form", ["sqlite:///{}", "sqlite+pysqlite:///{}", "{}"])
def test_the_usual_forms_of_a_file(tmp_path, monkeypatch, form):
    monkeypatch.chdir(tmp_path)
    for place in ("loop.db", f"{tmp_path}/loop.db"):
        with Loop(form.format(place), wait=None) as loop:
            loop.rank({}, ["a"])
            assert loop.status().url == place
    assert (tmp_path / "loop.db").exists()


def test_what_evaluate_writes(postgres_server, tmp_path, monkeypatch, capsys):
    from tests.loop.conftest import new_schema

    url = new_schema(postgres_server.get_uri()).replace(":@", f":{SECRET}@", 1)
    with Loop(url, wait=None, explore=1.0) as loop:
        for number in range(30):
            loop.reward(loop.rank({"n": number % 3}, ["a", "b"]).event, number % 2)
    monkeypatch.setitem(ENGINES, "local", SameProcess)
    done = said(monkeypatch, capsys, "evaluate", url, "--out", tmp_path / "out")
    assert done.code == 0, done.err
    assert SECRET not in done.out + done.err
    written = [path for path in (tmp_path / "out").rglob("*") if path.is_file()]
    assert written
    for path in written:
        assert SECRET not in str(path)
        assert SECRET.encode() not in path.read_bytes(), path
