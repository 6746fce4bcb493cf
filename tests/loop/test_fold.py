import threading
import time

import numpy as np
import pytest

from hybandit.errors import StoreError
from hybandit.loop import fold as module
from hybandit.loop.database import Database
from hybandit.loop.fold import Fold
from hybandit.loop.model import Learner
from hybandit.loop.settings import checked
from hybandit.testing.storage import AT_ONCE, an_event

SETTINGS = checked({})[0]


def fresh():
    return Learner(SETTINGS)


@pytest.fixture
def storage(tmp_path):
    storage = Database(tmp_path / "loop.db")
    yield storage
    storage.close()


def fold_of(storage, **changes):
    settings = {"closing": AT_ONCE, "clock": time.time, "poll": 0.01, "may_lead": True}
    return Fold(storage, fresh, **(settings | changes))


def extend(storage, count):
    for number in range(storage.counts()["events"], storage.counts()["events"] + count):
        storage.add_event(an_event(f"e{number}"))
        storage.add_reward(f"e{number}", 1.0, 110.0, AT_ONCE)


def test_what_is_pending_is_learned_before_the_first_answer(storage):
    extend(storage, 120)
    fold = fold_of(storage)
    assert fold.probabilities("{}", ["a"], ["{}"])[1] == 120
    fold.stop()


def test_snapshots_are_written_by_the_leader_and_the_last_three_kept(storage, monkeypatch):
    monkeypatch.setattr(module, "SPACING", 10)
    monkeypatch.setattr(module, "PAUSE", 0.0)
    monkeypatch.setattr(module, "SHARE", 0.0)
    monkeypatch.setattr(module, "CHUNK", 10)
    extend(storage, 55)
    follower = fold_of(storage, may_lead=False)
    assert follower.wait_for(55, 30.0)
    follower.stop()
    assert storage.snapshots() == []
    leader = fold_of(storage)
    assert leader.wait_for(55, 30.0)
    leader.stop()
    assert storage.snapshots() == [40, 50, 55]


def test_who_waits_while_a_snapshot_is_read_is_told(storage, monkeypatch):
    extend(storage, 20)
    fold_of(storage).stop()
    assert storage.snapshots() == [20]
    waiting, read = threading.Event(), storage.read_snapshot

    def slow(position):
        waiting.wait()
        time.sleep(0.1)
        return read(position)

    monkeypatch.setattr(storage, "read_snapshot", slow)
    fold = fold_of(storage, may_lead=False)
    waiting.set()
    began = time.monotonic()
    assert fold.wait_for(20, 30.0)
    assert time.monotonic() - began < 20.0, "it waited to the end"
    fold.stop()


def test_an_error_of_the_database_is_kept_until_it_is_over(storage, monkeypatch):
    monkeypatch.setattr(module, "RECOVERY", 0.01)
    works, entries = threading.Event(), storage.entries

    def failing(after, limit):
        if works.is_set():
            return entries(after, limit)
        raise StoreError("the disk is on holiday")

    monkeypatch.setattr(storage, "entries", failing)
    extend(storage, 3)
    fold = fold_of(storage)
    with pytest.raises(StoreError, match="on holiday"):
        fold.probabilities("{}", ["a"], ["{}"])
    works.set()
    assert fold.wait_for(3, 30.0)
    fold.probabilities("{}", ["a"], ["{}"])
    fold.stop()
    assert fold.error is None


def test_ranking_goes_on_while_it_learns(storage):
    extend(storage, 300)
    fold = fold_of(storage)
    fold.probabilities("{}", ["a"], ["{}"])
    extend(storage, 300)
    seen = set()
    fold.wake()
    fold.rankers.append(None)
    while fold.version < 600:
        seen.add(fold.probabilities("{}", ["a", "b"], ["{}", "{}"])[1])
    fold.rankers.pop()
    fold.stop()
    assert len(seen) > 1, "all was learned between two answers"


def test_a_stopped_fold_answers_no_more(storage):
    fold = fold_of(storage)
    fold.stop()
    fold._ready.clear()
    with pytest.raises(StoreError, match="closed"):
        fold.probabilities("{}", ["a"], ["{}"])


def test_learning_again_gives_the_same_bits(storage):
    extend(storage, 30)
    states = []
    for _ in range(2):
        fold = fold_of(storage, may_lead=False)
        assert fold.wait_for(30, 30.0)
        fold.stop()
        states.append(fold._learner.state())
    assert all(np.array_equal(states[0][name], states[1][name]) for name in states[0])
