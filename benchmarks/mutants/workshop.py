"""A copy of the tree in which changes are made, tested and undone."""

from __future__ import annotations

import ast
import os
import shutil
import subprocess
import sys
import time
from pathlib import Path

from benchmarks.mutants.files import checked_by
from benchmarks.mutants.mutations import mutated
from benchmarks.mutants.sample import Mutant

PARTS = ("src", "tests", "benchmarks", "pyproject.toml")
# Seconds: at least, and how many times what the tests take without a fault.
FEWEST, TIMES = 60.0, 4.0
KILLED, SURVIVED, TIMED_OUT, UNTESTED = "killed", "survived", "timed out", "untested"


class Workshop:
    """The copy, and how long the tests of each module take when nothing is wrong."""

    def __init__(self, root: Path, folder: Path) -> None:
        self.root, self.folder = root, folder
        self._seconds: dict[str, float] = {}
        for part in PARTS:
            source, target = root / part, folder / part
            if source.is_dir():
                # With what is compiled already: the times of files are kept, so it stays valid.
                shutil.copytree(source, target)
            else:
                shutil.copy2(source, target)

    def outcome(self, mutant: Mutant) -> str:
        """What the tests of the module make of a mutant; the copy is whole again afterwards."""
        tests = checked_by(Path(mutant.module), self.root)
        if not tests:
            return UNTESTED
        source = (self.root / mutant.module).read_text()
        limit = max(FEWEST, TIMES * self._usual(mutant.module, source, tests))
        try:
            self._put(mutant.module, mutated(source, mutant.mutation.number))
            return SURVIVED if self._passes(tests, limit) else KILLED
        except subprocess.TimeoutExpired:
            return TIMED_OUT
        finally:
            self._put(mutant.module, source)

    def _usual(self, module: str, source: str, tests: list[str]) -> float:
        """Without a change they must pass, or their failing says nothing."""
        if module not in self._seconds:
            start = time.monotonic()
            # Rewritten as a mutant is, so that only the change differs.
            self._put(module, ast.unparse(ast.parse(source)))
            if not self._passes(tests, None):
                raise SystemExit(f"the tests of {module} fail without any change: {tests}")
            self._seconds[module] = time.monotonic() - start
        return self._seconds[module]

    def _put(self, module: str, source: str) -> None:
        place = self.folder / module
        place.write_text(source)
        # Python knows a source by its size and second: a change may keep both.
        for stale in place.parent.glob(f"__pycache__/{place.stem}.*.pyc"):
            stale.unlink()

    def _passes(self, tests: list[str], limit: float | None) -> bool:
        command = [sys.executable, "-m", "pytest", "-x", "-q", "-p", "no:cacheprovider", *tests]
        environment = os.environ | {"PYTHONPATH": self._path(), "CI": "1"}
        done = subprocess.run(
            command,
            cwd=self.folder,
            env=environment,
            capture_output=True,
            timeout=limit,
            check=False,
        )
        return done.returncode == 0

    def _path(self) -> str:
        """The copy first, then whatever else was on the path, but not the tree itself."""
        given = os.environ.get("PYTHONPATH", "").split(os.pathsep)
        others = [each for each in given if each and not Path(each).is_relative_to(self.root)]
        return os.pathsep.join([str(self.folder / "src"), *others])
