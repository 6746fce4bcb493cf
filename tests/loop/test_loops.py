"""Many loops by name, in a folder and in PostgreSQL."""

import pytest

from hybandit.errors import Conflict, InvalidInput, StoreError, UnknownName
from hybandit.loop import Loops


@pytest.fixture(params=["folder", "postgresql"])
def place(request, tmp_path):
    if request.param == "folder":
        yield str(tmp_path / "new" / "loops")
        return
    uri = request.getfixturevalue("postgres_server").get_uri()
    yield uri
    with Loops(uri) as loops:
        for name in loops.names():
            loops.delete(name)


def test_loops_are_made_found_again_and_deleted(place):
    with Loops(place) as loops:
        assert loops.names() == []
        loops.create("front-page", wait=None).rank({}, ["a", "b"], event="e1")
        loops.create("other", wait="10 min").rank({}, ["c"], event="e1")
        assert loops.names() == ["front-page", "other"]
    with Loops(place) as loops:
        assert loops["front-page"].explain("e1").action in "ab"
        assert loops["other"].explain("e1").action == "c"
        assert loops["other"] is loops["other"]
        loops.delete("other")
        assert loops.names() == ["front-page"]
        with pytest.raises(UnknownName):
            loops["other"]
        loops.create("other", wait=None)
        assert loops["other"].status().events == 0


def test_making_a_loop_again_is_the_same_loop_unless_settings_differ(place):
    with Loops(place) as loops:
        made = loops.create("one", wait="10 min", control=0.1)
        assert loops.create("one", wait="10 min") is made
        with pytest.raises(Conflict, match=r"'control' must be 0.1"):
            loops.create("one", control=0.2)
        assert made.settings["control"] == 0.1


@pytest.mark.parametrize(
    "settings", [{}, {"wait": "never"}, {"wait": None, "learn": False}, {"wait": None, "colour": 1}]
)
def test_a_refused_loop_leaves_nothing_behind(place, settings):
    with Loops(place) as loops:
        with pytest.raises(InvalidInput):
            loops.create("one", **settings)
        assert loops.names() == []


@pytest.mark.parametrize(
    "name", ["", "..", "../a", "a/b", "A", "a.b", "x" * 49, "ä", "-a", "a\n", 5]
)
def test_names_are_no_paths(tmp_path, name):
    with Loops(tmp_path) as loops:
        with pytest.raises(InvalidInput, match="'name' must be 1 to 48"):
            loops.create(name, wait=None)
        with pytest.raises(UnknownName):
            loops[name]
    assert list(tmp_path.iterdir()) == []


def test_a_deleted_loop_leaves_no_file(tmp_path):
    with Loops(tmp_path) as loops:
        loop = loops.create("one", wait=None)
        loops.delete("one")
        assert list(tmp_path.iterdir()) == []
        with pytest.raises(StoreError, match="is closed"):
            loop.rank({}, ["a"])


def test_closed_loops_do_not_open_again(tmp_path):
    loops = Loops(tmp_path)
    loops.create("one", wait=None)
    loops.close()
    with pytest.raises(StoreError, match="closed"):
        loops["one"]
