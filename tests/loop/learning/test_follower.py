import threading
import time
from types import SimpleNamespace

import numpy as np
import pytest

from hybandit.errors import StoreError
from hybandit.loop.counts.tally import Counting
from hybandit.loop.learning import follower as module
from hybandit.loop.learning.follower import JournalFollower
from hybandit.loop.learning.model import LoopModel
from hybandit.loop.learning.pace import Pace
from hybandit.loop.learning.versions import Versions
from hybandit.loop.process import turns
from hybandit.loop.settings import Terms, checked
from hybandit.loop.storage.contract import Closing
from hybandit.loop.storage.database import Database
from hybandit.testing.storage import AT_ONCE, an_event

SETTINGS = checked({})[0]
TERMS = Terms(AT_ONCE, 0.01, None)


@pytest.fixture
def storage(tmp_path):
    storage = Database(tmp_path / "loop.db")
    yield storage
    storage.close()


def follower_of(storage, kind=JournalFollower, **changes):
    settings = {"terms": lambda: TERMS, "clock": time.time, "may_lead": True}
    settings |= {"counting": Counting(storage, 0.05), "pace": Pace()}
    return kind(storage, Versions(storage, SETTINGS), LoopModel(SETTINGS), **(settings | changes))


def extend(storage, count):
    for number in range(storage.counts()["events"], storage.counts()["events"] + count):
        storage.add_event(an_event(f"e{number}"))
        storage.add_reward(f"e{number}", 1.0, 110.0, AT_ONCE)


def test_what_is_pending_is_learned_before_the_first_answer(storage):
    extend(storage, 120)
    follower = follower_of(storage)
    assert follower.probabilities("{}", ["a"], ["{}"])[1] == 120
    follower.stop()


def test_snapshots_are_written_by_the_leader_and_the_last_three_kept(storage):
    often = Pace(spacing=10, pause=0.0, share=0.0, chunk=10)
    extend(storage, 55)
    follower = follower_of(storage, may_lead=False, pace=often)
    assert follower.wait_for(55, 30.0)
    follower.stop()
    assert storage.snapshots() == []
    leader = follower_of(storage, pace=often)
    assert leader.wait_for(55, 30.0)
    leader.stop()
    assert storage.snapshots() == [40, 50, 55]


def test_an_event_closes_by_what_is_set_when_its_window_ends(storage):
    """A change counts at once, not only when its entry in the journal has been read."""
    held = {"terms": Terms(Closing(wait=60.0), 0.01, None), "now": 100.0}
    follower = follower_of(storage, terms=lambda: held["terms"], clock=lambda: held["now"])
    storage.add_event(an_event(at=100.0, wait=60.0))
    follower.probabilities("{}", ["a"], ["{}"])
    held["terms"] = Terms(Closing(wait=60.0, default_reward=0.5), 0.01, None)
    held["now"] = 161.0
    assert follower.wait_for(1, 30.0)
    follower.stop()
    assert storage.entries(0, 1)[0].reward == 0.5


def test_who_waits_while_a_snapshot_is_read_is_told(storage, monkeypatch):
    extend(storage, 20)
    follower_of(storage).stop()
    assert storage.snapshots() == [20]
    waiting, read = threading.Event(), storage.read_snapshot

    def slow(position):
        waiting.wait()
        time.sleep(0.1)
        return read(position)

    monkeypatch.setattr(storage, "read_snapshot", slow)
    follower = follower_of(storage, may_lead=False)
    waiting.set()
    began = time.monotonic()
    assert follower.wait_for(20, 30.0)
    assert time.monotonic() - began < 20.0, "it waited to the end"
    follower.stop()


def test_an_error_of_the_database_is_kept_until_it_is_over(storage, monkeypatch):
    works, entries = threading.Event(), storage.entries

    def failing(after, limit):
        if works.is_set():
            return entries(after, limit)
        raise StoreError("the disk is on holiday")

    monkeypatch.setattr(storage, "entries", failing)
    extend(storage, 3)
    follower = follower_of(storage, pace=Pace(recovery=0.01))
    with pytest.raises(StoreError, match="on holiday"):
        follower.probabilities("{}", ["a"], ["{}"])
    works.set()
    assert follower.wait_for(3, 30.0)
    # The error is over when the turn ends that has learned this.
    deadline = time.monotonic() + 30.0
    while follower.error is not None and time.monotonic() < deadline:
        time.sleep(0.01)
    follower.probabilities("{}", ["a"], ["{}"])
    follower.stop()
    assert follower.error is None


