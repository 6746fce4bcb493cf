import os
import signal
import subprocess
import sys
import time

import pytest

from hybandit.experiments import Store, run

CODE = """
import signal
import sys
from pathlib import Path

# A shell starts background jobs, and so CI may start us, with Ctrl-C ignored.
signal.signal(signal.SIGINT, signal.default_int_handler)

from hybandit.experiments import PolicySpec, Store, Task, World, run
from hybandit.experiments.engines import LocalEngine

if __name__ == "__main__":
    world = World("classification", {"data": "digits", "encoding": "standard", "rounds": 900})
    tasks = [Task(world, PolicySpec("stacked-hybrid"), seed) for seed in range(15)]
    run(tasks, Store(Path(sys.argv[1])), engine=LocalEngine(1))
"""


class CountingEngine:
    """Runs in this process and remembers what it was asked for."""

    def __init__(self):
        self.asked = []

    def run(self, tasks):
        from hybandit.experiments.worlds import run_task

        for task in tasks:
            self.asked.append(task.key)
            yield task, run_task(task), "here"


def test_what_is_in_the_store_is_not_run_again(store, tasks):
    first, second = CountingEngine(), CountingEngine()
    run(tasks[:2], store, engine=first)
    results = run(tasks, store, engine=second)
    assert first.asked == [task.key for task in tasks[:2]]
    assert second.asked == [task.key for task in tasks[2:]]
    assert set(results) == {task.key for task in tasks}


def test_the_same_seed_gives_the_same_numbers_twice(tmp_path, tasks):
    stores = [Store(tmp_path / name) for name in ("one.sqlite", "two.sqlite")]
    first, second = (run(tasks, each, engine=CountingEngine()) for each in stores)
    assert {key: each.rewards for key, each in first.items()} == {
        key: each.rewards for key, each in second.items()
    }


@pytest.mark.parametrize("blow", [signal.SIGKILL, signal.SIGINT])
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
    subprocess.run([sys.executable, str(script), str(path)], check=True, stderr=subprocess.DEVNULL)
    after = Store(path).tasks()
    assert len(after) == 15
    assert after[: len(before)] == before
