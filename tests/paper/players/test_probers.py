import numpy as np
import pytest

from hybandit.experiments.players import find_player
from hybandit.experiments.specs import PolicySpec
from hybandit.paper.players.probers import PROBERS, largest_of, make_prober
from hybandit.paper.players.references import ReferenceHybrid

NAMES = ["lnucb-ta", "lin-ucb", "knn-epsilon-greedy", "attention-knn-epsilon-greedy",
         "probing-knn-ucb", "highest-degree"]  # fmt: skip


@pytest.mark.parametrize("name", NAMES)
def test_a_prober_finds_the_rich_corner(name):
    generator = np.random.default_rng(0)
    prober = make_prober(PolicySpec(name), 0)
    late = []
    for number in range(150):
        candidates = generator.random((30, 4))
        place = prober.choose(candidates)
        prober.learn(candidates[place], float(candidates[place, 0]))
        if number >= 75:
            late.append(candidates[place, 0])
    assert np.mean(late) > 0.6


def test_knn_ucb_adds_twice_the_mean_distance():
    prober = make_prober(PolicySpec("probing-knn-ucb"), 0)
    for x, reward in ((0.0, 0.0), (1.0, 1.0)):
        prober.learn(np.array([x, 0, 0, 0]), reward)
    (score,) = prober.scores(np.array([[0.25, 0, 0, 0]]))
    assert score == pytest.approx((0.0 / 0.25 + 1.0 / 0.75) / (1 / 0.25 + 1 / 0.75) + 2 * 0.5)


@pytest.mark.parametrize("player", [*PROBERS, ReferenceHybrid], ids=lambda player: player.name)
def test_whatever_plays_is_found_by_its_name_with_its_defaults(player):
    found = find_player(player.name)
    assert found.resolved({}) == found.defaults
    assert "seed" not in found.defaults
    found.check(found.defaults)


def test_ties_of_two_go_to_either_as_often():
    generator = np.random.default_rng(0)
    firsts = sum(largest_of(np.array([1.0, 0.0, 1.0]), generator) == 0 for _ in range(2000))
    assert 900 < firsts < 1100
