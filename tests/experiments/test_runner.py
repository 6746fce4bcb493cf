import io
import os
import signal
import sqlite3
import subprocess
import sys
import time
from contextlib import closing

import pytest
from rich.console import Console

from hybandit.experiments import EnvironmentSpec, PolicySpec, Store, Task, run
from hybandit.experiments.engines import timed
from hybandit.policies import find_policy

CODE = """
import signal
import sys
from pathlib import Path

# A shell starts background jobs, and so CI may start us, with Ctrl-C ignored.
signal.signal(signal.SIGINT, signal.default_int_handler)

from hybandit.experiments import EnvironmentSpec, PolicySpec, Store, Task, run
from hybandit.experiments.engines import LocalEngine

if __name__ == "__main__":
    environment = EnvironmentSpec("synthetic", {"kind": "linear", "rounds": 6_000})
    tasks = [Task(environment, PolicySpec("ucb"), seed) for seed in range(15)]
    run(tasks, Store(Path(sys.argv[1])), engine=LocalEngine(1))
"""


class CountingEngine:
    """Runs in this process and remembers what it was asked for."""

    def __init__(self):
        self.asked = []

    def prepare(self, tasks, say):
        pass

    def run(self, tasks):
        for task in tasks:
            self.asked.append(task.key)
            yield task, timed((task,))[0][0], "here"


def test_what_is_in_the_store_is_not_run_again(store, tasks):
    first, second = CountingEngine(), CountingEngine()
    run(tasks[:2], store, engine=first)
    results = run(tasks, store, engine=second)
    assert first.asked == [task.key for task in tasks[:2]]
    assert second.asked == [task.key for task in tasks[2:]]
    assert set(results) == {task.key for task in tasks}


@pytest.mark.parametrize(
    "blow", [signal.SIGKILL, pytest.param(signal.SIGINT, marks=pytest.mark.slow)]
)
def test_a_killed_run_goes_on_where_it_stopped(tmp_path, blow):
    script, path = tmp_path / "job.py", tmp_path / "results.sqlite"
    script.write_text(CODE)
    process = subprocess.Popen(
        [sys.executable, str(script), str(path)],
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    deadline = time.monotonic() + 120
    while time.monotonic() < deadline:
        if path.exists() and len(Store(path).tasks()) >= 3:
            break
        time.sleep(0.05)
    os.killpg(process.pid, blow)
    assert process.wait(30) != 0
    before = Store(path).tasks()
    assert 3 <= len(before) < 15
    world = EnvironmentSpec("synthetic", {"kind": "linear", "rounds": 6_000})
    again = CountingEngine()
    run([Task(world, PolicySpec("ucb"), seed) for seed in range(15)], Store(path), engine=again)
    assert len(again.asked) == 15 - len(before)
    assert Store(path).tasks()[: len(before)] == before


def test_what_is_not_used_is_told_and_damage_is_run_again(store, tasks, monkeypatch):
    run(tasks[:2], store, engine=CountingEngine())
    with closing(sqlite3.connect(store.path)) as connection, connection:
        connection.execute("UPDATE runs SET result = '{' WHERE key = ?", (tasks[0].key,))
    out = io.StringIO()
    engine = CountingEngine()
    run(tasks[:2], store, engine=engine, console=Console(file=out, width=500))
    assert engine.asked == [tasks[0].key]
    assert f"the run of {tasks[0].label} in {store.path} is damaged" in out.getvalue()
    assert set(store.get_many(tasks[:2])) == {task.key for task in tasks[:2]}
    monkeypatch.setattr(find_policy("lin-ucb"), "results_version", 2)
    again = [Task(task.environment, task.policy, task.seed) for task in tasks[:2]]
    out = io.StringIO()
    run(again, store, engine=engine, console=Console(file=out, width=500))
    assert engine.asked[1:] == [task.key for task in again]
    assert f"2 runs in {store.path} are of other results versions" in out.getvalue()
