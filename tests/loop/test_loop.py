import asyncio
import gc
import multiprocessing
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from datetime import timedelta
from pathlib import Path

import numpy as np
import pytest
from clocked_loop import ClockedLoop
from databases import SLOW_ON_POSTGRESQL

from hybandit import Loop
from hybandit.errors import InvalidInput, ModelFileError, StoreError
from hybandit.loop.verbs.request import RankRequest

ARTICLES = {"cup-final": {"topic": "sport"}, "budget": {"topic": "politics"}, "plain": None}


def state(loop):
    return {name: array.copy() for name, array in loop._follower._model.state().items()}


def equal(first, second):
    assert first.keys() == second.keys()
    return all(np.array_equal(first[name], second[name]) for name in first)


def eventually(holds, seconds=30.0):
    deadline = time.monotonic() + seconds
    while not holds():
        if time.monotonic() > deadline:
            return False
        time.sleep(0.02)
    return True


def play(loop, rounds, start=0):
    for number in range(start, start + rounds):
        decision = loop.rank({"age": number % 7, "town": "Ulm"}, ARTICLES, event=f"e{number}")
        loop.reward(decision.event, float(decision.action == "budget"))


def test_five_lines(url):
    with Loop(url, wait=None) as loop:
        d = loop.rank({"age": 34, "town": "Ulm"}, ARTICLES)
        assert d.action in ARTICLES
        assert d.probability == pytest.approx(1 / 3)
        loop.reward(d.event, 1.0)
        assert loop.wait_for()
        assert loop.explain(d.event).why == "learned in version 1"


def test_it_learns_and_another_opens_it_where_it_was(url):
    with Loop(url, wait=None) as loop:
        play(loop, 60)
        assert loop.wait_for()
        last = loop.rank({"age": 3, "town": "Ulm"}, ARTICLES)
        # All but the control of the first article and what is explored of the other.
        assert dict(last.ranking)["budget"] == pytest.approx(1 - 0.05 - 0.01 / 3)
        learned = state(loop)
    with Loop(url, learn=False) as loop:
        again = loop.rank({"age": 3, "town": "Ulm"}, ARTICLES)
        assert again.version == 60
        assert equal(state(loop), learned)


def test_every_eligible_action_has_its_share_and_all_sum_to_one(url):
    with Loop(url, explore=0.3, wait=None) as loop:
        play(loop, 20)
        loop.wait_for()
        d = loop.rank({}, ["a", "b", "c", "d"], exclude=["b"])
        chances = dict(d.ranking)
        assert chances.pop("b") == 0.0
        assert [name for name, _ in d.ranking][1] == "b", "the excluded one keeps its place"
        assert d.ranking[0] == (d.action, d.probability)
        assert min(chances.values()) >= 0.3 / 3
        assert sum(chances.values()) == pytest.approx(1.0, abs=1e-12)


def test_the_same_event_gives_the_same_answer_whatever_was_learned_since(url):
    with Loop(url, wait=None) as loop, Loop(url, learn=False) as other:
        first = loop.rank({"age": 1}, ARTICLES, event="mine")
        play(loop, 30)
        loop.wait_for()
        assert loop.rank({"age": 1}, ARTICLES, event="mine") == first
        assert other.rank({"age": 1}, dict(ARTICLES), event="mine") == first
        with pytest.raises(InvalidInput, match="other content"):
            other.rank({"age": 2}, ARTICLES, event="mine")
        assert loop.status().events == 31


def test_the_same_event_gives_the_same_answer_whatever_was_counted_since(url):
    """Counts of open decisions are not stored with an event, and differ between processes."""
    names = ["silent", "answered"]
    with Loop(url, wait=None, staleness=0.02) as loop, Loop(url, learn=False) as other:
        first = loop.rank({}, names, event="mine")
        for _ in range(60):
            loop.rank({}, ["silent"])
        assert eventually(lambda: loop._chances(RankRequest.of({}, names))[0][0] < 0.45)
        assert loop.rank({}, names, event="mine") == first
        assert other.rank({}, names, event="mine") == first
        assert dict(first.ranking)["silent"] == 0.5


