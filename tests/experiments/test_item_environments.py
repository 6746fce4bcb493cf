import numpy as np
import pytest

from hybandit.environments import ItemWorld, play_items
from hybandit.experiments import EnvironmentSpec, PolicySpec
from hybandit.experiments.environments import make_environment
from hybandit.experiments.item_environments import Watched
from hybandit.policies import ItemHybrid

SMALL = EnvironmentSpec("items", {"kind": "catalogue", "n_items": 100, "rounds": 300})


@pytest.mark.parametrize("policy", ["item-hybrid", "item-lin-ucb", "item-lnucb-ta", "lin-ucb"])
def test_a_policy_of_items_and_one_of_arms_can_play(policy):
    run = make_environment(SMALL).run(PolicySpec(policy), 3)
    assert run.rounds == 300
    assert run.extra["new_plays"] > 0
    assert 0.0 <= run.extra["new"] <= 1.0


def test_a_run_is_that_of_the_world_itself():
    run = make_environment(SMALL).run(PolicySpec("item-hybrid", {"explore": 0.1}), 3)
    world = ItemWorld("catalogue", n_items=100, rounds=300, seed=3)
    assert run.reward == play_items(ItemHybrid(10, 10, explore=0.1, seed=3), world).reward


def test_the_first_20_plays_of_items_that_come_in_the_second_half():
    class Always:
        def choose(self, context, items, *, ids):
            return len(ids) - 1

        def learn(self, context, item, reward, *, id):
            pass

    watched = Watched(Always())
    for number in range(100):
        ids = ["old"] if number < 60 else ["old", "new"]
        watched.choose(np.zeros(1), np.zeros((len(ids), 1)), ids=ids)
    assert watched.new_rewards(np.arange(100.0)) == list(range(60, 80))


@pytest.mark.usefixtures("data_folder")
def test_the_news_log_by_replay():
    run = make_environment(EnvironmentSpec("items-replay", {"matches": 5})).run(
        PolicySpec("item-lin-ucb", {"alpha": 0.1}), 0
    )
    assert run.rounds == 5
    assert run.regret is None