def fail_at(monkeypatch, position):
    """Make `LoopModel.learn` fail at an entry, after learning it; returns the one that works."""
    learn = LoopModel.learn

    def fails(model, entry):
        learn(model, entry)
        if entry.position == position:
            raise ValueError("no number")

    monkeypatch.setattr(LoopModel, "learn", fails)
    return learn


def assert_is_at(follower, position):
    expected = Versions(follower._storage, SETTINGS).at(position).state()
    for name, array in follower._model.state().items():
        assert np.array_equal(array, expected[name]), "half an entry was learned"


def test_an_entry_that_cannot_be_learned_is_told_and_does_not_end_the_thread(storage, monkeypatch):
    extend(storage, 3)
    learn = fail_at(monkeypatch, 2)
    follower = follower_of(storage, may_lead=False, pace=Pace(recovery=0.01))
    with pytest.raises(StoreError, match="cannot learn entry 2: ValueError") as told:
        follower.probabilities("{}", ["a"], ["{}"])
    assert isinstance(told.value.__cause__, ValueError), "its traceback is lost"
    monkeypatch.setattr(LoopModel, "learn", learn)
    assert follower.wait_for(3, 30.0)
    assert_is_at(follower, 3)
    follower.stop()


def await_that(holds):
    ends = time.monotonic() + 30.0
    while not holds() and time.monotonic() < ends:
        time.sleep(0.001)
    assert holds()


class Unattended:
    """Gives no turns, so that a test can take them one by one."""

    def add(self, worker):
        pass

    hurry = remove = add


def test_waits_between_failures_grow_until_a_success(storage, monkeypatch):
    extend(storage, 3)
    monkeypatch.setattr(turns, "here", Unattended)
    monkeypatch.setattr(module, "time", clock := Clock())
    learn = fail_at(monkeypatch, 2)
    follower = follower_of(storage, may_lead=False)
    asked = []
    while len(asked) < 9:
        pause = follower.turn()
        clock.now += pause
        asked += [pause] if pause else []
    assert asked == [0.5, 1.0, 2.0, 4.0, 8.0, 16.0, 30.0, 30.0, 30.0]
    clock.now -= 20.0
    assert follower.turn() == 20.0, "it did not wait"
    clock.now += 20.0
    monkeypatch.setattr(LoopModel, "learn", learn)
    assert [follower.turn(), follower.error, follower.version] == [TERMS.poll, None, 3]
    fail_at(monkeypatch, 4)
    extend(storage, 1)
    assert follower.turn() == 0.5


class Clock:
    """Time that passes by a test's own hand."""

    now = 0.0

    def monotonic(self):
        return self.now


def test_a_model_that_fails_again_and_again_is_seldom_rebuilt(storage, monkeypatch):
    extend(storage, 3)
    rebuilt, at = [], Versions.at
    monkeypatch.setattr(
        Versions, "at", lambda *asked, **more: rebuilt.append(1) or at(*asked, **more)
    )
    fail_at(monkeypatch, 2)
    follower = follower_of(storage, may_lead=False, pace=Pace(recovery=0.02))
    await_that(lambda: rebuilt)
    rebuilt.clear()
    time.sleep(1.0)
    assert len(rebuilt) <= 7
    follower.stop()


def test_it_stops_at_once_while_it_waits_after_a_failure(storage, monkeypatch):
    extend(storage, 3)
    fail_at(monkeypatch, 2)
    follower = follower_of(storage, may_lead=False, pace=Pace(recovery=30.0))
    await_that(lambda: follower.error is not None)
    began = time.monotonic()
    follower.stop()
    assert time.monotonic() - began < 15.0


def test_an_entry_that_cannot_be_learned_leaves_the_model_before_it(storage, monkeypatch):
    extend(storage, 5)
    follower = follower_of(storage, may_lead=False, pace=Pace(recovery=0.01))
    assert follower.wait_for(5, 30.0)
    fail_at(monkeypatch, 6)
    extend(storage, 2)
    follower.wake()
    seen = set()
    ends = time.monotonic() + 0.5
    while follower.error is None or time.monotonic() < ends:
        seen.add(follower.probabilities("{}", ["a"], ["{}"])[1])
    assert seen == {5}, "those who rank fell back to an older model"
    follower.stop()
    assert_is_at(follower, 5)


def test_who_waits_for_what_was_learned_before_a_failure_is_woken(storage, monkeypatch):
    extend(storage, 3)
    fail_at(monkeypatch, 2)
    visible, entries = threading.Event(), storage.entries
    monkeypatch.setattr(
        storage, "entries", lambda *asked: entries(*asked) if visible.is_set() else []
    )
    monkeypatch.setattr(storage, "pulse", object)
    follower = follower_of(storage, may_lead=False)
    began = time.monotonic()
    threading.Timer(0.5, visible.set).start()
    assert follower.wait_for(1, 15.0)
    assert time.monotonic() - began < 10.0, "it waited to the end"
    follower.stop()


