"""The command line in this process."""

from __future__ import annotations

import platform
from typing import NamedTuple

import pytest

from hybandit.cli import main
from hybandit.experiments import engines


class Said(NamedTuple):
    code: int
    out: str
    err: str


class SameProcess(engines.LocalEngine):
    """Runs tasks one after another, here."""

    def run(self, tasks):
        for task in tasks:
            (run,), _ = engines.timed((task,))
            yield task, run, platform.machine()


def said(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], *words: object
) -> Said:
    """What `hybandit WORDS` says, and its exit code."""
    monkeypatch.setattr("sys.argv", ["hybandit", *map(str, words)])
    with pytest.raises(SystemExit) as ended:
        main()
    out, err = capsys.readouterr()
    return Said(int(ended.value.code or 0), out, err)
