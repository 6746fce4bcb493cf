import os
import signal
import sys

import pytest

from hybandit.errors import UnknownName, WorkerError
from hybandit.experiments import PolicySpec, Task, World
from hybandit.experiments.engines import LocalEngine, RayEngine, make_engine
from hybandit.experiments.worlds import run_task


def numbers(finished):
    """What must not depend on where a task ran."""
    return {task.key: (run.reward, run.regret, run.rewards) for task, run, _ in finished}


def test_every_engine_gives_the_same_numbers(tasks):
    here = {
        task.key: (run.reward, run.regret, run.rewards)
        for task, run in ((task, run_task(task)) for task in tasks)
    }
    assert numbers(LocalEngine(2).run(tasks)) == here
    assert numbers(LocalEngine(2).run(tasks)) == here


@pytest.mark.filterwarnings("ignore")
def test_ray_with_two_workers_gives_the_same_numbers(tasks):
    ray = pytest.importorskip("ray", reason="the extra 'ray' is not installed")
    here = {
        task.key: (run.reward, run.regret, run.rewards)
        for task, run in ((task, run_task(task)) for task in tasks)
    }
    assert numbers(RayEngine(2).run(tasks)) == here
    assert not ray.is_initialized()


def test_a_failing_task_is_reported_with_its_own_error():
    wrong = Task(World("classification", {"data": "digitz"}), PolicySpec("ucb"), 0)
    with pytest.raises(UnknownName, match="did you mean 'digits'"):
        list(LocalEngine(1).run([wrong]))


def test_a_killed_worker_is_a_clear_error(tasks):
    engine = LocalEngine(1)
    running = engine.run(tasks * 50)
    next(running)
    children = [int(pid) for pid in _children()]
    for pid in children:
        if b"spawn_main" in _command(pid):
            os.kill(pid, signal.SIGKILL)
    with pytest.raises(WorkerError, match="killed"):
        list(running)


def test_the_environment_is_left_as_it_was(tasks, monkeypatch):
    monkeypatch.delenv("NUMBA_NUM_THREADS", raising=False)
    monkeypatch.setenv("OMP_NUM_THREADS", "7")
    list(LocalEngine(1).run(tasks[:1]))
    assert os.environ["OMP_NUM_THREADS"] == "7"
    assert "NUMBA_NUM_THREADS" not in os.environ


def test_an_unknown_engine_is_refused():
    with pytest.raises(UnknownName, match="local, ray"):
        make_engine("spark")


def _children():
    if not sys.platform.startswith("linux"):
        pytest.skip("looks for workers in /proc")
    with open(f"/proc/self/task/{os.getpid()}/children") as file:
        return file.read().split()


def _command(pid):
    with open(f"/proc/{pid}/cmdline", "rb") as file:
        return file.read()
