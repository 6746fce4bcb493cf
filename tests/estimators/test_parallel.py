import threading

import numpy as np
import pytest

from hybandit.estimators import parallel


def in_three(task, work=parallel.PAYS):
    parallel.run(task, work, threads=3)


def test_every_part_is_done_once():
    done = []
    in_three(lambda start, step: done.append((start, step)))
    assert sorted(done) == [(0, 3), (1, 3), (2, 3)]


def test_little_work_stays_with_the_caller():
    done = []
    in_three(lambda start, step: done.append((start, step)), work=parallel.PAYS - 1)
    assert done == [(0, 1)]


def test_an_error_in_a_part_reaches_the_caller():
    def fail(start, step):
        if start == 2:
            raise ValueError("part 2")

    with pytest.raises(ValueError, match="part 2"):
        in_three(fail)


def test_without_threads_the_caller_does_all(monkeypatch):
    class Full:
        def submit(self, *task):
            raise RuntimeError("can't start new thread")

    monkeypatch.setattr(parallel, "_pool", Full())
    done = []
    in_three(lambda start, step: done.append(start))
    assert sorted(done) == [0, 1, 2]


def test_many_callers_at_once():
    totals = np.zeros((8, 3))

    def call(caller):
        for _ in range(20):
            in_three(lambda start, step: np.add.at(totals, (caller, start), 1))

    threads = [threading.Thread(target=call, args=(caller,), daemon=True) for caller in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60.0)
        assert not thread.is_alive()
    assert (totals == 20).all()


def test_a_forked_child_starts_threads_of_its_own():
    parallel._helpers()
    parallel._forget_threads()
    assert parallel._pool is None
    assert parallel._helpers().submit(lambda: 5).result(10.0) == 5
