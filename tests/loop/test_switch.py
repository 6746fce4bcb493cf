"""Loops that are switched from one policy to another, in all ways that a loop is used."""

import multiprocessing
import os
import signal
import subprocess
import sys
import time

import pytest
from clocked_loop import ClockedLoop
from databases import SLOW_ON_POSTGRESQL

from hybandit import Loop
from hybandit.errors import InvalidInput, ModelFileError
from hybandit.loop.learning.model import LoopModel
from hybandit.loop.storage.contract import LEARN, ROLLBACK, SWITCH

ARTICLES = {"cup-final": {"topic": "sport"}, "budget": {"topic": "politics"}, "weather": None}
OTHER = "item-lin-ucb:alpha=0.3"


def play(loop, rounds, start=0, actions=ARTICLES):
    for number in range(start, start + rounds):
        decision = loop.rank({"age": number % 7, "town": "Ulm"}, actions, event=f"e{number}")
        loop.reward(decision.event, float(decision.action == next(iter(actions))))


def state(loop):
    assert loop.wait_for()
    return {name: array.copy() for name, array in loop._follower._model.state().items()}


def equal(first, second):
    return first.keys() == second.keys() and all(
        array.tobytes() == second[name].tobytes() for name, array in first.items()
    )


def folded(loop, policy, positions):
    """What a policy learns of these entries, one by one."""
    model = LoopModel(loop.settings, policy)
    for position in positions:
        (entry,) = loop._storage.entries(position - 1, 1)
        assert entry.kind == LEARN
        model.learn(entry)
    return model.state()


def test_a_switch_lets_the_other_policy_learn_the_whole_journal(url):
    with Loop(url, wait=None) as loop, Loop(url, learn=False) as other:
        play(loop, 12)
        before = state(loop)
        assert loop.switch("item-lin-ucb:alpha=0.30") == 13
        assert equal(state(loop), folded(loop, OTHER, range(1, 13)))
        assert equal(state(other), state(loop))
        assert loop.policy == other.policy == loop.status().policy == OTHER
        play(other, 5, start=12)
        assert equal(state(loop), folded(loop, OTHER, [*range(1, 13), *range(14, 19)]))
        assert loop.explain("e3").why == "learned in version 4"
        assert equal(loop._versions.at(12).state(), before), "an earlier version has changed"
        after = state(loop)
    with Loop(url, policy=OTHER, wait=None) as loop:
        assert equal(state(loop), after)
        assert [difference for _, difference in loop.verify()] == [0.0] * 2
    with pytest.raises(InvalidInput, match=r"'policy' must be 'item-lin-ucb:alpha=0.3', which"):
        Loop(url, policy="default", wait=None)


def test_a_roll_back_behind_the_switch_brings_the_policy_before(url):
    with Loop(url, policy="item-hybrid:alpha=1", wait=None) as loop:
        play(loop, 10)
        first = state(loop)
        loop.switch(OTHER)
        play(loop, 5, start=10)
        second = state(loop)
        assert loop.rollback(10) == 17
        assert equal(state(loop), first)
        assert loop.policy == "item-hybrid:alpha=1"
        assert "undone by a later version" in loop.explain("e12").why
        play(loop, 5, start=15)
        loop.rollback(16)
        assert equal(state(loop), second)
        # What was rolled back is not learned by the next one either.
        loop.rollback(10)
        loop.switch("item-hybrid")
        assert equal(state(loop), folded(loop, "item-hybrid", range(1, 11)))
        loop._storage.delete_snapshots(loop._storage.snapshots())
        assert equal(loop._versions.at(16).state(), second)
        assert all(difference == 0.0 for _, difference in loop.verify())


