import os
import subprocess
import sys

import pytest

from hybandit.estimators.index import TreeIndex
from hybandit.experiments import PolicySpec
from hybandit.experiments.compiling import _warm_up, compile_kernels, warm_up
from hybandit.kernels.compiling import MESSAGE

CODE = """
import sys
from pathlib import Path
from hybandit.experiments import EnvironmentSpec, PolicySpec, Task
from hybandit.experiments.engines import LocalEngine, timed

if __name__ == "__main__":
    environment = EnvironmentSpec("synthetic", {"kind": "linear", "rounds": 200})
    tasks = [Task(environment, PolicySpec("ucb"), 0)]
    LocalEngine(1).prepare(tasks, print)
    cache = Path(sys.argv[1])
    before = set(cache.rglob("*.nbc"))
    for task in tasks:
        timed((task,))
    print(len(before), len(set(cache.rglob("*.nbc")) - before))
"""


@pytest.mark.parametrize(("rounds", "compiled"), [(4095, 0), (4096, 1)])
def test_the_tree_is_compiled_only_for_runs_that_may_need_it(rounds, compiled, monkeypatch):
    calls = []
    monkeypatch.setattr(TreeIndex, "compiled", lambda: calls.append(1))
    _warm_up.cache_clear()
    warm_up(PolicySpec("ucb"), (rounds, 10))
    _warm_up.cache_clear()
    assert len(calls) == compiled


@pytest.mark.slow
def test_what_was_prepared_is_not_compiled_again_and_is_told_once(tmp_path):
    script = tmp_path / "job.py"
    script.write_text(CODE)
    environment = {**os.environ, "NUMBA_CACHE_DIR": str(tmp_path / "cache")}
    command = [sys.executable, str(script), str(tmp_path / "cache")]
    first, second = (
        subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
        for _ in range(2)
    )
    message, counts = first.stdout.splitlines()
    assert message == MESSAGE
    prepared, later = map(int, counts.split())
    assert prepared > 0
    assert later == 0
    assert MESSAGE not in second.stdout


def test_what_only_repeats_a_choice_has_nothing_to_compile():
    lines = []
    compile_kernels([(PolicySpec("always"), (10, 4))], lines.append)
    assert lines == []
