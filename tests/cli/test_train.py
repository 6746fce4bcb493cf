"""`hybandit train` and `hybandit decide`, in this process."""

import csv
import io
import json
import sys

import numpy as np
import pandas as pd
import pytest
from messy import written

import hybandit
from hybandit.policies.base import registry

COUNT = 600


def log(count=COUNT):
    """The old like tea, the young beer."""
    generator = np.random.default_rng(0)
    age, drink = generator.integers(18, 90, count), generator.choice(["tea", "beer"], count)
    likes = (age > 50) == (drink == "tea")
    town = generator.choice(["Ulm", "Bonn"], count)
    return pd.DataFrame({"age": age, "town": town, "drink": drink, "liked": likes.astype(int)})


@pytest.fixture
def trained(command, tmp_path):
    def call(frame, *options):
        path = written(tmp_path, frame)
        columns = ("--arm", "drink", "--reward", "liked", "-o", "model.npz")
        return command("train", path, *columns, "--policy", "lin-ucb:alpha=0.1", *options)

    return call


@pytest.fixture
def decided(command, monkeypatch):
    def call(text):
        monkeypatch.setattr("sys.stdin", io.StringIO(text))
        return command("decide", "model.npz")

    return call


def test_json_lines_are_answered_in_json(trained, decided):
    assert "liked" in trained(log()).out
    done = decided('{"age": 20, "town": "Ulm"}\n\n{"age": "80", "town": null, "more": 1}\n')
    assert done.code == 0, done.err
    answers = [json.loads(line) for line in done.out.splitlines()]
    assert [answer["arm"] for answer in answers] == ["beer", "tea"]
    for answer in answers:
        assert answer["probability"] == answer["probabilities"][answer["arm"]] == 1.0
        assert list(answer["probabilities"]) == ["beer", "tea"]


def test_csv_is_answered_in_csv(trained, decided):
    trained(log())
    done = decided("town;age\nUlm;20\nParis;80\n")
    assert done.code == 0, done.err
    assert [row["arm"] for row in csv.DictReader(io.StringIO(done.out))] == ["beer", "tea"]
    assert done.out.splitlines()[0] == "arm,probability,p(beer),p(tea)"


def test_warnings_are_told_and_rows_set_aside_are_listed(trained, tmp_path):
    frame = log().assign(income=np.linspace(20_000, 90_000, COUNT) + 0.5)
    frame["liked"] = frame["liked"].astype(object)
    frame.loc[3, "liked"] = "much"
    done = trained(frame, "--scaling", "raw")
    assert (done.code, done.err.strip()) == (0, "")
    assert "Watch out: " in done.out
    assert "lin-ucb will hardly see the smaller" in " ".join(done.out.split())
    listed = pd.read_csv(tmp_path / "model-set-aside.csv")
    assert listed["reason"].tolist() == ["liked: 'much' is not a number"]


def test_rows_that_cannot_be_used_are_named(trained, decided, command, tmp_path):
    trained(log())
    assert "line 2 of standard input" in decided('{"age": 20, "town": "Ulm"}\n{"age": 3}\n').err
    assert "'column age' must be a finite number" in decided('{"age": "x", "town": 1}').err
    assert "there are no rows" in decided("\n").err
    done = decided("age,town\n30,Ulm\nold,Bonn\n")
    assert "'column age' must be a finite number; got 'old' in row 2" in done.err
    assert done.out == ""
    hybandit.LinUCB(2, 2).save(tmp_path / "model.npz")
    assert "files of 'hybandit train' do" in decided("{}").err


OWN = """
from hybandit import LinUCB

class Named(LinUCB):
    name = "named-on-the-command-line"
"""


def test_a_file_of_an_own_policy_is_decided_on_where_the_policy_is_named(
    command, tmp_path, monkeypatch
):
    (tmp_path / "own_of_train.py").write_text(OWN)
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)
    path, own = written(tmp_path, log()), "own_of_train:Named"
    columns = ("--arm", "drink", "--reward", "liked", "-o", "own.npz")
    command("train", path, *columns, "--policy", f"{own}:alpha=0.1")
    registry._policies.pop("named-on-the-command-line")
    del sys.modules["own_of_train"]
    rows = json.dumps({"age": 80, "town": "Ulm"})

    def decided(*options):
        monkeypatch.setattr("sys.stdin", io.StringIO(rows))
        return command("decide", "own.npz", *options)

    for options in ((), ("--policy", "lin-ucb")):
        refused = decided(*options)
        assert refused.code
        assert "policy is Named of the module 'own_of_train': import that first" in refused.err
    assert json.loads(decided("--policy", f"{own}:alpha=0.1").out)["arm"] == "tea"