def test_half_an_entry_is_never_written_as_a_snapshot(storage, monkeypatch):
    learn = fail_at(monkeypatch, 3)
    follower = follower_of(storage, pace=Pace(recovery=30.0))
    assert follower.wait_for(0, 30.0)
    extend(storage, 4)
    follower.wake()
    ends = time.monotonic() + 30.0
    while follower.error is None and time.monotonic() < ends:
        time.sleep(0.01)
    monkeypatch.setattr(LoopModel, "learn", learn)
    follower.stop()
    assert list(follower.versions.verified()) == [(4, 0.0)]


def test_a_model_that_cannot_be_restored_at_once_is_restored_later(storage, monkeypatch):
    extend(storage, 3)
    learn, at = fail_at(monkeypatch, 2), Versions.at
    follower = follower_of(storage, may_lead=False, pace=Pace(recovery=0.01))

    def failing(versions, position, **options):
        if LoopModel.learn is not learn:
            raise StoreError("the disk is on holiday")
        return at(versions, position, **options)

    monkeypatch.setattr(Versions, "at", failing)
    ends = time.monotonic() + 30.0
    while "holiday" not in str(follower.error) and time.monotonic() < ends:
        time.sleep(0.01)
    monkeypatch.setattr(LoopModel, "learn", learn)
    assert follower.wait_for(3, 30.0)
    assert_is_at(follower, 3)
    follower.stop()


def test_any_other_error_of_the_thread_is_told(storage, monkeypatch):
    extend(storage, 3)
    prepare = LoopModel.prepare
    monkeypatch.setattr(LoopModel, "prepare", lambda model: 1 / 0)
    follower = follower_of(storage, may_lead=False, pace=Pace(recovery=0.01))
    with pytest.raises(StoreError, match="cannot go on from version 0: ZeroDivisionError"):
        follower.probabilities("{}", ["a"], ["{}"])
    monkeypatch.setattr(LoopModel, "prepare", prepare)
    assert follower.wait_for(3, 30.0)
    follower.stop()


def test_an_error_that_ends_while_it_is_told_is_told(storage, monkeypatch):
    class Flickering(JournalFollower):
        reads = 0

        @property
        def error(self):
            self.reads += 1
            return StoreError("the disk is on holiday") if self.reads == 1 else None

        @error.setter
        def error(self, _):
            pass

    monkeypatch.setattr(storage, "head", lambda: 1 / 0)
    follower = follower_of(storage, Flickering, may_lead=False)
    with pytest.raises(StoreError, match="on holiday"):
        follower.probabilities("{}", ["a"], ["{}"])
    follower.stop()


def test_ranking_goes_on_while_it_learns(storage, monkeypatch):
    """In the pause between two entries, which lasts here until there is an answer."""
    pauses, answers = threading.Semaphore(0), threading.Semaphore(0)

    def pause(_):
        pauses.release()
        answers.acquire(timeout=30.0)

    extend(storage, 30)
    follower = follower_of(storage)
    follower.probabilities("{}", ["a"], ["{}"])
    monkeypatch.setattr(module, "time", SimpleNamespace(monotonic=time.monotonic, sleep=pause))
    follower.rankers.append(None)
    extend(storage, 20)
    seen = []
    for _ in range(20):
        assert pauses.acquire(timeout=30.0)
        seen.append(follower.probabilities("{}", ["a", "b"], ["{}", "{}"])[1])
        answers.release()
    follower.rankers.pop()
    follower.stop()
    assert seen == list(range(31, 51))


def test_those_who_wait_for_the_start_do_not_slow_it(storage, monkeypatch):
    extend(storage, 20)
    monkeypatch.setattr(turns, "here", Unattended)
    monkeypatch.setattr(module, "time", Clock())  # It cannot sleep.
    follower = follower_of(storage, may_lead=False)
    follower.rankers.append(None)
    follower.turn()
    follower.turn()
    assert [follower.version, follower.error] == [20, None]


def test_a_stopped_follower_answers_no_more(storage):
    follower = follower_of(storage)
    follower.stop()
    follower._ready.clear()
    with pytest.raises(StoreError, match="closed"):
        follower.probabilities("{}", ["a"], ["{}"])


def test_learning_again_gives_the_same_bits(storage):
    extend(storage, 30)
    states = []
    for _ in range(2):
        follower = follower_of(storage, may_lead=False)
        assert follower.wait_for(30, 30.0)
        follower.stop()
        states.append(follower._model.state())
    assert all(np.array_equal(states[0][name], states[1][name]) for name in states[0])
