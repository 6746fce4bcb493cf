from datetime import UTC, datetime

import numpy as np
import pandas as pd
import pytest
import sqlalchemy as sql
from evaluation.test_item_stream import written

import hybandit
from hybandit import EvaluationWarning, InvalidInput
from hybandit.loop.storage.contract import ELSEWHERE
from hybandit.loop.storage.database import Database


def test_a_loop_learns_an_old_log_once(tmp_path):
    path = tmp_path / "old.dsjson"
    written(path, 300)
    with path.open("a") as file:
        file.write("oops\n")
    drinks = {"beer": {"Drink": {"hot": False}}, "tea": {"Drink": {"hot": True}}}
    with hybandit.Loop(tmp_path / "new.db", wait=None, explore=0.02) as loop:
        with pytest.warns(EvaluationWarning, match=r"1 rows of the log were set aside: no JSON"):
            assert loop.learn_from(path) == 300
        loop.wait_for(300)
        assert loop.status().imported == 300
        assert dict(loop.rank({"User": {"age": 30}}, drinks).ranking)["tea"] > 0.9
        with pytest.warns(EvaluationWarning):
            loop.learn_from(path)
        assert loop.status().imported == 300
        log = loop.log()
        assert log.names[0][0] == "tea"
        with pytest.raises(InvalidInput, match="'arm' must be left out: it is for tables"):
            loop.learn_from(path, arm="shown")


def test_many_events_of_an_old_log_share_a_transaction(tmp_path):
    path = tmp_path / "old.dsjson"
    written(path, 1000)
    storage = Database(tmp_path / "new.db")
    commits, written_so_far = [], []
    with hybandit.Loop(storage, wait=None, learn=False) as loop:
        sql.event.listen(storage._backend._writers, "commit", commits.append)
        assert loop.learn_from(path, tick=written_so_far.append) == 1000
        assert 4 <= len(commits) <= 10
        assert len(written_so_far) == 4
        assert sum(written_so_far) == 1000


def test_what_is_learned_of_an_old_log_survives_a_kill_and_goes_on(tmp_path, monkeypatch):
    path = tmp_path / "old.dsjson"
    written(path, 1000)
    put, calls = Database.add_rewarded, []

    def killed(*arguments):
        calls.append(None)
        if len(calls) == 3:
            raise KeyboardInterrupt
        put(*arguments)

    with hybandit.Loop(tmp_path / "new.db", wait=None) as loop:
        monkeypatch.setattr(Database, "add_rewarded", killed)
        with pytest.raises(KeyboardInterrupt):
            loop.learn_from(path)
        assert 0 < loop.status().version < 1000
        assert loop.learn_from(path) == 1000
        assert loop.status().version == 1000
        assert [event.split(":")[1] for event in loop.events()["event"]] == list(
            map(str, range(1000))
        )


def test_a_loop_learns_a_table(tmp_path):
    generator = np.random.default_rng(0)
    shown = generator.choice(["tea", "beer"], 400)
    table = pd.DataFrame(
        {
            "age": generator.integers(20, 60, 400),
            "seen": pd.Timestamp("2024-01-01") + pd.to_timedelta(np.arange(400), "h"),
            "shown": shown,
            "paid": (shown == "beer").astype(float),
            "p": np.full(400, 0.5),
        }
    )
    with hybandit.Loop(tmp_path / "new.db", wait=None, explore=0.02) as loop:
        assert loop.learn_from(table, arm="shown", reward="paid", propensity="p") == 400
        loop.wait_for(400)
        events = loop.events()
        assert events["probabilities"][0] == [0.5, 0.5]
        assert set(events["context"][0]) == {"age", "seen"}
        assert dict(loop.rank({"age": 30}, ["tea", "beer"]).ranking)["beer"] > 0.9


def test_what_an_old_system_decided_counts_neither_for_nor_against_the_loop(url):
    """The old log would make any loop look better: its first action never paid."""
    shown = ["tea", "beer"] * 40
    paid = [float(name == "beer") for name in shown]
    table = pd.DataFrame({"shown": shown, "paid": paid, "p": 0.5})
    began = datetime.now(UTC)
    with hybandit.Loop(url, wait=None) as loop:
        loop.learn_from(table, arm="shown", reward="paid", propensity="p")
        loop.wait_for()
        status = loop.status()
        assert (status.imported, status.events, status.closed, status.rewards) == (80, 0, 0, 0)
        assert (status.reward.mean, status.gain.mean, len(loop.actions())) == (None, None, 0)
        for _ in range(3):
            loop.reward(loop.rank({}, ["tea", "beer"]).event, 1.0)
        status = loop.status()
        assert (status.imported, status.events, status.closed, status.rewards) == (80, 3, 3, 3)
        assert (status.reward.mean, loop.actions()["shown"].sum()) == (1.0, 3)
        assert loop.verdict().events == loop.verdict(since=began).events < 3
        assert loop.events()["version"].tolist()[79:81] == [ELSEWHERE, 80]
        assert len(loop.log()) == 83
    with hybandit.Loop(url) as loop:
        assert loop.status().imported == 80
