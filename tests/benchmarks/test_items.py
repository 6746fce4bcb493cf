"""The harness of the comparison among items, without Vowpal Wabbit."""

import ast

import numpy as np
import pytest

from benchmarks.items import players, streams
from benchmarks.items.table import interval, printed
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
    means, seconds = players.play(name, world, seed=0)
    assert seconds > 0.0
    assert means.shape == (60,)
    for turn, mean in zip(world, means, strict=True):
        assert np.isclose(turn.means, mean).any()


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


def test_the_table_pairs_runs_by_their_seed():
    def run(player, seed, mean):
        return {"world": "w", "player": player, "seed": seed, "mean": mean, "late": mean,
                "seconds": 1.0}  # fmt: skip

    runs = [run("ItemHybrid", 1, 0.5), run("ItemHybrid", 2, 0.7), run("other", 2, 0.5)]
    lines = printed([*runs, run("other", 1, 0.4)]).splitlines()
    assert "+0.1500" in lines[-1]
    assert interval([0.1, 0.2]) == pytest.approx(12.706 * 0.05, rel=1e-3)