def test_what_is_closed_during_the_switch_is_learned_once(url):
    """Between folding the journal and writing the entry, others go on."""

    class Busy(Loop):
        def _append(self, *arguments, **jump):
            play(self, 4, start=100)
            return super()._append(*arguments, **jump)

    with Busy(url, wait=None) as loop:
        play(loop, 6)
        assert loop.switch(OTHER) == 11
        play(loop, 2, start=6)
        expected = folded(loop, OTHER, [*range(1, 11), 12, 13])
        assert equal(state(loop), expected)
        assert [jump.target for jump in loop._storage.jumps()] == [6]
    with Loop(url, wait=None) as loop:
        assert equal(state(loop), expected)
        assert [place for place, apart in loop.verify() if apart] == []
        assert equal(loop._versions.at(13, use_snapshots=False).state(), expected)


def test_a_switch_that_another_jump_has_overtaken_is_refused(url):
    class Overtaken(Loop):
        def _append(self, kind, *arguments, **jump):
            if kind == SWITCH:
                self.rollback(2)
            return super()._append(kind, *arguments, **jump)

    with Overtaken(url, wait=None) as loop:
        play(loop, 4)
        with pytest.raises(InvalidInput, match=r"'version' must be from 5 to 5, the newest; got 4"):
            loop.switch(OTHER)
        assert [jump.kind for jump in loop._storage.jumps()] == [ROLLBACK]
        assert loop.policy == "default"


@pytest.mark.parametrize(
    ("policy", "told"),
    [
        ("lin-ucb", "'actions' must be names without features"),
        ("item-lin-ucb:alpha=-1", "'alpha' must be"),
        ("item-lin-ucb:beta=1", "has no setting 'beta'"),
        ("item-lin-ucb:n_item=3", "'policy' must be without 'n_item'"),
        ("lin-ucb:arms=x", "'policy' must be without 'arms'"),
        ("item-lin-ucb:alpha", "'policy' must be written name:setting=value"),
        ("item-lin", "no policy is called 'item-lin'"),
        ("nowhere:Policy", "cannot be imported"),
        ("", "'policy' must be a policy as text"),
        (None, "'policy' must be a policy as text"),
    ],
)
def test_what_the_loop_cannot_switch_to_leaves_it_as_it_is(policy, told, tmp_path):
    with Loop(tmp_path / "loop.db", wait=None) as loop:
        play(loop, 3)
        with pytest.raises(Exception, match=told):
            loop.switch(policy)
        assert (loop.version, loop.policy) == (3, "default")


def test_the_new_policy_decides_when_switch_returns(tmp_path):
    with Loop(tmp_path / "loop.db", wait=None) as loop:
        play(loop, 3)
        for policy in ("item-lin-ucb", "item-hybrid"):
            loop.switch(policy)
            assert loop.policy == loop.status().policy == policy


def test_rewards_that_the_policy_does_not_take(url):
    with Loop(url, wait=None) as loop:
        loop.reward(loop.rank({}, ["a", "b"]).event, 3.0)
        with pytest.raises(InvalidInput, match="beta-thompson takes a number from 0 to 1; got 3"):
            loop.switch("beta-thompson")
        loop.rollback(0)
        loop.switch("beta-thompson")
        loop.wait_for()
        event = loop.rank({}, ["a", "b"]).event
        with pytest.raises(InvalidInput, match="'value' must be a number from 0 to 1; got 3"):
            loop.reward(event, 3.0)
        loop.reward(event, 1.0)
        assert loop.wait_for(4)


def test_a_model_of_another_policy_is_not_imported(url, tmp_path):
    with Loop(url, wait=None) as loop:
        play(loop, 3)
        loop.wait_for()
        loop.export(tmp_path / "model.npz")
        loop.switch(OTHER)
        with pytest.raises(ModelFileError, match=f"policy default; this loop has {OTHER}: switch"):
            loop.import_model(tmp_path / "model.npz")
        loop.switch("default")
        loop.import_model(tmp_path / "model.npz")
        play(loop, 2, start=3)
        imported = state(loop)
        # The next policy learns the events behind the import, whose model it cannot use.
        loop.switch(OTHER)
        assert equal(state(loop), folded(loop, OTHER, [1, 2, 3, 7, 8]))
        loop.rollback(8)
        assert equal(state(loop), imported)


