import gzip
import hashlib
import http.server
import socket
import threading
from functools import partial

import numpy as np
import pytest
import rich.progress

from hybandit.datasets import read_labelled
from hybandit.datasets.files import CHUNK, DataFile, cache_folder, folders
from hybandit.errors import DataFileError

CONTENT = b"1,2,3\n" * 200_000


@pytest.fixture
def places(tmp_path, monkeypatch):
    """An own data folder and a cache, both empty."""
    own, cache = tmp_path / "own", tmp_path / "cache"
    own.mkdir()
    monkeypatch.setenv("HYBANDIT_DATA", str(own))
    monkeypatch.setenv("XDG_CACHE_HOME", str(cache))
    return own, cache / "hybandit"


@pytest.fixture
def server(tmp_path):
    """A real web server for `server.folder`."""
    folder = tmp_path / "served"
    folder.mkdir()
    handler = partial(Quiet, directory=str(folder))
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as running:
        thread = threading.Thread(target=running.serve_forever, args=(0.01,))
        thread.start()
        running.folder = folder
        running.url = f"http://127.0.0.1:{running.server_port}"
        yield running
        running.shutdown()
        thread.join()


class Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *_):
        pass


def data_file(content=CONTENT, url=None, path="set/rows.csv"):
    return DataFile(path, len(content), hashlib.sha256(content).hexdigest(), url)


def put(folder, content, name="set/rows.csv"):
    place = folder / name
    place.parent.mkdir(parents=True, exist_ok=True)
    place.write_bytes(content)
    return place


def everything_in(folder):
    return [entry for entry in folder.rglob("*") if entry.is_file()] if folder.exists() else []


@pytest.mark.parametrize("zipped", [False, True])
@pytest.mark.parametrize("number", [0, 1])
def test_a_file_is_found_plain_or_zipped_in_the_own_folder_or_the_cache(places, number, zipped):
    name = "set/rows.csv.gz" if zipped else "set/rows.csv"
    place = put(places[number], gzip.compress(CONTENT) if zipped else CONTENT, name)
    assert data_file().find() == place
    assert data_file().read() == CONTENT


def test_the_own_folder_comes_before_the_cache(places):
    mine = put(places[0], CONTENT)
    put(places[1], b"other")
    assert data_file().find() == mine
    assert folders() == list(places)


def test_without_settings_the_cache_is_in_the_home_folder(monkeypatch, tmp_path):
    monkeypatch.delenv("HYBANDIT_DATA", raising=False)
    monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
    monkeypatch.setenv("HOME", str(tmp_path))
    assert folders() == [cache_folder()] == [tmp_path / ".cache" / "hybandit"]


def test_a_truncated_file_is_refused_with_both_sizes(places):
    place = put(places[0], CONTENT[:-7])
    with pytest.raises(DataFileError, match="holds 1,199,993 bytes where 1,200,000") as caught:
        data_file().read()
    assert str(place) in str(caught.value)


def test_a_truncated_archive_is_refused(places):
    place = put(places[0], gzip.compress(CONTENT)[:-20], "set/rows.csv.gz")
    with pytest.raises(DataFileError, match="cannot be read") as caught:
        data_file().read()
    assert str(place) in str(caught.value)


def test_a_file_that_is_no_archive_at_all_is_refused(places):
    put(places[0], CONTENT, "set/rows.csv.gz")
    with pytest.raises(DataFileError, match="cannot be read"):
        data_file().read()


@pytest.mark.parametrize("zipped", [False, True])
def test_an_altered_file_is_refused(places, zipped):
    altered = CONTENT[:100] + b"9" + CONTENT[101:]
    content, name = (
        (gzip.compress(altered), "set/rows.csv.gz") if zipped else (altered, "set/rows.csv")
    )
    place = put(places[0], content, name)
    with pytest.raises(DataFileError, match="has been altered: its sha256 is not") as caught:
        data_file().read()
    assert str(place) in str(caught.value)


def test_a_missing_file_without_a_source_is_named_with_the_place_to_put_it(places):
    with pytest.raises(DataFileError) as caught:
        data_file().read()
    message = str(caught.value)
    assert "the file set/rows.csv is not here and has no source" in message
    assert f"put it at {places[1] / 'set/rows.csv'}" in message
    assert "set HYBANDIT_DATA" in message


