"""Many loops, one thread."""

import threading
import time

import pytest

from hybandit.loop import Loops
from hybandit.loop.process.turns import Turns

PATIENCE = 30.0


class Worker:
    """Notes its turns; each lasts until `go` is set."""

    def __init__(self, pause=60.0):
        self.pause, self.turns = pause, 0
        self.began, self.go = threading.Event(), threading.Event()
        self.go.set()

    def turn(self):
        self.turns += 1
        self.began.set()
        assert self.go.wait(PATIENCE)
        return self.pause


@pytest.fixture
def turns_of(request):
    given, workers = getattr(request, "param", Turns)(), []

    def add(worker):
        workers.append(worker)
        given.add(worker)
        return worker

    yield given, add
    for worker in workers:
        worker.go.set()
        given.remove(worker)


def await_that(holds):
    deadline = time.monotonic() + PATIENCE
    while not holds():
        assert time.monotonic() < deadline
        time.sleep(0.001)


def test_one_that_always_has_work_leaves_others_theirs(turns_of):
    _, add = turns_of
    busy, other = add(Worker(0.0)), add(Worker(0.0))
    await_that(lambda: min(busy.turns, other.turns) > 100)
    assert 0.3 < busy.turns / other.turns < 3.0


def test_who_is_hurried_during_a_turn_has_another(turns_of):
    given, add = turns_of
    worker = Worker()
    worker.go.clear()
    add(worker)
    assert worker.began.wait(PATIENCE)
    given.hurry(worker)
    worker.go.set()
    await_that(lambda: worker.turns == 2)


@pytest.mark.parametrize("turns_of", [lambda: Turns(slow=0.05)], indirect=True)
def test_a_turn_that_takes_long_does_not_hold_up_others(turns_of):
    _, add = turns_of
    stuck, other = Worker(), Worker(0.001)
    stuck.go.clear()
    add(stuck)
    assert stuck.began.wait(PATIENCE)
    add(other)
    await_that(lambda: other.turns > 20)
    assert stuck.turns == 1
    stuck.go.set()
    seen = other.turns
    await_that(lambda: other.turns > seen + 20)


def test_who_is_removed_has_no_turn_any_more(turns_of):
    given, add = turns_of
    worker = Worker(0.0)
    worker.go.clear()
    add(worker)
    assert worker.began.wait(PATIENCE)
    threading.Timer(0.1, worker.go.set).start()
    given.remove(worker)
    seen = worker.turns
    time.sleep(0.05)
    assert seen == worker.turns == 1
    await_that(lambda: given._threads == 0)


@pytest.mark.parametrize("count", [15, pytest.param(50, marks=pytest.mark.slow)])
def test_many_loops_take_two_threads_and_all_learn(tmp_path, count):
    before = threading.active_count()
    with Loops(tmp_path) as loops:
        opened = [loops.create(f"loop-{number}", wait=None) for number in range(count)]
        for loop in opened:
            loop.reward(loop.rank({}, ["a", "b"]).event, 1.0)
        assert all(loop.wait_for(1, PATIENCE) for loop in opened)
        ours = [each for each in threading.enumerate() if each.name == "hybandit-loop"]
        assert len(ours) <= 2
        # One more makes calls of the main thread (`hybandit.loop.process.signals`).
        assert threading.active_count() <= before + 3
