"""A policy of one's own that cannot learn: the loop says so at once, and goes on with another."""

import asyncio
import gc
import importlib
import sys
import time
from threading import Event, Timer

import pytest

from hybandit import Loop
from hybandit.errors import LearningError, StoreError
from hybandit.loop.storage.contract import SWITCH
from hybandit.loop.storage.database import Database
from hybandit.policies.base import registry

SOURCE = """
import numpy as np
from hybandit.policies import ItemPolicy


class Stops(ItemPolicy):
    name = "stops"
    _arrays = ("_learned",)

    def _start(self):
        self._learned = np.zeros(1)

    def _values(self, context, items, ids):
        return items.sum(axis=1)

    def _learn(self, context, item, name, reward):
        if self._learned[0] == 2:
            raise TypeError("of its own")
        self._learned[0] += 1
        return reward
"""
OWN, LINE = "stopping:Stops", r"\(stopping.py, line 18\)"
CANNOT = rf"cannot learn entry 3: TypeError: of its own {LINE}; if {OWN} was edited since"


@pytest.fixture
def stopping(tmp_path, monkeypatch):
    """Writes the module, once more if it is called again with an edit, and imports it."""
    monkeypatch.setattr(registry, "_policies", dict(registry._policies))
    monkeypatch.syspath_prepend(tmp_path)

    def write(before="", after=""):
        (tmp_path / "stopping.py").write_text(SOURCE.replace(before, after))
        sys.modules.pop("stopping", None)
        importlib.invalidate_caches()

    write()
    yield write
    sys.modules.pop("stopping", None)


def play(loop, rounds):
    for _ in range(rounds):
        loop.reward(loop.rank({"n": 1}, {"a": {"x": 1}, "b": {"x": 2}}).event, 1.0)


@pytest.fixture
def stopped(tmp_path, stopping):
    """A loop that has failed at its third entry."""
    with Loop(tmp_path / "loop.db", policy=OWN, wait=None) as loop:
        play(loop, 2)
        assert loop.wait_for()
        play(loop, 1)
        with pytest.raises(LearningError):
            loop.wait_for()
        yield loop
        # Otherwise its end would say it once more.
        loop.switch("item-lin-ucb")


def test_who_waits_is_told_at_once(stopped):
    began = time.monotonic()
    with pytest.raises(LearningError, match=CANNOT):
        stopped.wait_for(timeout=300.0)
    assert time.monotonic() - began < 60.0, "it waited to the end"
    assert stopped.wait_for(2), "what was learned before is there"


def test_the_next_call_warns_once(stopped):
    with pytest.warns(UserWarning, match=f"loop.db: learning has stopped: {CANNOT}"):
        decision = stopped.rank({"n": 1}, ["a"])
    stopped.reward(decision.event, 1.0)
    play(stopped, 1)


def test_a_reward_warns_too(tmp_path, stopped):
    with pytest.warns(UserWarning, match=CANNOT):
        event = stopped.rank({"n": 1}, ["a"]).event
    with Loop(tmp_path / "loop.db", learn=False) as other:
        with pytest.raises(LearningError):
            other.wait_for()
        with pytest.warns(UserWarning, match=CANNOT):
            other.reward(event, 1.0)


def test_it_is_the_first_note_and_counts_are_true(stopped):
    status = stopped.status()
    assert status.notes[0] == f"learning has stopped: {status.error}"
    assert [status.version, status.here, status.closed, status.learned] == [3, 2, 3, 2]
    assert status.model == "version 2, stopped 1 entries before the newest"


@pytest.mark.parametrize("way", ["switch", "rollback"])
def test_it_goes_on_after_a_switch_or_a_roll_back(stopped, way):
    version = stopped.switch("item-lin-ucb") if way == "switch" else stopped.rollback(0)
    assert stopped.wait_for(version)
    status = stopped.status()
    assert [status.error, status.notes, status.lag] == [None, (), 0]
    play(stopped, 1)
    assert stopped.wait_for()
    assert stopped.policy == ("item-lin-ucb" if way == "switch" else OWN)


def test_a_try_that_began_before_a_switch_does_not_make_it_fail(stopped, monkeypatch):
    trying, go = Event(), Event()
    follower = stopped._follower
    prepare = follower._model.prepare

    def wait():
        trying.set()
        go.wait(60.0)
        prepare()

    monkeypatch.setattr(follower._model, "prepare", wait)
    follower._pause_until = 0.0
    follower._turns.hurry(follower)
    assert trying.wait(60.0)
    # Once the switch is written and waits to be followed.
    Timer(0.5, go.set).start()
    stopped.switch("item-lin-ucb")
    assert stopped.policy == "item-lin-ucb"


def test_the_end_of_a_loop_follows_a_switch_that_it_has_not_seen(tmp_path, stopping):
    with Loop(tmp_path / "loop.db", policy=OWN, wait=None) as loop:
        play(loop, 2)
        assert loop.wait_for()
        # Its next turn is late, and the switch is made by another process.
        loop._follower._turns.remove(loop._follower)
        play(loop, 1)
        content = loop._versions.switched("item-lin-ucb", 3)
        loop._append(SWITCH, content, target=3, policy="item-lin-ucb")
    with Loop(tmp_path / "loop.db") as loop:
        assert loop.policy == "item-lin-ucb"


def test_once_mended_it_learns_the_rest_when_it_is_opened(tmp_path, stopping, stopped):
    stopping("== 2", "== 1e9")
    with Loop(tmp_path / "loop.db", learn=False) as mended:
        assert mended.wait_for(3)
        assert mended.status().error is None


def test_other_arrays_than_those_of_a_model_that_is_kept_need_a_switch(tmp_path, stopping):
    path = tmp_path / "loop.db"
    with Loop(path, policy=OWN, wait=None) as loop:
        play(loop, 1)
        assert loop.wait_for()
        loop.reset()
        assert loop.wait_for()
    stopping("zeros(1)", "zeros(2)")
    with Loop(path) as edited:
        with pytest.raises(StoreError, match=f"version 2, .* or of {OWN} before it was edited"):
            edited.rank({"n": 1}, ["a"])
        began = time.monotonic()
        with pytest.raises(LearningError, match="version 2, "):
            edited.wait_for(timeout=300.0)
        assert time.monotonic() - began < 60.0, "it waited to the end"
        edited.switch(OWN)
        assert edited.wait_for()
        play(edited, 1)
        assert edited.wait_for()


def test_a_dropped_loop_ends_without_a_word_where_its_first_model_is_lost(tmp_path, stopping):
    ended, untold = Event(), []

    class Noted(Database):
        def close(self):
            super().close()
            ended.set()

    path = tmp_path / "loop.db"
    with Loop(path, policy=OWN, wait=None) as loop:
        play(loop, 1)
        loop.reset()
    stopping("zeros(1)", "zeros(2)")
    loop = Loop(Noted(path))
    with pytest.raises(LearningError):
        loop.wait_for()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys, "unraisablehook", untold.append)
        warned = pytest.warns(ResourceWarning, match="was not closed")
        with warned:
            del loop
            gc.collect()
        assert ended.wait(60.0)
        # The hook is called when the thread is at its end, soon after.
        time.sleep(0.1)
    assert not untold


def test_asyncio_is_warned_too(stopped):
    async def ranked():
        return await stopped.rank_async({"n": 1}, ["a"])

    with pytest.warns(UserWarning, match=CANNOT):
        decision = asyncio.run(ranked())
    asyncio.run(stopped.reward_async(decision.event, 1.0))
