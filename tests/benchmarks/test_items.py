"""The harness of the comparison among items, without Vowpal Wabbit."""

import ast

import numpy as np
import pytest

from benchmarks.items import players, streams
from benchmarks.items.__main__ import is_current, key, versions
from benchmarks.items.report import interval, written
from hybandit.environments import ItemWorld


@pytest.fixture
def world():
    return ItemWorld("clicks", n_context=2, n_item=2, n_items=20, rounds=60, seed=3)


def test_a_stream_has_every_round(world, tmp_path):
    streams.save(world, tmp_path / "stream.npz")
    with np.load(tmp_path / "stream.npz") as stream:
        for number, turn in enumerate(world):
            assert np.array_equal(stream["contexts"][number], turn.context)
            assert np.array_equal(stream["items"][number], turn.items)
            assert stream["ids"][number].tolist() == turn.ids
            assert np.array_equal(stream["rewards"][number], turn.rewards)
            assert stream["delays"][number] == turn.delay


@pytest.mark.parametrize("name", players.OURS)
def test_every_player_earns_means_of_its_world(name, world):
    found = players.play(name, world)
    assert found["seconds"] > 0.0
    least, most = (np.mean([end(turn.means) for turn in world]) for end in (np.min, np.max))
    assert least < found["mean"] < most


def test_the_script_knows_the_settings_that_are_asked_of_it():
    tree = ast.parse(players.SCRIPT.read_text())
    wanted = ("EXPLORE", "CROSSES")
    found = {
        node.targets[0].id: ast.literal_eval(node.value)
        for node in tree.body
        if isinstance(node, ast.Assign) and node.targets[0].id in wanted
    }
    settings = [f"{each}, {cross}" for cross in found["CROSSES"] for each in found["EXPLORE"]]
    assert settings == players.VOWPAL_WABBIT


def run(world, player, seed, mean, **more):
    return {"world": world, "player": player, "seed": seed, "rounds": 60,
            "versions": versions(world, player), "mean": mean, "late": mean, "seconds": 1.0,
            **more}  # fmt: skip


def test_the_tables_pair_runs_by_their_seed():
    runs = [
        run("clicks", "ItemHybrid", seed, mean, new=mean) for seed, mean in ((1, 0.5), (2, 0.7))
    ]
    others = [
        run("clicks", "ItemLNUCBTA", seed, mean, new=0.1) for seed, mean in ((2, 0.5), (1, 0.4))
    ]
    text = written([*runs, *others])
    row = "| clicks | ItemLNUCBTA |"
    assert f"{row} 0.4500 | 0.4500 | +0.1500 ± 0.6353, 2 pairs | 2 | 1.0 |" in text
    assert f"{row} 0.1000 | +0.5000 ± 1.2706, 2 pairs | 2 |" in text
    assert interval([0.1, 0.2]) == pytest.approx(12.706 * 0.05, rel=1e-3)


def test_runs_of_another_version_are_played_again_and_not_told():
    now = run("clicks", "ItemHybrid", 1, 0.5)
    before = now | {"versions": {"items": 1, "item-hybrid": 0}}
    assert is_current(now)
    assert not is_current(before)
    assert key(now) != key(before)