def test_old_events_are_forgotten_across_a_switch(url):
    ClockedLoop.time = 1e6
    with ClockedLoop(url, keep=1.0, wait=None) as loop:
        play(loop, 6)
        loop.switch(OTHER)
        play(loop, 4, start=6)
        ClockedLoop.time += 2 * 86_400
        play(loop, 3, start=10)
        learned = state(loop)
    with ClockedLoop(url, wait=None) as loop:
        deadline = time.monotonic() + 30.0
        while loop._storage.entries(0, 1)[0].position < 12 and time.monotonic() < deadline:
            time.sleep(0.02)
        assert loop._storage.base() == 11
        assert loop.policy == OTHER
        assert equal(state(loop), learned)
        assert equal(loop._versions.at(14, use_snapshots=False).state(), learned)
        # A later policy has only what is still there.
        loop.switch("item-hybrid")
        assert equal(state(loop), folded(loop, "item-hybrid", (12, 13, 14)))
        assert loop.rollback(14)
        assert equal(state(loop), learned)


KILLED = """
import os, signal, sys
from hybandit import Loop
from hybandit.loop.storage.database import Database
class Dying(Database):
    def append(self, *arguments, **jump):
        position = super().append(*arguments, **jump) if sys.argv[2] == "after" else 0
        os.kill(os.getpid(), signal.SIGKILL)
Loop(Dying(sys.argv[1]), wait=None).switch(sys.argv[3])
"""


@SLOW_ON_POSTGRESQL
@pytest.mark.parametrize(("moment", "policy"), [("before", "default"), ("after", OTHER)])
def test_killed_while_it_switches(url, moment, policy):
    with Loop(url, wait=None) as loop:
        play(loop, 10)
    command = [sys.executable, "-c", KILLED, url, moment, OTHER]
    assert subprocess.run(command, check=False).returncode == -signal.SIGKILL
    with Loop(url, wait=None) as loop:
        assert loop.version == 10 + (moment == "after")
        play(loop, 3, start=10)
        assert loop.policy == policy
        ahead = range(loop.version - 2, loop.version + 1)
        assert equal(state(loop), folded(loop, policy, [*range(1, 11), *ahead]))


def _ranking(url, pipe):
    """Rank until told to stop; then tell how often, and the model at the end of the journal."""
    with Loop(url, learn=False) as loop:
        number = 0
        while not pipe.poll():
            decision = loop.rank({"age": number % 7}, ARTICLES, event=f"{os.getpid()}/{number}")
            loop.reward(decision.event, float(decision.action == "budget"))
            number += 1
            time.sleep(0.005)
        pipe.recv()
        pipe.send(number)
        assert loop.wait_for(pipe.recv())
        pipe.send((loop.policy, state(loop)))


@SLOW_ON_POSTGRESQL
def test_two_processes_rank_while_a_third_switches(url):
    start = multiprocessing.get_context("spawn")
    with Loop(url, wait=None) as loop:
        pipes = [start.Pipe() for _ in range(2)]
        workers = [start.Process(target=_ranking, args=(url, far)) for _, far in pipes]
        for worker in workers:
            worker.start()
        await_version(loop, 30)
        switched = loop.switch(OTHER)
        await_version(loop, switched + 30)
        for near, _ in pipes:
            near.send("stop")
        ranked = sum(near.recv() for near, _ in pipes)
        assert loop.version == ranked + 1
        positions = [place for place in range(1, loop.version + 1) if place != switched]
        expected = folded(loop, OTHER, positions)
        for near, _ in pipes:
            near.send(loop.version)
            policy, found = near.recv()
            assert policy == OTHER
            assert equal(found, expected)
        for worker in workers:
            worker.join(60)
        assert equal(state(loop), expected)


def await_version(loop, version):
    deadline = time.monotonic() + 60.0
    while loop.version < version:
        assert time.monotonic() < deadline
        time.sleep(0.02)
