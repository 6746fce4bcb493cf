"""The baseline: named, shown often enough, and compared with, in one process and in two."""

import multiprocessing
from datetime import UTC, datetime, timedelta

import numpy as np
import pytest
from clocked_loop import ClockedLoop
from databases import SLOW_ON_POSTGRESQL

from hybandit import Loop
from hybandit.errors import InvalidInput

RATES = {"old": 0.1, "new": 0.8}


def played(loop, count, seed=0):
    draw = np.random.default_rng(seed)
    for _ in range(count):
        decision = loop.rank({}, list(RATES))
        loop.reward(decision.event, float(draw.random() < RATES[decision.action]))


def test_the_baseline_has_its_share_and_what_is_stored_is_true(url):
    with Loop(url, wait=None, control=0.25) as loop:
        played(loop, 80)
        loop.wait_for()
        for baseline in ("old", "new"):
            decision = loop.rank({}, list(RATES), baseline=baseline)
            assert dict(decision.ranking)[baseline] >= 0.25
            assert sum(dict(decision.ranking).values()) == pytest.approx(1.0, abs=1e-12)
        table = loop.events()
        assert table["baseline"].tolist() == ["old"] * 81 + ["new"]
        chances = np.array(table["probabilities"].tolist())
        assert chances[:-1, 0].min() == 0.25
        assert loop.change(control=0.5) == 81
        decision = loop.rank({}, list(RATES))
        assert dict(decision.ranking)["old"] >= 0.5
        assert loop.verdict().events == 0, "it begins anew with another control"
        for baseline in ("third", None):
            with pytest.raises(InvalidInput, match="event"):
                loop.rank({}, ["old", "new", "third"], event=decision.event, baseline=baseline)


def test_the_same_call_with_another_baseline_is_another_call(url):
    with Loop(url, wait=None) as loop:
        first = loop.rank({}, list(RATES), event="e", baseline="new")
        assert loop.rank({}, list(RATES), event="e", baseline="new") == first
        with pytest.raises(InvalidInput, match="an id of its own"):
            loop.rank({}, list(RATES), event="e")


@pytest.mark.parametrize("mode", ["apprentice", "log-only"])
def test_the_named_baseline_is_served_where_the_loop_does_not_choose(tmp_path, mode):
    with Loop(tmp_path / "loop.db", wait=None, mode=mode) as loop:
        decision = loop.rank({}, list(RATES), baseline="new")
        assert (decision.action, decision.probability) == ("new", 1.0)


def test_rewards_out_of_range_are_refused(tmp_path):
    with Loop(tmp_path / "loop.db", wait=None, reward_range=(0, 5)) as loop:
        event = loop.rank({}, list(RATES)).event
        with pytest.raises(InvalidInput, match="'value' must be within reward_range, from 0 to 5"):
            loop.reward(event, 5.5)
        loop.reward(event, 5)
    with Loop(tmp_path / "loop.db", reward_range=[0, 5]) as loop:
        assert loop.settings["reward_range"] == [0.0, 5.0]


def test_a_verdict_since_a_time(tmp_path):
    ClockedLoop.time = 1e6
    with ClockedLoop(tmp_path / "loop.db", wait=None, control=0.3) as loop:
        played(loop, 60)
        ClockedLoop.time += 3600.0
        later = datetime.fromtimestamp(ClockedLoop.time - 60.0, UTC)
        played(loop, 40, seed=1)
        assert loop.verdict().events == 99
        assert loop.verdict(since=later).events == 39
        assert loop.verdict(since=later + timedelta(days=1)).events == 0
        for since in (datetime(2026, 1, 1), "yesterday", 5):
            with pytest.raises(InvalidInput, match="'since' must be a datetime with its time zone"):
                loop.verdict(since=since)


def _player(url, seed, learn):
    with Loop(url, learn=learn) as loop:
        played(loop, 150, seed)


@SLOW_ON_POSTGRESQL
def test_two_processes_and_a_restart_come_to_one_verdict(url):
    with Loop(url, wait=None, control=0.3):
        pass
    spawn = multiprocessing.get_context("spawn")
    players = [spawn.Process(target=_player, args=(url, seed, not seed)) for seed in range(2)]
    for player in players:
        player.start()
    for player in players:
        player.join()
    with Loop(url) as loop, Loop(url, learn=False) as other:
        found = loop.verdict()
        assert other.verdict() == found
        stored = loop._storage.tally()
        assert stored is not None, "nobody stored the counts"
        status, table = loop.status(), loop.actions().set_index("action")
    assert (found.answer, found.events) == ("better", 299)
    assert (status.events, status.learned) == (300, 300)
    assert table["shown"].sum() == table["learned"].sum() == 300
    assert table.index[0] == "new"
    new = table.loc["new"]
    assert new["low"] < new["reward"] < new["high"]
    # Five standard errors: which process learned what first is left to chance.
    assert new["reward"] == pytest.approx(RATES["new"], abs=0.13)
    assert not table["new"].any()
    with Loop(url) as loop:
        loop._storage.keep_tally("")
    with Loop(url, learn=False) as loop:
        assert loop.verdict() == found, "counted from the start it is another"


def test_an_action_that_comes_later_is_new(tmp_path):
    ClockedLoop.time = 1e6
    with ClockedLoop(tmp_path / "loop.db", wait="1 min") as loop:
        assert loop.actions().empty
        loop.rank({}, ["a", "b"])
        ClockedLoop.time += 2 * 3600.0
        for _ in range(20):
            loop.rank({}, ["c"])
        table = loop.actions().set_index("action")
        assert table["new"].to_dict() == {"c": True, table.index[1]: False}
        assert table.loc["c", "pending"] == 20
        assert table.loc["c", "share"] == pytest.approx(20 / 21)
        assert str(table.loc["c", "first"]) == "1970-01-12 15:46:40+00:00"
