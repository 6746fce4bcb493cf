"""The command line in this process: fast enough for many files."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest
from commands import SameProcess, said

from hybandit.experiments import engines
from hybandit.reports import figures

# Begins as a PNG file does, and tells a width.
BLANK = b"\x89PNG" + bytes(12) + (100).to_bytes(4, "big")


@dataclass(frozen=True)
class Done:
    code: int
    out: str
    err: str
    folder: Path


@pytest.fixture
def drawing_command(tmp_path, monkeypatch, capsys) -> Callable[..., Done]:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "200")
    monkeypatch.setitem(engines.ENGINES, "local", SameProcess)

    def call(*arguments: object) -> Done:
        told = said(monkeypatch, capsys, *arguments)
        return Done(*told, tmp_path / "hybandit-results" / "latest")

    return call


@pytest.fixture
def command(drawing_command, monkeypatch) -> Callable[..., Done]:
    """With blank pictures: drawing them is most of what a command with a report costs."""
    monkeypatch.setattr(figures, "png_of", lambda *_: BLANK)
    return drawing_command
