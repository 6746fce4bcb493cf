"""The reference has every public name."""

import importlib
import inspect
import zlib

import pytest

import hybandit

pytestmark = pytest.mark.slow
ROOMS = [
    "datasets", "environments", "estimators", "evaluation", "experiments", "exploration",
    "features", "loop", "policies", "testing",
]  # fmt: skip


@pytest.fixture(scope="module")
def explained(site):
    """The names that the site's inventory lists."""
    packed = (site / "objects.inv").read_bytes().split(b"\n", 4)[4]
    return {line.split()[0] for line in zlib.decompress(packed).decode().splitlines()}


@pytest.mark.parametrize("room", ROOMS)
def test_every_name_of_a_package_is_explained(room, explained):
    names = importlib.import_module(f"hybandit.{room}").__all__
    # A function may have the name of the module it lives in.
    places = {name: {f"hybandit.{room}.{name}", f"hybandit.{room}.{name}.{name}"} for name in names}
    assert [name for name in names if not places[name] & explained] == []


def test_every_error_is_explained(explained):
    errors = [
        name for name, kind in vars(hybandit.errors).items()
        if inspect.isclass(kind) and kind.__module__ == "hybandit.errors"
    ]  # fmt: skip
    assert len(errors) > 5
    assert [name for name in errors if f"hybandit.errors.{name}" not in explained] == []


def test_every_name_of_the_package_has_a_link_that_leads_somewhere(site):
    index = (site / "reference" / "index.html").read_text()
    for name in hybandit.__all__:
        assert f"<code>{name}</code></a>" in index


def test_a_setting_is_shown_by_its_default_and_rule(site):
    page = (site / "reference" / "policies.html").read_text()
    assert "How often to play a uniform arm" in page
    assert "Must be a number from 0 to 1." in page
    assert "rule=" not in page
