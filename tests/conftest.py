"""Shared by all tests."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import settings

# Policies as a user writes them, which must be loaded under one name only.
collect_ignore = ["logistic_items.py", "experiments/own_worlds.py"]
# More have less to do than they need to start.
MOST_WORKERS = 8
# Workers that share the cores would wait for each other's threads.
ONE_THREAD = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")
# On CI the same examples every time: what fails there fails at the next try too.
settings.register_profile("ci", derandomize=True)
if os.environ.get("CI"):
    settings.load_profile("ci")


@pytest.hookimpl(tryfirst=True)
def pytest_cmdline_main(config: pytest.Config) -> None:
    """Let a worker on each core share the whole suite; tests that are named run here.

    Not in the settings of pytest, where `-n` is an error without xdist.
    """
    option = config.option
    whole = config.args_source is pytest.Config.ArgsSource.TESTPATHS
    asked = getattr(option, "numprocesses", 0) is not None or option.dist != "no"
    # A worker must not start workers of its own.
    alone = "PYTEST_XDIST_WORKER" in os.environ or option.collectonly or option.usepdb
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    if whole and not asked and not alone and (cores or 1) > 1:
        option.numprocesses = min(cores or 1, MOST_WORKERS)
        option.dist = "worksteal"
        for name in ONE_THREAD:
            os.environ.setdefault(name, "1")


@pytest.fixture
def data_folder() -> Path:
    """The folder with the public data sets, or a skip that says how to get the test to run."""
    folder = os.environ.get("HYBANDIT_DATA")
    if not folder or not Path(folder).is_dir():
        pytest.skip("set HYBANDIT_DATA to the folder with the data sets to run this test")
    return Path(folder)
