"""A copy of the tree in which changes are made, tested and undone."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from multiprocessing.pool import ThreadPool
from pathlib import Path
from queue import SimpleQueue

from stress.mutants.files import checked_by, modules
from stress.mutants.mutations import mutated, plain
from stress.mutants.sample import Mutant

PARTS = ("src", "tests", "benchmarks", "stress", "tools", "pyproject.toml")
# Seconds: at least, and how many times what the tests take without a fault.
FEWEST, TIMES = 60.0, 4.0
KILLED, SURVIVED, TIMED_OUT, UNTESTED = "killed", "survived", "timed out", "untested"


class BrokenTests(Exception):
    """Tests that fail without any change."""


def outcomes(
    mutants: Sequence[Mutant], root: Path, folder: Path, workers: int
) -> Iterator[tuple[Mutant, str]]:
    """Each mutant with what became of it, as they come; every worker has a copy of its own."""
    usual: dict[str, float] = {}
    free: SimpleQueue[Workshop] = SimpleQueue()
    for number in range(workers):
        free.put(Workshop(root, folder / str(number), usual))

    def tried(mutant: Mutant) -> tuple[Mutant, str]:
        workshop = free.get()
        try:
            return mutant, workshop.outcome(mutant)
        finally:
            free.put(workshop)

    # Threads, for each only waits for its tests.
    with ThreadPool(workers) as pool:
        yield from pool.imap_unordered(tried, mutants)


class Workshop:
    """The copy; `usual` is how long the tests of each module take when nothing is wrong.

    All modules in it are written as mutants are, without comments: only the change differs.
    """

    def __init__(self, root: Path, folder: Path, usual: dict[str, float]) -> None:
        self.root, self.folder, self._usual = root, folder, usual
        folder.mkdir(parents=True, exist_ok=True)
        for source in (root / part for part in PARTS if (root / part).exists()):
            target = folder / source.name
            if source.is_dir():
                # With what is compiled already: the times of files are kept, so it stays valid.
                shutil.copytree(source, target)
            else:
                shutil.copy2(source, target)
        for module in (path for paths in modules(root).values() for path in paths):
            self._put(module.as_posix(), plain((root / module).read_text()))

    def outcome(self, mutant: Mutant) -> str:
        """What the tests of the module make of a mutant; the copy is whole again afterwards."""
        tests = checked_by(Path(mutant.module), self.root)
        if not tests:
            return UNTESTED
        source = (self.root / mutant.module).read_text()
        limit = max(FEWEST, TIMES * self._seconds(mutant.module, tests))
        try:
            self._put(mutant.module, mutated(source, mutant.mutation.number))
            return SURVIVED if self._passes(tests, limit) else KILLED
        except subprocess.TimeoutExpired:
            return TIMED_OUT
        finally:
            self._put(mutant.module, plain(source))

    def _seconds(self, module: str, tests: list[str]) -> float:
        """Without a change they must pass, or their failing says nothing."""
        if module not in self._usual:
            start = time.monotonic()
            if not self._passes(tests, None):
                raise BrokenTests(f"{' or '.join(tests)} fails without any change")
            self._usual[module] = time.monotonic() - start
        return self._usual[module]

    def _put(self, module: str, source: str) -> None:
        place = self.folder / module
        place.write_text(source)
        # Python knows a source by its size and second: a change may keep both.
        for stale in place.parent.glob(f"__pycache__/{place.stem}.*.pyc"):
            stale.unlink()

    def _passes(self, tests: list[str], limit: float | None) -> bool:
        command = [sys.executable, "-m", "pytest", "-x", "-q", "-p", "no:cacheprovider", *tests]
        # Without plugins it starts sooner, and nobody shares its tests.
        alone = {"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1", "CI": "1"}
        environment = os.environ | {"PYTHONPATH": self._path(), **alone}
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
