import os
import pickle
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from hybandit.errors import HybanditError, InvalidInput, UnknownName, WorkerError
from hybandit.experiments import EnvironmentSpec, PolicySpec, Store, Task
from hybandit.experiments.engines import LocalEngine, RayEngine, Work, make_engine, timed, worked
from hybandit.workers import hand


def numbers(finished):
    """What must not depend on where a task ran."""
    return {task.key: (run.reward, run.regret, run.rewards, run.extra) for task, run, _ in finished}


def here(tasks):
    return numbers((task, timed((task,))[0][0], "") for task in tasks)


def test_every_engine_gives_the_same_numbers(tasks, log_tasks):
    tasks = [*tasks, *log_tasks]
    assert numbers(LocalEngine(2).run(tasks)) == here(tasks)


def test_what_learns_nothing_is_judged_in_parts_of_a_log_that_workers_do_not_read(log_tasks):
    here, work = timed(tuple(log_tasks))[0], Work(log_tasks)
    assert [number for _, number in work.waiting] == [0, 1]
    hand(pickle.dumps(work.handed()))
    Path(log_tasks[0].environment.settings["data"]).write_text("something else")
    try:
        done = [
            finished
            for piece in reversed(work.waiting)
            for finished in work.done(*piece, *worked(*piece, modules=()))
        ]
    finally:
        hand({})
    assert numbers(done) == numbers((*each, "") for each in zip(log_tasks, here, strict=True))


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")
def test_ray_with_two_workers_gives_the_same_numbers(tasks, log_tasks, tmp_path, monkeypatch):
    ray = pytest.importorskip("ray", reason="the extra 'ray' is not installed")
    # A policy of one's own, in a module of the current folder.
    source = "from hybandit import LinUCB\n\nclass Own(LinUCB):\n    name = 'own-of-ray'\n"
    (tmp_path / "own_of_ray.py").write_text(source)
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)
    tasks = [*tasks, *log_tasks, Task(tasks[0].environment, PolicySpec("own_of_ray:Own"), 0)]
    assert numbers(RayEngine(2).run(tasks)) == here(tasks)
    assert not ray.is_initialized()


def test_a_failing_task_is_reported_and_the_environment_left_as_it_was(monkeypatch):
    monkeypatch.delenv("NUMBA_NUM_THREADS", raising=False)
    monkeypatch.setenv("OMP_NUM_THREADS", "7")
    wrong = Task(
        EnvironmentSpec("classification", {"data": "digits", "encoding": "standart"}),
        PolicySpec("ucb"),
        0,
    )
    with pytest.raises(UnknownName, match="did you mean 'standard"):
        list(LocalEngine(1).run([wrong]))
    assert os.environ["OMP_NUM_THREADS"] == "7"
    assert "NUMBA_NUM_THREADS" not in os.environ


def test_a_killed_worker_is_a_clear_error(tasks):
    engine = LocalEngine(1)
    running = engine.run(tasks * 50)
    next(running)
    for pid in _children(os.getpid()):
        if b"spawn_main" in _command(pid):
            os.kill(pid, signal.SIGKILL)
    with pytest.raises(WorkerError, match="killed"):
        list(running)


# A worker loads the script before anything else can be done in it, so this one loads little.
JOB = """
import sys

{guard}
    from pathlib import Path
    from hybandit.experiments import EnvironmentSpec, PolicySpec, Store, Task, run
    from hybandit.experiments.engines import LocalEngine

    environment = EnvironmentSpec("synthetic", {{"kind": "linear", "rounds": 3_000}})
    tasks = [Task(environment, PolicySpec("ucb"), seed) for seed in range(500)]
    run(tasks, Store(Path(sys.argv[1])), engine=LocalEngine({workers}))
"""


def start(tmp_path, guard, workers):
    script = tmp_path / "job.py"
    script.write_text(JOB.format(guard=guard, workers=workers))
    return subprocess.Popen(
        [sys.executable, str(script), str(tmp_path / "results.sqlite")],
        stderr=subprocess.PIPE,
        text=True,
    )


@pytest.mark.parametrize("finished", [pytest.param(0, marks=pytest.mark.slow), 4])
def test_workers_end_when_their_parent_is_killed(tmp_path, finished):
    """At once, while they are still loading the package, and when they are at work."""
    parent = start(tmp_path, 'if __name__ == "__main__":', 2)
    deadline, workers = time.monotonic() + 120, []
    while time.monotonic() < deadline and len(workers) < 2:
        workers = [pid for pid in _children(parent.pid) if b"spawn_main" in _command(pid)]
    while time.monotonic() < deadline and finished_runs(tmp_path / "results.sqlite") < finished:
        time.sleep(0.1)
    parent.kill()
    parent.wait()
    parent.stderr.close()
    assert len(workers) == 2
    deadline = time.monotonic() + 2
    while time.monotonic() < deadline and any(map(_is_alive, workers)):
        time.sleep(0.05)
    assert not any(map(_is_alive, workers))


def finished_runs(path):
    return len(Store(path).tasks()) if path.exists() else 0


def test_a_script_without_a_guard_is_told_so(tmp_path):
    process = start(tmp_path, "if True:", 1)
    _, errors = process.communicate(timeout=120)
    assert process.returncode != 0
    last = errors.strip().splitlines()[-1]
    assert "job.py" in last
    assert 'if __name__ == "__main__":' in last
    assert "memory" not in last


def test_an_unknown_engine_is_refused():
    with pytest.raises(UnknownName, match="local, ray"):
        make_engine("spark")


def _children(parent):
    if not sys.platform.startswith("linux"):
        pytest.skip("looks for workers in /proc")
    found = []
    for thread in Path(f"/proc/{parent}/task").iterdir():
        found += [int(pid) for pid in (thread / "children").read_text().split()]
    return found


def _command(pid):
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes()
    except OSError:
        return b""


def _is_alive(pid):
    try:
        return Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0] != "Z"
    except OSError:
        return False


@pytest.mark.parametrize("workers", [0, -1, 1.5])
def test_there_is_at_least_one_worker(workers):
    with pytest.raises(InvalidInput, match="'workers' must be a whole number of at least 1"):
        LocalEngine(workers)


def test_without_ray_its_engine_says_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "ray", None)
    with pytest.raises(HybanditError, match=r"needs the package of that name: pip install ray$"):
        make_engine("ray")