@pytest.mark.parametrize("zipped", [False, True])
def test_a_missing_file_is_downloaded_once_and_kept(places, server, zipped):
    name = "rows.csv.gz" if zipped else "rows.csv"
    put(server.folder, gzip.compress(CONTENT) if zipped else CONTENT, name)
    file = data_file(url=f"{server.url}/{name}")
    assert file.read() == CONTENT
    kept = places[1] / "set" / name
    assert everything_in(places[1]) == [kept]
    (server.folder / name).unlink()
    assert file.read() == CONTENT


def test_a_download_shows_its_progress(places, server, monkeypatch):
    seen = []

    class Watched(rich.progress.Progress):
        def add_task(self, description, *, total=None, **_):
            seen.append((description, total))
            return super().add_task(description, total=total)

        def advance(self, task, advance=1):
            seen.append(advance)
            super().advance(task, advance)

    monkeypatch.setattr(rich.progress, "Progress", Watched)
    put(server.folder, CONTENT, "rows.csv")
    data_file(url=f"{server.url}/rows.csv").read()
    assert seen[0] == ("set/rows.csv", len(CONTENT))
    assert sum(seen[1:]) == len(CONTENT)
    assert len(seen) - 1 == -(-len(CONTENT) // CHUNK)


@pytest.mark.parametrize(
    ("served", "told"),
    [
        (CONTENT[:-1], "it is truncated or another file"),
        (CONTENT[:-2] + b"9\n", "has been altered"),
    ],
)
def test_a_download_that_is_not_the_file_leaves_nothing_behind(places, server, served, told):
    put(server.folder, served, "rows.csv")
    with pytest.raises(DataFileError, match=told):
        data_file(url=f"{server.url}/rows.csv").read()
    assert everything_in(places[1]) == []


def test_a_page_that_is_not_there_is_said_so(places, server):
    with pytest.raises(DataFileError, match=r"cannot be reached \(HTTP Error 404"):
        data_file(url=f"{server.url}/gone.csv").read()
    assert everything_in(places[1]) == []


def test_an_unreachable_host_is_named_with_the_place_to_put_the_file(places):
    with socket.socket() as closed:
        closed.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{closed.getsockname()[1]}/rows.csv"
        with pytest.raises(DataFileError) as caught:
            data_file(url=url).read()
    message = str(caught.value)
    assert f"set/rows.csv is not here and {url} cannot be reached" in message
    assert f"put the file at {places[1] / 'set/rows.csv'}" in message
    assert "set HYBANDIT_DATA" in message
    assert everything_in(places[1]) == []


def test_an_interrupted_download_leaves_nothing_behind(places, server, monkeypatch):
    put(server.folder, CONTENT, "rows.csv")

    def interrupt(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr(rich.progress.Progress, "advance", interrupt)
    with pytest.raises(KeyboardInterrupt):
        data_file(url=f"{server.url}/rows.csv").read()
    assert everything_in(places[1]) == []


def test_a_downloaded_file_has_the_usual_permissions(places, server):
    served = put(server.folder, CONTENT, "rows.csv")
    file = data_file(url=f"{server.url}/rows.csv")
    file.read()
    assert file.find().stat().st_mode == served.stat().st_mode


def test_any_changed_byte_of_an_archive_is_a_data_file_error(tmp_path, monkeypatch):
    monkeypatch.setenv("HYBANDIT_DATA", str(tmp_path))
    content = np.random.default_rng(0).bytes(300) + b"a" * 3000
    packed = gzip.compress(content)
    file = DataFile("rows", len(content), hashlib.sha256(content).hexdigest())
    for place in range(10, len(packed)):
        changed = bytearray(packed)
        changed[place] ^= 0xFF
        (tmp_path / "rows.gz").write_bytes(changed)
        with pytest.raises(DataFileError):
            file.read()


def test_broken_archives_of_ones_own_are_data_file_errors(tmp_path):
    packed = gzip.compress(b"a,c\n" + b"1,x\n2,y\n" * 1000)
    path = tmp_path / "rows.csv.gz"
    path.write_bytes(packed[:-9])
    with pytest.raises(DataFileError):
        read_labelled(path, "c")


def test_infinite_numbers_in_ones_own_table_are_refused(tmp_path):
    path = tmp_path / "rows.csv"
    path.write_text("a,c\n1,x\ninf,y\n")
    with pytest.raises(DataFileError):
        read_labelled(path, "c")
