import numpy as np
import pandas as pd
import pytest
from evaluation.test_item_stream import written

import hybandit
from hybandit import EvaluationWarning, InvalidInput


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
        assert loop.status().closed == 300
        decided = [loop.rank({"User": {"age": 30}}, drinks).action for _ in range(20)]
        assert decided.count("tea") >= 18
        with pytest.warns(EvaluationWarning):
            loop.learn_from(path)
        assert loop.status().closed == 300
        log = loop.log()
        assert log.names[0][0] == "tea"
        with pytest.raises(InvalidInput, match="'arm' must be left out: it is for tables"):
            loop.learn_from(path, arm="shown")


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
        decided = [loop.rank({"age": 30}, ["tea", "beer"]).action for _ in range(20)]
        assert decided.count("beer") >= 18
