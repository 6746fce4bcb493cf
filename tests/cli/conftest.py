"""The command line in this process: fast enough for many files."""

import platform
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from hybandit.cli import main
from hybandit.experiments import engines


@dataclass(frozen=True)
class Done:
    code: int
    out: str
    err: str
    folder: Path


class SameProcess(engines.LocalEngine):
    """Runs tasks one after another, here."""

    def run(self, tasks):
        for task in tasks:
            (run,), _ = engines.timed((task,))
            yield task, run, platform.machine()


@pytest.fixture
def command(tmp_path, monkeypatch, capsys) -> Callable[..., Done]:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "200")
    monkeypatch.setitem(engines.ENGINES, "local", SameProcess)

    def call(*arguments: object) -> Done:
        monkeypatch.setattr("sys.argv", ["hybandit", *map(str, arguments)])
        with pytest.raises(SystemExit) as ended:
            main()
        said = capsys.readouterr()
        folder = tmp_path / "hybandit-results" / "latest"
        return Done(int(ended.value.code or 0), said.out, said.err, folder)

    return call
