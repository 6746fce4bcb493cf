"""Keys, and every route with every kind of key."""

import re
import stat
from datetime import UTC, datetime, timedelta
from functools import cache
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from hybandit.errors import Conflict, DataFileError, InvalidInput
from hybandit.loop import Loops
from hybandit.service.app import create_app
from hybandit.service.keys import RIGHTS, Key, KeyFile, Keys
from hybandit.service.operations import OPERATIONS
from hybandit.service.personalizer import FAMILIES

DOCS = Path(__file__).parents[2] / "docs" / "service.md"
ROW = re.compile(r"\| `(GET|PUT|POST|PATCH|DELETE) (/\S*)` \| ([^|]+) \|")
# What each kind of key may do with the loop 'tea'.
KINDS = {
    "none": None,
    "wrong": None,
    "ended": None,
    **{right: {right} for right in RIGHTS},
    "all rights": set(RIGHTS),
    "all rights elsewhere": set(),
    "all rights for all loops": set(RIGHTS),
}


@cache
def documented():
    """The right of each route, as the table of the docs says it."""
    rows = [found.groups() for found in map(ROW.match, DOCS.read_text().splitlines()) if found]
    return {(method, path): right.strip() for method, path, right in rows}


def in_docs(operation):
    path = (
        operation.path.replace("{name}", "NAME")
        .replace("{event:path}", "ID")
        .replace("{version}", "VERSION")
    )
    for family in FAMILIES:
        path = path.replace(f"/personalizer{family}/", "/personalizer/.../") if family else path
    return operation.method, re.sub(r"/personalizer/(?!\.)", "/personalizer/.../", path)


@pytest.fixture(scope="module")
def guarded(tmp_path_factory):
    """A client of a server with keys, and the keys."""
    folder = tmp_path_factory.mktemp("guarded")
    keys = Keys(folder / "keys.json")
    secrets = {right: keys.add(right, loops=["tea"], rights=[right]) for right in RIGHTS}
    secrets["all rights"] = keys.add("all", loops=["tea"])
    secrets["all rights for all loops"] = keys.add("all loops")
    secrets["all rights elsewhere"] = keys.add("elsewhere", loops=["coffee"])
    secrets["ended"] = keys.add("ended", end=datetime.now(UTC) + timedelta(days=1))
    secrets["wrong"] = "hyb_" + "x" * 43
    end_now(folder / "keys.json", "ended")
    loops = Loops(folder / "loops")
    loops.create("tea", wait=None)
    loops.create("coffee", wait=None)
    with TestClient(create_app(loops, keys=keys), "http://shop.example") as client:
        yield client, secrets, loops


def end_now(path, name):
    import msgspec

    file = msgspec.json.decode(path.read_bytes(), type=KeyFile)
    past = datetime.now(UTC) - timedelta(seconds=1)
    keys = [msgspec.structs.replace(k, end=past) if k.name == name else k for k in file.keys]
    path.write_bytes(msgspec.json.encode(KeyFile(keys)))


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("operation", OPERATIONS, ids=lambda each: f"{each.method} {each.path}")
def test_every_route_with_every_kind_of_key(guarded, operation, kind):
    client, secrets, loops = guarded
    headers = {"Authorization": f"Bearer {secrets[kind]}"} if kind in secrets else {}
    path = (
        operation.path.replace("{name}", "tea")
        .replace("{event:path}", "e1")
        .replace("{version}", "1")
    )
    answer = client.request(operation.method, path, headers=headers)
    if operation.method == "DELETE":
        loops.create("tea", wait=None)
    needed, rights = documented()[in_docs(operation)], KINDS[kind]
    if needed == "open":
        assert answer.status_code == 200
    elif rights is None:
        assert answer.status_code == 401
        assert answer.headers["www-authenticate"] == "Bearer"
    elif may(needed, kind, of_loop="{name}" in operation.path):
        assert answer.status_code not in (401, 403)
    else:
        assert answer.status_code == 403


def may(needed, kind, *, of_loop):
    """Whether a valid key of this kind is let in, by what the docs say."""
    if needed == "read, of a key for all loops":
        return kind == "all rights for all loops"
    is_elsewhere = kind == "all rights elsewhere" and not of_loop
    return needed == "any key" or needed in KINDS[kind] or is_elsewhere


def test_the_docs_have_every_route():
    assert set(documented()) == {in_docs(operation) for operation in OPERATIONS}


def test_a_key_sees_only_its_loops(guarded):
    client, secrets, _ = guarded
    for kind, found in (("read", ["tea"]), ("all rights elsewhere", ["coffee"])):
        headers = {"Ocp-Apim-Subscription-Key": secrets[kind]}
        assert client.get("/v1/loops", headers=headers).json() == {"loops": found}


def test_a_loop_that_is_not_there_looks_like_any_other_to_a_key_without_rights(guarded):
    client, secrets, _ = guarded
    headers = {"Authorization": f"Bearer {secrets['read']}"}
    answers = [client.get(f"/v1/loops/{name}", headers=headers) for name in ("coffee", "nobody")]
    assert [answer.status_code for answer in answers] == [403, 403]
    assert answers[0].json() == answers[1].json()


def test_the_file_has_no_key_and_only_its_owner_reads_it(tmp_path):
    path = tmp_path / "keys.json"
    keys = Keys(path)
    secret = keys.add("shop")
    assert secret not in path.read_text()
    assert secret.removeprefix("hyb_") not in path.read_text()
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert keys.find(secret).name == "shop"
    assert keys.find(secret + "x") is None


def test_a_key_can_be_withdrawn_while_the_server_runs(tmp_path):
    path = tmp_path / "keys.json"
    keys = Keys(path)
    first, second = keys.add("first"), keys.add("second")
    assert keys.find(first)
    end_now(path, "first")
    assert keys.find(first) is None
    assert keys.find(second)


@pytest.mark.parametrize(
    "wrong",
    [{"rights": ["everything"]}, {"rights": []}, {"end": datetime(2001, 1, 1, tzinfo=UTC)}],
)
def test_keys_that_cannot_be(tmp_path, wrong):
    with pytest.raises(InvalidInput):
        Keys(tmp_path / "keys.json").add("shop", **wrong)
    assert list(tmp_path.iterdir()) == []


def test_names_of_keys_are_all_different(tmp_path):
    keys = Keys(tmp_path / "keys.json")
    keys.add("shop")
    with pytest.raises(Conflict, match="'name'"):
        keys.add("shop")


def test_a_damaged_file_of_keys_lets_nobody_in(tmp_path):
    (tmp_path / "keys.json").write_text("{")
    keys = Keys(tmp_path / "keys.json")
    with pytest.raises(DataFileError):
        keys.find("x")
    with TestClient(create_app(Loops(tmp_path / "loops"), keys=keys)) as client:
        answer = client.get("/v1/loops", headers={"Authorization": "Bearer x"})
        assert answer.status_code == 500
        assert str(tmp_path) not in answer.text


def test_a_right_without_a_loop_is_for_any():
    key = Key(name="k", hash="", loops=["tea"], rights=["read"])
    assert key.may("read", None)
    assert not key.may("rank", None)
