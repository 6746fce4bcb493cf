"""A policy for items of one's own goes where ours go, into a loop at last."""

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from databases import SLOW_ON_POSTGRESQL
from logistic_items import LogisticItems
from typer.testing import CliRunner

import hybandit
from hybandit import Loop
from hybandit.cli import app
from hybandit.errors import InvalidInput, UnknownName
from hybandit.loop.learning.items import shares
from hybandit.testing import ITEM_CHECKS

OWN = "logistic_items:LogisticItems"
ARTICLES = {name: {"topic": name} for name in ("sport", "politics", "weather")}


def play(loop, rounds, start=0):
    for number in range(start, start + rounds):
        town = f"t{number % 3}"
        decision = loop.rank({"town": town}, ARTICLES, event=f"e{number}")
        loop.reward(decision.event, float(decision.action == list(ARTICLES)[number % 3]))
        # What is drawn next depends on the version: the same in every run.
        loop.wait_for()


@pytest.mark.parametrize("check", ITEM_CHECKS, ids=lambda check: check.__name__)
def test_it_conforms(check):
    check(LogisticItems, explore=0.2)


def test_it_is_compared_with_others_on_items():
    world = "hybandit.environments:ItemWorld:kind=clicks,rounds=1500"
    compared = hybandit.compare(environment=world, policies=[f"{OWN}:explore=1", OWN], runs=2)
    assert compared.table["policy"].tolist() == [OWN, f"{OWN}:explore=1"]


@SLOW_ON_POSTGRESQL
def test_it_decides_in_a_loop_and_is_evaluated_on_it(url):
    with Loop(url, policy=f"{OWN}:step=0.5", explore=0.3, wait=None) as loop:
        play(loop, 150)
        assert loop.wait_for()
        for number, name in enumerate(ARTICLES):
            chances = dict(loop.rank({"town": f"t{number}"}, ARTICLES).ranking)
            assert max(chances, key=chances.get) == name
        with pytest.raises(InvalidInput, match="'value' must be a number from 0 to 1; got 2"):
            loop.reward("e0", 2.0)
        assert all(difference == 0.0 for _, difference in loop.verify())
    found = CliRunner().invoke(app, ["evaluate", url, "--policies", f"{OWN},item-hybrid"])
    assert found.exit_code == 0, found.exception


@SLOW_ON_POSTGRESQL
def test_another_process_finds_it_by_the_stored_text(url):
    with Loop(url, policy=OWN, wait=None) as loop:
        play(loop, 20)
        loop.wait_for()
        expected = loop.rank({"town": "t1"}, ARTICLES, event="same").ranking
        version = loop.version
    code = (
        "import sys; from hybandit import Loop\n"
        "with Loop(sys.argv[1], learn=False) as loop:\n"
        "    print(loop.policy, loop.rank({'town': 't1'}, eval(sys.argv[2])).ranking)"
    )
    path = os.pathsep.join([str(Path(__file__).parents[1]), os.environ.get("PYTHONPATH", "")])
    told = subprocess.run(
        [sys.executable, "-c", code, url, repr(ARTICLES)],
        env={**os.environ, "PYTHONPATH": path}, text=True, capture_output=True, check=True,
    ).stdout  # fmt: skip
    assert told.startswith(OWN)
    assert sorted(eval(told.removeprefix(OWN))) == sorted(expected)
    assert version == 20


def test_a_bare_name_of_an_own_class_is_stored_with_its_module(tmp_path):
    with Loop(tmp_path / "loop.db", policy="logistic-items:step=0.5", wait=None) as loop:
        assert loop.settings["policy"] == f"{OWN}:step=0.5"
        loop.switch("item-lin-ucb")
        loop.switch("logistic-items")
        assert loop.wait_for()
        assert loop.policy == OWN


def test_a_class_that_no_other_process_can_import_is_refused(tmp_path):
    class Local(LogisticItems):
        name = "local-items"

    with pytest.raises(InvalidInput, match=r"'policy' must be a class of a module, which"):
        Loop(tmp_path / "loop.db", policy=Local.name, wait=None)


def test_a_new_action_is_bounded_until_its_first_reward():
    class Curious(LogisticItems):
        def _values(self, context, items, ids):
            return np.array([float(name == "new") for name in ids or ["old"]])

    policy = Curious(1, 1, seed=0)
    for name in ("old", "older"):
        policy.learn([0.0], [0.0], 1.0, id=name)
    offer = policy, np.zeros(1), np.zeros((3, 1)), ["old", "older", "new"]
    assert shares(*offer, newcomers=0.1)[2] == pytest.approx(0.1)
    policy.learn([0.0], [0.0], 1.0, id="new")
    assert shares(*offer, newcomers=0.1)[2] == 1.0


def test_a_policy_that_is_not_there_is_told(tmp_path, monkeypatch):
    with Loop(tmp_path / "loop.db", policy=OWN, wait=None):
        pass
    monkeypatch.setitem(sys.modules, "logistic_items", None)
    with pytest.raises(UnknownName, match="module of 'logistic_items:LogisticItems' cannot be"):
        Loop(tmp_path / "loop.db", wait=None)


def test_the_policy_is_stored_and_a_conflict_told_with_both_values(url):
    with Loop(url, policy=f"{OWN}:step=0.50", wait=None) as loop:
        assert loop.settings["policy"] == f"{OWN}:step=0.5"
    with Loop(url, policy=f"{OWN}:step=0.5", wait=None):
        pass
    with pytest.raises(InvalidInput, match=r"'policy' must be '.*step=0.5', .*; got '.*step=0.2'"):
        Loop(url, policy=f"{OWN}:step=0.2", wait=None)
