import ast
import importlib
import json
import pkgutil
import subprocess
import sys
from pathlib import Path

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


def test_the_package_lists_policies_errors_rooms_the_loop_and_a_few_functions():
    def public(module, base):
        kinds = [kind for kind in vars(module).values() if isinstance(kind, type)]
        return {kind.__name__ for kind in kinds if issubclass(kind, base)}

    rooms = {each.name for each in pkgutil.iter_modules(hybandit.__path__) if each.ispkg}
    policies = public(hybandit.policies, hybandit.Policy)
    errors = public(hybandit.errors, (hybandit.HybanditError, Warning))
    functions = {"compare", "evaluate", "load", "make_policy", "reservoir", "window"}
    assert set(hybandit.__all__) == policies | errors | rooms | functions | {"Loop"}
    assert len(set(hybandit.__all__)) == len(hybandit.__all__)
    assert dir(hybandit) == sorted(hybandit.__all__)


def test_type_checkers_are_shown_the_same_names():
    tree = ast.parse(Path(hybandit.__file__).read_text())
    block = next(node for node in tree.body if isinstance(node, ast.If))
    imports = [node for node in block.body if isinstance(node, ast.ImportFrom)]
    shown = {name.name: f"{node.module}" for node in imports for name in node.names}
    assert set(shown) == set(hybandit.__all__)
    for name, home in shown.items():
        assert getattr(hybandit, name) is getattr(importlib.import_module(home), name)


def test_a_star_import_brings_the_list_and_nothing_else():
    code = "before = set(globals()); from hybandit import *; print(*(set(globals()) - before))"
    brought = set(run(code).stdout.split()) - {"before"}
    assert brought == set(hybandit.__all__)


@pytest.mark.parametrize("name", ["NoSuchPolicy", "_private", "annotations", "import_module"])
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


# All in one process: what any of them loaded would still be there at the end.
USES = """
import sys
import hybandit
from hybandit.cli import main

with hybandit.Loop("drinks.db", context_width=4, action_width=4, wait=None) as loop:
    for number in range(30):
        decision = loop.rank({"n": number}, {"tea": {"hot": 1}, "beer": {"hot": 0}})
        loop.reward(decision.event, float(number % 2))
log, ucb = ["log.csv", "--arm", "shown", "--reward", "clicked"], ["--policies", "ucb"]
one = ["--workers", "1"]
for arguments in (
    ["compare", "--rounds", "20", "--runs", "1", *ucb, *one],
    ["evaluate", *log, *ucb, *one],
    ["evaluate", "drinks.db", "--policies", "item-lin-ucb", *one],
    ["train", *log, "--policy", "ucb", "-o", "model.npz"],
    ["policies", "lnucb-ta"],
):
    sys.argv = ["hybandit", *arguments]
    try:
        main()
    except SystemExit as ended:
        assert not ended.code, arguments
print([name for name in sys.modules if name.startswith("hybandit.paper")])
"""


def test_what_decides_compares_or_evaluates_loads_nothing_of_the_paper(tmp_path):
    rows = [f"{20 + n},{'ab'[n % 2]},{n % 3 % 2}" for n in range(60)]
    (tmp_path / "log.csv").write_text("\n".join(["age,shown,clicked", *rows]))
    command = [sys.executable, "-c", USES]
    done = subprocess.run(command, capture_output=True, text=True, check=True, cwd=tmp_path)
    assert done.stdout.splitlines()[-1] == "[]"
