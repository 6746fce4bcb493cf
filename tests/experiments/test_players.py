import numpy as np
import pytest

from hybandit.errors import HybanditError, InvalidInput, UnknownName
from hybandit.experiments.players import Player, find_player, register
from hybandit.paper.players.probers import PROBERS
from hybandit.paper.players.references import REFERENCES


@pytest.mark.parametrize("player", [*PROBERS, *REFERENCES], ids=lambda player: player.name)
def test_whatever_plays_is_found_by_its_name_with_its_defaults(player):
    found = find_player(player.name)
    assert found.resolved({}) == found.defaults
    assert "seed" not in found.defaults
    found.check(found.defaults)


def test_a_policy_plays_arms_and_ranks_candidates():
    player = find_player("lin-ucb")
    assert player.on_arms(3, 2, 0, {}).choose(np.ones(2)) in range(3)
    assert player.on_candidates(0, {}).choose(np.ones((5, 4))) in range(5)


def test_among_items_a_policy_of_items_plays_by_features_and_one_of_arms_by_place():
    items = np.ones((4, 3))
    for name in ("item-hybrid", "lin-ucb"):
        assert find_player(name).on_items(2, 3, 0, {}).choose(np.ones(2), items) in range(4)
    find_player("item-lnucb-ta").check({"memory": 5})
    with pytest.raises(InvalidInput, match="memory"):
        find_player("item-lnucb-ta").check({"memory": 0})


def test_a_player_is_refused_where_it_cannot_play():
    with pytest.raises(InvalidInput, match="chooses arms"):
        find_player("random-node").on_arms(3, 2, 0, {})
    with pytest.raises(InvalidInput, match="ranks candidates"):
        find_player("reference-lnucb-ta").on_candidates(0, {})
    with pytest.raises(InvalidInput, match="chooses arms"):
        find_player("item-hybrid").on_arms(3, 2, 0, {})
    with pytest.raises(InvalidInput, match="among items"):
        find_player("random-node").on_items(3, 2, 0, {})


def test_unknown_names_and_settings_suggest_the_nearest():
    with pytest.raises(UnknownName, match="did you mean 'random-node'"):
        find_player("random-nodes")
    with pytest.raises(UnknownName, match="did you mean 'epsilon'"):
        find_player("knn-epsilon-greedy").resolved({"epsilom": 0.1})


def test_a_taken_name_is_refused():
    for name in ("lin-ucb", "random-node"):
        with pytest.raises(HybanditError, match="taken"):
            register(Player(name, 1, {}))
