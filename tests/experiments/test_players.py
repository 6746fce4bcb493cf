import numpy as np
import pytest

from hybandit.errors import HybanditError, InvalidInput, UnknownName
from hybandit.experiments.players import PlayerSpec, find_player, register


@pytest.fixture(scope="module")
def watcher():
    """A player that chooses neither arms nor items."""
    register(PlayerSpec("made-up-watcher", 1, {"patience": 0.1}))
    return find_player("made-up-watcher")


def test_a_registered_player_is_found_by_its_name_with_its_defaults(watcher):
    assert watcher.resolved({}) == {"patience": 0.1}
    watcher.check({"patience": 0.2})


def test_among_items_a_policy_of_items_plays_by_features_and_one_of_arms_by_place():
    items = np.ones((4, 3))
    for name in ("item-hybrid", "lin-ucb"):
        assert find_player(name).on_items(2, 3, 0, {}).choose(np.ones(2), items) in range(4)
    find_player("item-lnucb-ta").check({"memory": 5})
    with pytest.raises(InvalidInput, match="memory"):
        find_player("item-lnucb-ta").check({"memory": 0})


def test_a_player_is_refused_where_it_cannot_play(watcher):
    with pytest.raises(InvalidInput, match="chooses arms"):
        watcher.on_arms(3, 2, 0, {})
    with pytest.raises(InvalidInput, match="chooses arms"):
        find_player("item-hybrid").on_arms(3, 2, 0, {})
    with pytest.raises(InvalidInput, match="among items"):
        watcher.on_items(3, 2, 0, {})


def test_unknown_names_and_settings_suggest_the_nearest(watcher):
    with pytest.raises(UnknownName, match="did you mean 'made-up-watcher'"):
        find_player("made-up-watchers")
    with pytest.raises(UnknownName, match="did you mean 'patience'"):
        watcher.resolved({"patienec": 0.1})


def test_a_policy_of_items_has_no_setting_arms_and_is_told_where_it_is_compared():
    player = find_player("item-lin-ucb")
    with pytest.raises(UnknownName, match="there are alpha, explore, max_items, reg, seed, ties"):
        player.resolved({"zzz": 1})
    with pytest.raises(InvalidInput, match="in an environment of items, or judged on"):
        player.on_arms(2, 2, 0, {})


def test_a_taken_name_is_refused(watcher):
    for name in ("lin-ucb", watcher.name):
        with pytest.raises(HybanditError, match="taken"):
            register(PlayerSpec(name, 1, {}))
