import json
import sys
from importlib.metadata import EntryPoint

import numpy as np
import pytest

import hybandit
from hybandit.errors import InvalidInput, ModelFileError, PolicyError, UnknownName
from hybandit.experiments.tasks import parse_policies, parse_policy
from hybandit.policies import find_policy, named_settings
from hybandit.policies.base import plugins, registry

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
    with pytest.raises(UnknownName, match=r"cannot be imported.*not .*, or set PYTHONPATH"):
        find_policy("no_such_module_here:Mine")


def test_a_module_may_have_the_name_of_its_policy(module):
    where = module("Same", "same")
    find_policy(f"{where}:Same")
    sys.modules["same"] = sys.modules[where]
    try:
        assert named_settings("same:Same:alpha=1") == ("same:Same", {"alpha": 1})
        assert parse_policy("same:Same:alpha=1").label == "same:Same:alpha=1"
        assert named_settings("same:alpha=1") == ("same", {"alpha": 1})
    finally:
        del sys.modules["same"]
    with pytest.raises(InvalidInput, match="must be written name:setting=value"):
        named_settings("lin-ucb:alpha")


def test_a_class_without_a_name_of_its_own_is_not_taken(module):
    where = module("Parent", "parent-of-plugins")
    find_policy(f"{where}:Parent")
    sys.modules[where].Heir = type("Heir", (sys.modules[where].Parent,), {"__module__": where})
    with pytest.raises(PolicyError, match=f"{where}:Heir needs a name of its own"):
        find_policy(f"{where}:Heir")


def test_a_model_file_imports_no_module_and_tells_which_to_import(module, tmp_path):
    where = module("Filed", "filed-policy")
    find_policy(f"{where}:Filed")(2, 2).save(tmp_path / "model.npz")
    kind = registry._policies.pop("filed-policy")
    del sys.modules[where]
    with pytest.raises(ModelFileError, match=f"Filed of the module '{where}': import that first"):
        hybandit.load(tmp_path / "model.npz")
    with np.load(tmp_path / "model.npz") as file:
        content = dict(file)
    told = json.loads(str(content["manifest"])) | {"policy": f"{where}:Filed"}
    content["manifest"] = np.array(json.dumps(told))
    np.savez(tmp_path / "model.npz", **content)
    with pytest.raises(ModelFileError, match="import that first"):
        hybandit.load(tmp_path / "model.npz")
    assert where not in sys.modules
    assert kind.__name__ == "Filed"


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
    assert registry.reference_of(find_policy("offered-policy")) == "offered-policy"
    plugins.load_installed.cache_clear()


def test_class_names_are_accepted_and_flagships_suggested_first():
    assert parse_policy("LNUCBTA:alpha=2").label == "lnucb-ta:alpha=2"
    with pytest.raises(UnknownName, match="did you mean 'lnucb-ta'"):
        parse_policy("lnucb")


def test_a_file_in_place_of_a_module_is_told_how_to_write_it():
    with pytest.raises(UnknownName, match="write mine:Mine, without"):
        find_policy("mine.py:Mine")