def test_the_draw_is_a_function_of_event_and_version(tmp_path):
    drawn = []
    for name in ("one.db", "two.db"):
        with Loop(tmp_path / name, explore=1.0, wait=None) as loop:
            drawn.append([loop.rank({}, ["a", "b"], event=f"e{n}").action for n in range(40)])
    assert drawn[0] == drawn[1]
    assert {"a", "b"} == set(drawn[0])


def test_windows(url):
    ClockedLoop.time = 1000.0
    with ClockedLoop(url, wait=timedelta(seconds=10), aggregate="sum", default_reward=-1.0) as loop:
        rewarded, silent, late = (loop.rank({}, ["a", "b"]).event for _ in range(3))
        loop.reward(rewarded, 1.0)
        loop.reward(rewarded, 2.0)
        assert "window is open until 1970-01-01T00:16:50" in loop.explain(rewarded).why
        ClockedLoop.time = 1011.0
        loop.reward(late, 5.0)
        assert loop.wait_for(3)
        told = {name: loop.explain(name) for name in (rewarded, silent, late)}
        assert [told[name].reward for name in (rewarded, silent, late)] == [3.0, -1.0, -1.0]
        assert told[late].rewards[0].late
        assert loop.status().late == 1


def test_a_clock_that_jumps_loses_and_doubles_nothing(url):
    ClockedLoop.time = 1e6
    with ClockedLoop(url, wait=timedelta(seconds=10)) as loop:
        events = []
        for jump in (0.0, -5e5, 2e6, -2e6, 0.0):
            ClockedLoop.time += jump
            events.append(loop.rank({}, ["a", "b"]).event)
            loop.reward(events[-1], 1.0)
        ClockedLoop.time = 1e7
        assert loop.wait_for(5)
        told = [loop.explain(event) for event in events]
        assert sorted(each.learned for each in told) == [1, 2, 3, 4, 5]
        for each in told:
            # The thread may have read the clock before it jumped back: then this one is late.
            (reward,) = each.rewards
            assert (reward.value, each.reward) == (1.0, 0.0 if reward.late else 1.0)
        assert loop.status().late == sum(each.rewards[0].late for each in told)


def test_deferred_events(url):
    with Loop(url, wait=None) as loop:
        event = loop.rank({}, ["a", "b"], defer=True).event
        loop.reward(event, 1.0)
        assert "activate" in loop.explain(event).why
        assert loop.version == 0
        loop.activate(event)
        loop.activate(event)
        assert loop.wait_for(1)
        assert loop.explain(event).learned == 1


def test_apprentice_serves_the_first_and_learns(url):
    with Loop(url, mode="apprentice", wait=None) as loop:
        for number in range(20):
            d = loop.rank({"n": number}, ["a", "b"], exclude=["a"] if number % 2 else [])
            assert (d.action, d.probability) == ("b" if number % 2 else "a", 1.0)
            loop.reward(d.event, float(d.action == "b"))
        assert loop.wait_for(20)
        assert 0.0 < loop.status().agreement <= 1.0


def test_log_only_learns_nothing(url):
    with Loop(url, mode="log-only", wait=None) as loop:
        fresh = state(loop)
        d = loop.rank({}, ["a", "b"])
        assert (d.action, d.probability) == ("a", 1.0)
        loop.reward(d.event, 1.0)
        loop.wait_for(1)
        assert equal(state(loop), fresh)
        assert (
            loop.explain(d.event).why
            == "closed, not learned: the mode was log-only, or learning was paused"
        )
        assert loop.status().learned == 0


def test_why_not_yet(url):
    with Loop(url, wait=None, learn=False) as loop:
        event = loop.rank({}, ["a", "b"]).event
        assert loop.explain(event).why == "no reward yet: the first one closes it"
        with pytest.raises(InvalidInput, match="decision of this loop"):
            loop.explain("nobody")


