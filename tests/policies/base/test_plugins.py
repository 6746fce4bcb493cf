import sys
from importlib.metadata import EntryPoint

import pytest

from hybandit.errors import UnknownName
from hybandit.experiments.tasks import parse_policies, parse_policy
from hybandit.policies import find_policy
from hybandit.policies.base import plugins

SOURCE = """
from hybandit.policies import LinUCB

class {name}(LinUCB):
    name = "{slug}"
"""


@pytest.fixture
def module(tmp_path, monkeypatch):
    def write(name, slug):
        (tmp_path / f"{name}_module.py").write_text(SOURCE.format(name=name, slug=slug))
        monkeypatch.syspath_prepend(tmp_path)
        return f"{name}_module"

    yield write
    for name in [name for name in sys.modules if name.endswith("_module")]:
        del sys.modules[name]


def test_a_class_of_a_module_is_found_with_and_without_settings(module):
    where = module("Mine", "mine-of-plugins")
    assert find_policy(f"{where}:Mine").__name__ == "Mine"
    specs = parse_policies(f"{where}:Mine:alpha=0.5,reg=2,ucb,{where}:Mine")
    assert [spec.label for spec in specs] == [
        f"{where}:Mine:alpha=0.5,reg=2",
        "ucb",
        f"{where}:Mine",
    ]
    with pytest.raises(UnknownName, match="has no policy class 'Min'; did you mean 'Mine'"):
        find_policy(f"{where}:Min")
    with pytest.raises(UnknownName, match="cannot be imported"):
        find_policy("no_such_module_here:Mine")


def test_installed_packages_offer_policies_by_name(module, monkeypatch):
    where = module("Offered", "offered-policy")
    entries = [
        EntryPoint("offered-policy", f"{where}:Offered", plugins.GROUP),
        EntryPoint("broken", "no_such_module_here:Broken", plugins.GROUP),
    ]
    monkeypatch.setattr(plugins, "entry_points", lambda group: entries)
    plugins.load_installed.cache_clear()
    with pytest.warns(UserWarning, match="'broken' of no_such_module_here:Broken cannot be"):
        assert find_policy("offered-policy").__name__ == "Offered"
    plugins.load_installed.cache_clear()


def test_class_names_are_accepted_and_flagships_suggested_first():
    assert parse_policy("LNUCBTA:alpha=2").label == "lnucb-ta:alpha=2"
    with pytest.raises(UnknownName, match="did you mean 'lnucb-ta'"):
        parse_policy("lnucb")


def test_a_file_in_place_of_a_module_is_told_how_to_write_it():
    with pytest.raises(UnknownName, match="write mine:Mine, without"):
        find_policy("mine.py:Mine")
