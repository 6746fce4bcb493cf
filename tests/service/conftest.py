"""The service over a folder of loops, through the framework's test client."""

import pytest
from starlette.testclient import TestClient

from hybandit.loop import Loops
from hybandit.service.app import create_app

LOCAL = "http://127.0.0.1"


@pytest.fixture
def loops(tmp_path):
    return Loops(tmp_path / "loops")


@pytest.fixture
def client(loops):
    with TestClient(create_app(loops), LOCAL, raise_server_exceptions=False) as client:
        yield client


@pytest.fixture
def tea(client):
    """A client with a loop in which every decision gets a reward."""
    assert client.put("/v1/loops/tea", json={"settings": {"wait": None}}).status_code == 201
    return client
