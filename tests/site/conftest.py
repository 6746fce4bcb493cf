"""The site, built once and served from this machine."""

import functools
import http.server
import os
import shutil
import subprocess
import sys
import threading
from pathlib import Path

import pytest
from paper.whole import whole_report

from hybandit.experiments import Store
from hybandit.experiments.provenance import provenance
from hybandit.reports.page import write_report

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="session")
def site(tmp_path_factory):
    """The folder with the site, and a report of `compare` beside it."""
    pytest.importorskip("mkdocs", reason="mkdocs comes with pip install '.[dev]'")
    pytest.importorskip("mkdocstrings", reason="mkdocstrings comes with pip install '.[dev]'")
    folder = tmp_path_factory.mktemp("site")
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet", "-d", str(folder)]
    environment = {**os.environ, "NO_MKDOCS_2_WARNING": "1"}
    done = subprocess.run(
        command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    shutil.copytree(report(tmp_path_factory.mktemp("report")), folder / "a-report")
    return folder


@pytest.fixture(scope="session")
def whole(tmp_path_factory):
    """The file of a full report of made-up runs."""
    folder = tmp_path_factory.mktemp("whole")
    return write_report(*whole_report(), provenance(Store(folder / "s.sqlite")), folder)


def report(folder):
    """A small comparison of someone's own table."""
    rows = [f"{n % 7},{'abc'[n % 3]},{'yes' if n % 2 else 'no'}" for n in range(60)]
    (folder / "mine.csv").write_text("\n".join(["number,letter,answer", *rows]) + "\n")
    options = "--data mine.csv --label answer --policies lin-ucb,ucb,epsilon-greedy --runs 2"
    command = [sys.executable, "-m", "hybandit", "compare", *options.split()]
    subprocess.run(command, cwd=folder, capture_output=True, check=True)
    return (folder / "hybandit-results" / "latest").resolve()


@pytest.fixture(scope="session")
def address(site):
    """Where the site is served."""
    handler = functools.partial(Quiet, directory=str(site))
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


class Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *_):
        pass
