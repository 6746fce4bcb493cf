"""Shared by all tests."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import settings

# On CI the same examples every time: what fails there fails at the next try too.
settings.register_profile("ci", derandomize=True)
if os.environ.get("CI"):
    settings.load_profile("ci")


@pytest.fixture
def data_folder() -> Path:
    """The folder with the public data sets, or a skip that says how to get the test to run."""
    folder = os.environ.get("HYBANDIT_DATA")
    if not folder or not Path(folder).is_dir():
        pytest.skip("set HYBANDIT_DATA to the folder with the data sets to run this test")
    return Path(folder)


@pytest.fixture
def low_thresholds(monkeypatch: pytest.MonkeyPatch) -> None:
    """Trees, pruning and back-off from the first few observations on."""
    from hybandit.estimators.index import adaptive, back_off

    monkeypatch.setattr(adaptive, "FEWEST", 5)
    monkeypatch.setattr(adaptive, "MOST", 5)
    monkeypatch.setattr(adaptive, "OF_ALL", 1)
    monkeypatch.setattr(back_off, "TRIAL", 3)
    monkeypatch.setattr(back_off, "FIRST_REST", 2)
    monkeypatch.setattr(back_off, "LAST_REST", 8)
