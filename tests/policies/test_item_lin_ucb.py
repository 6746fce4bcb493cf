import numpy as np
import pytest
from item_twins import ItemLinUCBTwin, assert_equal_choices

from hybandit.environments import ItemWorld
from hybandit.policies import ItemLinUCB


@pytest.mark.parametrize("alpha", [0.0, 0.5])
def test_decisions_equal_the_equations(alpha):
    world = ItemWorld("ratings", n_context=3, n_item=3, n_items=40, rounds=600, seed=1)
    policy = ItemLinUCB(3, 3, alpha=alpha, seed=2)
    twin = ItemLinUCBTwin(3, 3, np.random.default_rng(2), alpha)
    assert_equal_choices(policy, twin, world)


def test_ids_matter_only_where_items_have_no_features():
    with_features, without = (
        ItemLinUCB(1, 1, alpha=0.0, seed=0),
        ItemLinUCB(1, 0, alpha=0.0, seed=0),
    )
    for _ in range(20):
        for name, reward in (("good", 1.0), ("bad", 0.0)):
            with_features.learn([1.0], [1.0], reward, id=name)
            without.learn([1.0], [], reward, id=name)
    scores = with_features.decide([1.0], [[1.0], [1.0]], ids=["good", "bad"]).scores
    assert scores[0] == scores[1]
    scores = without.decide([1.0], np.empty((2, 0)), ids=["good", "bad"]).scores
    assert scores[0] > scores[1] + 0.5