def test_rollback_goes_on_from_the_old_model(url):
    with Loop(url, wait=None) as loop:
        play(loop, 10)
        assert loop.wait_for(10)
        old = state(loop)
        play(loop, 10, start=10)
        assert loop.rollback(10) == 21
        assert loop.wait_for(21)
        assert equal(state(loop), old)
        assert loop.explain("e15").why == "learned in version 16, then undone by a later version"
        assert loop.explain("e5").why == "learned in version 6"
        play(loop, 5, start=20)
        assert loop.wait_for(26)
        on = state(loop)
        loop.rollback(15)
        loop.rollback(26)
        assert loop.wait_for(28)
        assert equal(state(loop), on)
        for version in (-1, 29, 1.5, "3", None):
            with pytest.raises(InvalidInput, match="version"):
                loop.rollback(version)
    with Loop(url, wait=None) as loop:
        loop._storage.delete_snapshots(loop._storage.snapshots())
    with Loop(url, learn=False) as loop:
        loop.rank({}, ["a"])
        assert equal(state(loop), on), "without snapshots the fold gives another model"


def test_export_and_import(url, tmp_path):
    with Loop(url, wait=None) as loop, Loop(tmp_path / "other.db", wait=None) as other:
        play(loop, 10)
        loop.wait_for()
        loop.export(tmp_path / "model.npz")
        assert other.import_model(tmp_path / "model.npz") == 1
        assert other.wait_for(1)
        assert equal(state(other), state(loop))
        other._storage.delete_snapshots([1])
        (tmp_path / "bad.npz").write_bytes(b"PK nonsense")
        for path in (tmp_path / "bad.npz", tmp_path / "missing.npz"):
            with pytest.raises(ModelFileError):
                other.import_model(path)
        assert other.version == 1
    with Loop(tmp_path / "other.db", wait=None) as other:
        other.rank({}, ["a"])
        assert len(state(other)["contexts/counts"]) > 0
        play(other, 3)
        assert other.wait_for(4)


def test_settings_are_stored_and_conflicts_told_with_both_values(url):
    with Loop(url, explore=0.2, wait=timedelta(minutes=10)):
        pass
    with Loop(url) as loop:
        assert (loop.settings["explore"], loop.settings["wait"]) == (0.2, 600.0)
    for equal_wait in ("10 min", "10min", 600, "600", "600 seconds", timedelta(seconds=600)):
        with Loop(url, explore=0.2, wait=equal_wait):
            pass
    with pytest.raises(InvalidInput, match=r"'explore' must be 0.2, as the loop .*; got 0.3"):
        Loop(url, explore=0.3)
    with pytest.raises(InvalidInput, match=r"'wait' must be 600.0.*got None"):
        Loop(url, wait=None)


@pytest.mark.parametrize(
    "wrong",
    [
        {"explore": -0.1}, {"explore": float("nan")}, {"explore": "0.1"}, {"wait": -5},
        {"wait": "soon"}, {"wait": "5 moons"}, {"wait": True}, {"wait": ""}, {"wait": "min"},
        {"control": 1.1}, {"reward_range": (1, 0)}, {"reward_range": 1},
        {"reward_range": (0, float("inf"))}, {"wait": timedelta(0)}, {"aggregate": "mean"},
        {"default_reward": float("inf")},
        {"mode": "offline"}, {"keep": 0}, {"staleness": 0},
        {"context_width": 1}, {"action_width": 2.5}, {"memory": "window(0)"}, {"forget": 1.0},
        {"context_width": 10**400}, {"action_width": 10**6}, {"wait": timedelta.max},
    ],
)  # fmt: skip
def test_wrong_settings_make_no_loop(wrong, tmp_path):
    with pytest.raises(InvalidInput, match=next(iter(wrong))):
        Loop(tmp_path / "loop.db", **{"wait": None} | wrong)
    assert not (tmp_path / "loop.db").exists()


