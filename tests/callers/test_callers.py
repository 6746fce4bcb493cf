"""The package as type checkers show it to those who call it."""

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

HERE = Path(__file__).parent
README = HERE.parents[1] / "README.md"


def errors_of_mypy(*files):
    found = python("mypy", "--strict", "--config-file=", "--cache-dir=mypy-cache", *files)
    return {
        (match[1], int(match[2]))
        for match in re.finditer(r"^(\w+\.py):(\d+): error:", found, re.MULTILINE)
    }


def errors_of_pyright(*files):
    Path("pyrightconfig.json").write_text('{"typeCheckingMode": "strict"}')
    report = json.loads(python("basedpyright", "--outputjson", *files))
    assert report["summary"]["filesAnalyzed"] == len(files)
    return {
        (Path(each["file"]).name, each["range"]["start"]["line"] + 1)
        for each in report["generalDiagnostics"]
        if each["severity"] == "error"
    }


def python(module, *arguments):
    pytest.importorskip(module, reason=f"{module} comes with pip install '.[dev]'")
    command = [sys.executable, "-m", module, *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False).stdout


@pytest.mark.slow
@pytest.mark.parametrize("errors_of", [errors_of_mypy, errors_of_pyright])
def test_right_lines_pass_and_each_wrong_line_fails(errors_of, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    blocks = re.findall(r"```python\n(.*?)```", README.read_text(), re.DOTALL)
    Path("readme.py").write_text("\n".join(blocks))
    for name in ("right.py", "wrong.py"):
        Path(name).write_text((HERE / name).read_text())
    marked = [line.endswith("# wrong") for line in Path("wrong.py").read_text().splitlines()]
    expected = {("wrong.py", number) for number, wrong in enumerate(marked, 1) if wrong}
    assert expected
    assert errors_of("readme.py", "right.py", "wrong.py") == expected


def test_the_right_lines_run(tmp_path):
    names = {"__name__": "right"}
    exec(compile((HERE / "right.py").read_text(), "right.py", "exec"), names)
    assert names["serve"](names["positional"], [0.5] * 4)[0] in (0, 1)
    assert type(names["keep"](names["by_name"], tmp_path / "policy.npz")).name == "stacked-hybrid"
    assert len(names["rooms"]()) == 3
    assert names["serve_by_name"]([0.5] * 4) in ("a", "b")
    assert names["serve_items"]([0.5] * 4, [[1.0, 0.0], [0.0, 1.0]])["index"] in (0, 1)
