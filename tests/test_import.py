import json
import subprocess
import sys

import pytest

import hybandit

HEAVY = ["numba", "numpy", "scipy", "sklearn", "pandas", "matplotlib", "typer", "rich"]


def loaded_after(code):
    """Which heavy packages a fresh interpreter has loaded after some code."""
    report = f"import json, sys; print(json.dumps([n for n in {HEAVY!r} if n in sys.modules]))"
    done = subprocess.run(
        [sys.executable, "-c", f"{code}\n{report}"], capture_output=True, text=True, check=True
    )
    return json.loads(done.stdout)


def test_importing_the_package_loads_nothing_heavy():
    assert loaded_after("import hybandit; hybandit.__version__") == []


def test_asking_for_a_policy_loads_the_compiler_but_no_tables_or_plots():
    loaded = loaded_after("import hybandit; hybandit.LNUCBTA(2, 2)")
    assert "numba" in loaded
    assert not {"sklearn", "pandas", "matplotlib"} & set(loaded)


def test_the_package_gives_its_policies_by_attribute():
    from hybandit import policies

    for name in policies.__all__:
        assert getattr(hybandit, name) is getattr(policies, name)
        assert name in dir(hybandit)


@pytest.mark.parametrize("name", ["NoSuchPolicy", "_private"])
def test_an_unknown_attribute_is_an_attribute_error(name):

    with pytest.raises(AttributeError, match=name):
        getattr(hybandit, name)


def run(code):
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)


def test_importing_the_errors_alone_does_not_load_the_compiler():
    done = run("import sys; from hybandit import errors; print('numba' in sys.modules)")
    assert done.stdout.strip() == "False"


def test_a_room_of_the_package_is_there_the_first_time_or_never():
    attempt = "try: hybandit.policies; print(1)\n except AttributeError: print(0)"
    code = f"import hybandit\nfor _ in 'ab':\n {attempt}"
    assert len(set(run(code).stdout.split())) == 1