@pytest.mark.parametrize(
    "call",
    [
        lambda loop, event: loop.rank(None, ["a"]),
        lambda loop, event: loop.rank({"x": float("inf")}, ["a"]),
        lambda loop, event: loop.rank({"x": object()}, ["a"]),
        lambda loop, event: loop.rank({}, []),
        lambda loop, event: loop.rank({}, {}),
        lambda loop, event: loop.rank({}, "ab"),
        lambda loop, event: loop.rank({}, ["a", "a"]),
        lambda loop, event: loop.rank({}, ["a", 3]),
        lambda loop, event: loop.rank({}, {"": None}),
        lambda loop, event: loop.rank({}, {"x" * 257: None}),
        lambda loop, event: loop.rank({}, {"\ud800": None}),
        lambda loop, event: loop.rank({}, {"a\0": None}),
        lambda loop, event: loop.rank({}, {"a": [1]}),
        lambda loop, event: loop.rank({}, {"a": {"x": {1}}}),
        lambda loop, event: loop.rank({}, ["a"], exclude=["a"]),
        lambda loop, event: loop.rank({}, ["a"], exclude=["b"]),
        lambda loop, event: loop.rank({}, ["a"], exclude="a"),
        lambda loop, event: loop.rank({}, ["a"], event=""),
        lambda loop, event: loop.rank({}, ["a"], event=5),
        lambda loop, event: loop.rank({}, ["a"], event="\udfff"),
        lambda loop, event: loop.rank({}, ["a"], event=event),
        lambda loop, event: loop.rank({}, ["a"], defer=1),
        lambda loop, event: loop.reward(event, float("nan")),
        lambda loop, event: loop.reward(event, "1"),
        lambda loop, event: loop.reward(event, None),
        lambda loop, event: loop.reward(event, 10**400),
        lambda loop, event: loop.reward("nobody", 1.0),
        lambda loop, event: loop.reward(None, 1.0),
        lambda loop, event: loop.activate("nobody"),
    ],
)
def test_a_refused_call_writes_nothing(call, tmp_path):
    with Loop(tmp_path / "loop.db", wait=None) as loop:
        event = loop.rank({"x": 1}, ["a", "b"], event="known").event
        before = loop._storage.counts()
        with pytest.raises(InvalidInput):
            call(loop, event)
        after = loop._storage.counts()
        assert {**after, "bytes": 0} == {**before, "bytes": 0}


def test_threads(url):
    with Loop(url, wait=None) as loop:
        with ThreadPoolExecutor(4) as pool:
            list(pool.map(lambda number: play(loop, 5, start=5 * number), range(8)))
        assert loop.wait_for()
        status = loop.status()
        assert (status.events, status.closed, status.here) == (40, 40, 40)
        assert equal(state(loop), loop._versions.at(40, use_snapshots=False).state())


def test_asyncio_goes_through_a_thread(tmp_path):
    async def main(loop):
        d = await asyncio.to_thread(loop.rank, {}, ["a", "b"])
        await asyncio.to_thread(loop.reward, d.event, 1.0)

    with Loop(tmp_path / "loop.db", wait=None) as loop:
        asyncio.run(main(loop))
        assert loop.version == 1


