"""The harness of the anchors, without Vowpal Wabbit."""

import ast

import numpy as np

from benchmarks.anchors.__main__ import (
    OURS,
    PLAYERS,
    SCRIPT,
    VOWPAL_WABBIT,
    environment,
    played,
    save,
    version,
    written,
)


def test_a_stream_has_the_rows_and_classes_of_the_environment(tmp_path):
    world = environment("digits", seed=3, rounds=50)
    save(world, tmp_path / "stream.npz")
    with np.load(tmp_path / "stream.npz") as stream:
        for turn, row, label in zip(world, stream["contexts"], stream["labels"], strict=True):
            assert np.array_equal(turn.context, row)
            assert turn.reward(int(label)) == 1.0
        assert int(stream["n_classes"]) == 10


def test_the_script_knows_the_settings_that_are_asked_of_it():
    tree = ast.parse(SCRIPT.read_text())
    (value,) = [
        ast.literal_eval(each.value) for each in tree.body
        if isinstance(each, ast.Assign) and each.targets[0].id == "SETTINGS"
    ]  # fmt: skip
    assert set(value) == set(VOWPAL_WABBIT.values())


def test_shares_of_all_players_make_a_row():
    run = {"data": "digits", "seed": 0, "player": OURS, "rounds": 60}
    ours = played(run, python=None)
    assert ours["rows"] == 60
    assert 0.0 < ours["share"] < 1.0
    runs = [{"data": "digits", "player": player, "share": 0.1 * number, "rows": 60,
             "version": version(player)} for number, player in enumerate(PLAYERS, 1)]  # fmt: skip
    assert "| digits | 60 | 1 | 0.100 | 0.200 | 0.300 |" in written(runs)
    assert "digits" not in written(runs[1:])
