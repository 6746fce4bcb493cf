"""Who sends a request too slowly, or for ever, is cut off."""

import socket
import time
from urllib.parse import urlsplit

import pytest
from listening import listening

from hybandit.service.app import create_app
from hybandit.service.limits import Limits
from hybandit.service.protocol import LimitedProtocol

HEAD = b"POST /v1/loops/tea/rank HTTP/1.1\r\nHost: localhost\r\n"
WHOLE = b"GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n"


class Impatient(LimitedProtocol):
    patience = 0.5


@pytest.fixture
def connect(loops):
    """Opens connections to a server with little patience."""
    loops.create("tea", wait=None)
    app = create_app(loops, limits=Limits(seconds=0.5, body=1_000))
    with listening(app, Impatient) as address:
        place = urlsplit(address)
        opened = []

        def connect():
            opened.append(socket.create_connection((place.hostname, place.port), 20))
            return opened[-1]

        yield connect
        for each in opened:
            each.close()


def ended(connection):
    """What came until the server ended the connection."""
    found = b""
    try:
        while part := connection.recv(65_536):
            found += part
    except ConnectionResetError:
        pass
    return found


@pytest.mark.parametrize("sent", [b"", b"GET /hea", HEAD, HEAD + b"X-Slow: "])
def test_half_a_head_is_cut_off(connect, sent):
    connection = connect()
    connection.sendall(sent)
    assert ended(connection) == b""


def test_half_of_a_second_head_is_cut_off(connect):
    connection = connect()
    connection.sendall(WHOLE)
    assert connection.recv(65_536).startswith(b"HTTP/1.1 200")
    connection.sendall(HEAD)
    assert ended(connection) == b""


def test_a_head_drop_by_drop_is_cut_off(connect):
    connection, started = connect(), time.monotonic()

    def drip():
        for number in range(200):
            connection.sendall(b"a" if number else b"GET /")
            time.sleep(0.05)

    with pytest.raises((BrokenPipeError, ConnectionResetError)):
        drip()
    assert time.monotonic() - started < 8.0


def test_a_head_without_end_is_cut_off(connect):
    connection = connect()
    connection.sendall(HEAD)

    def drone():
        for number in range(10_000):
            connection.sendall(f"X-{number}: {'x' * 1_000}\r\n".encode())

    with pytest.raises((BrokenPipeError, ConnectionResetError)):
        drone()


def test_a_slow_body_is_refused_and_cut_off(connect, loops):
    connection = connect()
    head = b"Content-Type: application/json\r\nContent-Length: 100\r\n\r\n"
    connection.sendall(HEAD + head + b'{"act')
    answer = ended(connection)
    assert answer.startswith(b"HTTP/1.1 408")
    assert b"too_slow" in answer
    assert loops["tea"].status().events == 0


def test_a_large_body_is_refused_and_cut_off(connect, loops):
    connection = connect()
    head = b"Content-Type: application/json\r\nContent-Length: 100000000\r\n\r\n"
    connection.sendall(HEAD + head)
    sent = 0
    try:
        while sent < 100_000_000:
            sent += connection.send(b" " * 65_536)
    except OSError:
        pass
    assert sent < 20_000_000
    assert loops["tea"].status().events == 0


def test_requests_one_after_the_other_have_time_each(connect):
    connection = connect()
    for _ in range(4):
        connection.sendall(WHOLE)
        assert connection.recv(65_536).startswith(b"HTTP/1.1 200")
        time.sleep(0.3)