def test_two_learners_at_once_learn_everything_once(url):
    with Loop(url, wait=None) as first, Loop(url, wait=None) as second:
        threads = [
            threading.Thread(target=play, args=(loop, 20, start))
            for start, loop in ((0, first), (100, second))
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert first.wait_for(40)
        assert second.wait_for(40)
        assert [first._follower.leads, second._follower.leads].count(True) == 1
        assert equal(state(first), state(second))
        assert first.version == 40


def test_a_damaged_or_deleted_snapshot_changes_nothing(url):
    with Loop(url, wait=None) as loop:
        play(loop, 10)
        loop.wait_for()
        learned = state(loop)
    for damage in ("UPDATE loop_snapshot_parts SET content = :junk", "DELETE FROM loop_snapshots"):
        with Loop(url, learn=False) as loop:
            import sqlalchemy as sql

            def spoil(connection, damage=damage):
                junk = {"junk": b"junk"} if ":junk" in damage else {}
                connection.execute(sql.text(damage), junk)

            loop._storage._write(spoil)
        with Loop(url, learn=False) as loop:
            loop.rank({}, ["a"])
            assert equal(state(loop), learned)


def test_features_tell_what_becomes_what(tmp_path):
    with Loop(tmp_path / "loop.db", wait=None) as loop:
        told = loop.features({"town": "Ulm"}, {"topic": "sport"})
        assert told["feature"].tolist() == ["constant", "town=Ulm", "constant", "topic=sport"]
        assert told["part"].tolist() == ["context"] * 2 + ["action"] * 2
        assert told["column"].isna().tolist() == [False, True] * 2
        loop.reward(loop.rank({"town": "Ulm"}, {"a": {"topic": "sport"}}).event, 1.0)
        assert loop.wait_for()
        told = loop.features({"town": "Ulm"}, {"topic": "sport"})
        assert told["column"].tolist() == [0, 1, 0, 1]
        assert told["value"].tolist() == [1.0] * 4
        assert loop.features({}, None, "plain")["feature"].iloc[-1] == "name=plain"


def test_events_as_a_table(url):
    with Loop(url, wait=None) as loop:
        assert loop.events().empty
        play(loop, 3)
        loop.rank({"x": None}, {"a": {"y": [1]}}, event="open")
        table = loop.events().set_index("event")
        assert table.loc["open", "actions"] == {"a": {"y": [1]}}
        assert table["closed"].tolist()[:3] == [1, 2, 3]
        assert table["reward"].isna().tolist() == [False, False, False, True]
        assert table.loc["e0", "probabilities"] == pytest.approx([1 / 3] * 3)


@SLOW_ON_POSTGRESQL
def test_status_compares_with_the_baseline(url):
    with Loop(url, explore=0.5, control=0.15, wait=None) as loop:
        play(loop, 400)
        loop.wait_for()
        status = loop.status()
        assert status.lag == 0
        assert status.leads
        assert status.reward.low < status.reward.mean < status.reward.high
        assert status.baseline.mean == pytest.approx(0.0, abs=0.3), "the first never earns"
        assert status.baseline.mean == pytest.approx(
            status.reward.mean - status.gain.mean, abs=0.01
        )
        assert status.gain.low > 0.0
        assert status.verdict.startswith("The loop is better than the baseline by 0.")
        assert status.bytes > 0


def test_a_closed_loop_says_so(tmp_path):
    loop = Loop(tmp_path / "loop.db", wait=None)
    loop.close()
    loop.close()
    for call in (lambda: loop.rank({}, ["a"]), lambda: loop.reward("e", 1.0), loop.status):
        with pytest.raises(StoreError, match="closed"):
            call()


def _rank(url, events):
    with Loop(url, learn=False) as loop:
        for number in range(30):
            events.put(loop.rank({"n": number}, ARTICLES).event)
    events.put(None)


def _reward(url, events):
    with Loop(url, learn=False) as loop:
        while (event := events.get()) is not None:
            loop.reward(event, 1.0)


@SLOW_ON_POSTGRESQL
def test_three_processes(url):
    start = multiprocessing.get_context("spawn")
    events = start.Queue()
    with Loop(url, wait=None) as learner:
        workers = [start.Process(target=work, args=(url, events)) for work in (_rank, _reward)]
        for worker in workers:
            worker.start()
        for worker in workers:
            worker.join(60)
            assert worker.exitcode == 0
        assert learner.wait_for(30)
        status = learner.status()
        assert (status.events, status.rewards, status.learned, status.here) == (30, 30, 30, 30)


def test_old_events_are_forgotten_and_what_they_taught_is_not(url):
    ClockedLoop.time = 1e6
    with ClockedLoop(url, keep=1.0, wait=None) as loop:
        play(loop, 10)
        ClockedLoop.time += 2 * 86_400
        play(loop, 5, start=10)
        assert loop.wait_for(15)
        learned = state(loop)
    with ClockedLoop(url, wait=None) as loop:
        loop.rank({}, ["a"], event="next")
        assert equal(state(loop), learned)
        kept = [*(f"e{number}" for number in range(10, 15)), "next"]
        assert eventually(
            lambda: [history.event.id for history in loop._storage.event_histories()] == kept
        )
        assert equal(loop._versions.at(15, use_snapshots=False).state(), learned)
        with pytest.raises(InvalidInput, match="from 10 to 15"):
            loop.rollback(3)
        play(loop, 3, start=20)
        assert loop.wait_for(18)


@pytest.mark.parametrize(
    ("wrong", "told"),
    [
        ({"version": "2"}, "'version' must be a whole number, or None for the newest; got '2'"),
        ({"version": 1.5}, "'version' must be a whole number"),
        ({"timeout": -1}, "'timeout' must be a number of seconds, at least 0; got -1"),
        ({"timeout": float("nan")}, "'timeout' must be a number of seconds"),
        ({"timeout": "1"}, "'timeout' must be a number of seconds"),
        ({"timeout": True}, "'timeout' must be a number of seconds"),
        ({"timeout": np.timedelta64(1, "s")}, "'timeout' must be a number of seconds"),
    ],
)
def test_what_cannot_be_waited_for_is_refused(tmp_path, wrong, told):
    with Loop(tmp_path / "loop.db", wait=None) as loop:
        with pytest.raises(InvalidInput, match=told):
            loop.wait_for(**wrong)
        assert loop.wait_for(timeout=float("inf"))


@pytest.mark.parametrize(
    ("verb", "arguments", "told"),
    [
        ("rank", {"exclude": np.array("a")}, "'exclude' must be a list of names of actions"),
        ("rank", {"exclude": b""}, "'exclude' must be a list of names of actions; got b''"),
        ("rank", {"exclude": 5}, "'exclude' must be a list of names of actions; got 5"),
        ("features", {"name": ["a"]}, "'name' must be text of 1 to 256 characters; got"),
        ("features", {"name": np.array([1, 2])}, "'name' must be text of 1 to 256 characters; got"),
        ("features", {"name": 0}, "'name' must be text of 1 to 256 characters; got 0"),
        *(
            (verb, {"path": path}, "'path' must be the name of a file; got ")
            for verb in ("export", "import_model")
            for path in (None, 5, "", ".", "/", "a\0b", "\ud800", ["a"], b"a\0b")
        ),
    ],
)
def test_arguments_of_wrong_kinds_are_refused_by_name(verb, arguments, told, tmp_path):
    given = {"rank": ({}, ["a", "b"]), "features": ({},)}.get(verb, ())
    with Loop(tmp_path / "loop.db", wait=None) as loop:
        with pytest.raises(InvalidInput, match=told):
            getattr(loop, verb)(*given, **arguments)
        assert loop._storage.counts()["events"] == 0


def test_a_folder_is_no_model(tmp_path):
    with (
        Loop(tmp_path / "loop.db", wait=None) as loop,
        pytest.raises(ModelFileError, match="cannot be read"),
    ):
        loop.import_model(tmp_path)


def test_the_longest_window_ends_at_a_date(tmp_path):
    with Loop(tmp_path / "loop.db", wait=timedelta(days=36_525)) as loop:
        event = loop.rank({}, ["a", "b"]).event
        assert "its window is open until 2" in loop.explain(event).why


def test_whether_it_learns_is_true_or_false(tmp_path):
    with pytest.raises(InvalidInput, match="'learn' must be True or False; got 'no'"):
        Loop(tmp_path / "loop.db", learn="no", wait=None)
    assert not (tmp_path / "loop.db").exists()


def dropped(path, warned):
    """Threads and open files, before and after a loop was dropped."""
    loop = Loop(path, wait=None)
    play(loop, 3)
    loop.wait_for()
    assert any(thread.name == "hybandit-loop" for thread in threading.enumerate())
    with warned:
        del loop
        gc.collect()


def test_a_loop_that_is_dropped_ends_with_a_warning(tmp_path):
    path = tmp_path / "loop.db"
    dropped(path, pytest.warns(ResourceWarning, match=r"loop\.db was not closed: call close"))
    assert eventually(
        lambda: all(thread.name != "hybandit-loop" for thread in threading.enumerate())
    )
    if Path("/proc/self/fd").exists():
        assert eventually(lambda: not any(str(path) in str(link) for link in open_files()), 10.0), (
            "files are still open"
        )
    with Loop(path, wait=None) as loop:
        assert loop.wait_for()
        assert eventually(lambda: loop.status().leads)
        assert loop.version == 3


def open_files():
    for link in Path("/proc/self/fd").iterdir():
        with suppress(OSError):
            yield link.readlink()


def test_a_vanished_file_is_told_by_every_call_and_by_the_status_of_others(tmp_path):
    path = tmp_path / "loop.db"
    loop = Loop(path, wait=None)
    play(loop, 3)
    loop.wait_for()
    path.unlink()
    for call in (lambda: loop.rank({}, ["a"]), lambda: loop.reward("e0", 1.0), loop.status):
        with pytest.raises(StoreError, match="deleted or replaced"):
            call()
    assert eventually(lambda: "deleted or replaced" in str(loop._follower.error), 10.0)
    with pytest.raises(StoreError, match="deleted or replaced"):
        loop.close()
    assert not path.exists()


@pytest.mark.filterwarnings("ignore:.*decisions have no reward")
def test_all_that_is_older_than_kept_is_gone_with_its_actions(url, tmp_path):
    ClockedLoop.time = 1e6
    with ClockedLoop(url, keep=1.0, wait=None) as loop:
        for number in range(300):
            loop.rank({}, {f"a{number}": {"x": number}, "b": {"x": number}}, event=f"e{number}")
            if number % 3 == 0:
                loop.reward(f"e{number}", 1.0)
    ClockedLoop.time += 2 * 86_400
    with ClockedLoop(url, wait=None) as loop:
        loop.rank({}, ["b"], event="new")
        assert eventually(lambda: loop._storage.counts()["actions"] == 1)
        kept, status = loop._storage.counts(), loop.status()
        assert (kept["events"], kept["rewards"]) == (1, 0)
        assert (status.events, status.rewards, status.closed) == (301, 100, 100)
        assert status.waiting == 1, "what nothing will close is still waited for"
        table = loop.actions().set_index("action")
        assert table["pending"].to_dict() == {**dict.fromkeys(table.index, 0), "b": 1}
        assert loop.explain("new").action == "b"


def test_settings_that_may_change(url):
    with Loop(url, wait=timedelta(hours=1)) as loop, Loop(url, learn=False) as other:
        position = loop.change(explore=1.0, wait=None, mode="apprentice", staleness=0.5)
        assert position == 1
        assert loop.settings["explore"] == 1.0
        assert other.wait_for(position)
        for each in (loop, other):
            assert (each.settings["wait"], each.settings["mode"]) == (None, "apprentice")
        loop.rank({}, ["a", "b"], event="e")
        other.reward("e", 1.0)
        assert loop.explain("e").closed is not None, "the first reward closes it now"
    with pytest.raises(InvalidInput, match=r"'explore' must be 1.0, as the loop .* has it; got 0"):
        Loop(url, explore=0.05, wait=None)
    with Loop(url, explore=1.0, wait=None) as loop:
        assert loop.settings["mode"] == "apprentice"
        assert loop.wait_for(2)
        assert equal(loop._versions.at(2).state(), state(loop))


def test_events_keep_the_window_that_they_were_ranked_with(url):
    ClockedLoop.time = 1e6
    with ClockedLoop(url, wait=timedelta(seconds=60)) as loop:
        loop.rank({}, ["a"], event="in a window")
        loop.change(wait=None)
        loop.rank({}, ["a"], event="at once")
        loop.reward("in a window", 1.0)
        assert loop.explain("in a window").closed is None
        loop.change(wait=timedelta(seconds=30), default_reward=0.5)
        loop.reward("at once", 1.0)
        assert loop.explain("at once").closed is not None
        loop.rank({}, ["a"], event="without a reward")
        ClockedLoop.time += 61
        assert eventually(lambda: loop.explain("in a window").closed is not None)
        assert eventually(lambda: loop.explain("without a reward").reward == 0.5)


def test_a_thread_that_has_read_the_old_settings_does_not_put_them_back(tmp_path, monkeypatch):
    with Loop(tmp_path / "loop.db", wait=60) as loop:
        read, changed, settings = threading.Event(), threading.Event(), loop._storage.settings

        def slow(*given):
            found = settings(*given)
            if threading.current_thread() is reader:
                read.set()
                changed.wait(0.5)
            return found

        reader = threading.Thread(target=loop._terms)
        monkeypatch.setattr(loop._storage, "settings", slow)
        reader.start()
        assert read.wait(30.0)
        loop.change(wait=None)
        changed.set()
        reader.join()
        assert loop.settings["wait"] is None


@pytest.mark.parametrize(
    ("settings", "told"),
    [
        ({"explore": 5}, "'explore' must be a number from 0 to 1; got 5"),
        ({"context_width": 8}, "'context_width' must be 64 for ever, as all that was learned"),
        ({"memory": "window(5)"}, r"'memory' must be 'window\(500\)' for ever"),
        ({"policy": "linucb"}, r"'policy' must be left to switch\(policy\)"),
        (
            {"colour": 1},
            "'settings' must be some of explore, newcomers, .*; got .'colour'.",
        ),
        ({}, "'settings' must be some of explore, newcomers, control, wait"),
        ({"default_reward": 2.0, "wait": timedelta(1)}, "'default_reward' must be a number from 0"),
    ],
)
def test_settings_that_may_not_change(tmp_path, settings, told):
    with Loop(tmp_path / "loop.db", policy="beta-thompson", wait=None) as loop:
        with pytest.raises(InvalidInput, match=told):
            loop.change(**settings)
        assert loop.version == 0


def test_a_reset_forgets_what_was_learned_and_keeps_the_journal(url):
    with Loop(url, wait=None) as loop:
        fresh = state(loop)
        play(loop, 5)
        assert loop.wait_for(5)
        learned = state(loop)
        assert loop.reset() == 6
        assert loop.wait_for(6)
        assert equal(state(loop), fresh)
        assert loop.status().learned == 5
        assert "then undone by a later version" in loop.explain("e1").why
        play(loop, 2, start=5)
        assert loop.wait_for(8)
        assert all(apart == 0.0 for _, apart in loop.verify())
        after = loop.switch("item-lin-ucb")
        assert loop._versions._whole(after)[0][0] == 6, "a switch learned what had been forgotten"
        loop.rollback(5)
        assert loop.wait_for(10)
        assert equal(state(loop), learned)


def test_several_rewards_under_names_are_refused_with_the_remedy(tmp_path):
    with Loop(tmp_path / "loop.db", wait=None) as loop:
        loop.rank({}, ["a"], event="e")
        with pytest.raises(
            InvalidInput, match="'value' must be one number, such as a weighted sum"
        ):
            loop.reward("e", {"click": 1, "buy": 5})


def test_what_closes_while_it_is_paused_is_never_learned(url):
    with Loop(url, wait=None) as loop:
        loop.reward(loop.rank({}, ["a", "b"]).event, 1.0)
        assert [loop.pause(), loop.settings["paused"]] == [2, True]
        d = loop.rank({}, ["a", "b"])
        loop.reward(d.event, 0.0)
        assert [loop.resume(), loop.settings["paused"]] == [4, False]
        loop.reward(loop.rank({}, ["a", "b"]).event, 1.0)
        assert loop.wait_for(5)
        status = loop.status()
        assert (status.closed, status.learned) == (3, 2)
        assert loop.explain(d.event).why.endswith("learning was paused")
        assert loop.model(3) != loop.model(5)


def test_a_model_as_bytes_is_what_export_writes(tmp_path):
    with Loop(tmp_path / "loop.db", wait=None) as loop:
        play(loop, 3)
        loop.export(tmp_path / "model.npz", 2)
        assert loop.model(2) == (tmp_path / "model.npz").read_bytes()
