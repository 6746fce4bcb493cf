"""The harness of the live worlds, without Vowpal Wabbit."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import hybandit
from benchmarks.live import alone, players, report, worlds
from benchmarks.live.__main__ import measured, recovery

VISITORS = 90


@pytest.fixture(params=worlds.WORLDS)
def world(request):
    return worlds.make(request.param, VISITORS, seed=1)


def test_a_world_is_the_same_again_and_offers_what_exists(world, request):
    again = worlds.make(request.node.callspec.params["world"], VISITORS, seed=1)
    assert np.array_equal(world.offers, again.offers)
    assert np.array_equal(world.chances, again.chances)
    there = world.offers != worlds.NOBODY
    assert ((world.chances[there] >= 0.0) & (world.chances[there] <= 1.0)).all()
    for offer in world.offers:
        ids = offer[offer != worlds.NOBODY]
        assert len(set(ids.tolist())) == len(ids)
        # Who is not there comes last, as Vowpal Wabbit's script expects.
        assert (offer[: len(ids)] == ids).all()
    for newcomer in world.newcomers:
        found = np.flatnonzero((world.offers == newcomer).any(axis=1))
        assert found[0] == world.arrival == VISITORS // 3


def test_tastes_of_a_shop_change_at_two_thirds_and_only_then():
    world = worlds.make("shopA", 6000, seed=0)
    old, new, changed = (
        np.array([world.chances[part][world.offers[part] == each].mean() for each in range(10)])
        for part in (slice(0, 2000), slice(2000, 4000), slice(4000, 6000))
    )
    assert world.turn == 4000
    assert np.abs(old - new).max() < 0.03
    assert np.abs(changed - new).max() > 0.06


def test_the_best_fixed_action_is_the_best_of_all():
    world = worlds.make("plain", 600, seed=0)
    fixed = replace(world, offers=world.offers[:, :10], chances=world.chances[:, :10])
    assert fixed.best_fixed == pytest.approx(fixed.chances.mean(axis=0).max())


class Greedy:
    """Remembers when it learned what."""

    def __init__(self):
        self.asked, self.learned = 0, []

    def chances(self, context, items, ids):
        self.asked += 1
        return np.eye(len(ids))[0]

    def learn(self, context, item, name, reward):
        self.learned.append(self.asked)


@pytest.mark.parametrize("delay", [0, 7])
def test_a_reward_is_learned_after_the_delay(delay):
    world, player = worlds.make("shopA", 30, seed=0), Greedy()
    alone.play(player, world, delay, range(30))
    assert player.learned == list(range(1 + delay, 30))


@pytest.mark.parametrize("name", [players.LOOP, "LinUCB 0.3", "ItemLinUCB 1.0"])
@pytest.mark.parametrize("kind", ["shopA", "plain"])
def test_every_player_plays(name, kind):
    world = worlds.make(kind, VISITORS, seed=0)
    chosen = alone.play(players.made(name, world), world, 10, range(VISITORS))
    found = measured(world, chosen)
    assert 0.0 < found["mean"] < 1.0
    assert len(found["newcomers"]) == len(world.newcomers)


def test_the_loop_of_a_clone_plays_in_a_process_of_its_own():
    world, clone = worlds.make("shopA", VISITORS, seed=0), Path(hybandit.__file__).parents[2]
    chosen = alone.play(alone.LoopPlayer(world), world, 10, range(VISITORS))
    assert (players.play_before(world, 10, clone) == chosen).all()


def test_recovery_is_when_the_level_of_before_is_back():
    possible = np.ones(4000)
    earned = np.where(np.arange(4000) < 2000, 0.8, 0.4)
    assert recovery(earned, possible, 2000) is None
    earned[2600:] = 0.8
    assert 1050 <= recovery(earned, possible, 2000) <= 1100


def test_vowpal_wabbits_script_knows_what_is_asked_of_it():
    script = players.SCRIPT.read_text()
    assert '"epsilon 0.05, ids"' in script
    assert f"NOBODY = {worlds.NOBODY}\n" in script
    assert alone.NOBODY == worlds.NOBODY


def test_the_tables_pair_runs_by_their_seed():
    runs = [
        {"seed": seed, "world": "plain", "delay": 0, "visitors": 9, "player": player, "mean": mean,
         "newcomers": [0.1, 0.2]}
        for seed, ours, theirs in ((1, 0.5, 0.4), (2, 0.7, 0.56), (3, 0.9, 0.72))
        for player, mean in ((players.LOOP, ours), ("before", theirs))
    ]  # fmt: skip
    told = report.written(runs)
    assert "+25.0 ± 0.0 %" in told
    assert "0.10, 0.20" in told
