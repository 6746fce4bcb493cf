import numpy as np
import pytest
from item_twins import ItemLNUCBTATwin, assert_equal_choices

from hybandit.environments import ItemWorld
from hybandit.errors import InvalidInput
from hybandit.policies import ItemLNUCBTA


@pytest.mark.parametrize("kind", ["bilinear", "ratings"])
def test_decisions_equal_the_equations(kind):
    world = ItemWorld(kind, n_context=3, n_item=3, n_items=30, rounds=300, seed=1)
    policy, twin = ItemLNUCBTA(3, 3, seed=2), ItemLNUCBTATwin(3, 3, np.random.default_rng(2))
    assert_equal_choices(policy, twin, world)


def test_memory_bounds_the_neighbours_and_nothing_else():
    policy = ItemLNUCBTA(1, 1, memory=3, seed=0)
    twin = ItemLNUCBTATwin(1, 1, np.random.default_rng(0), memory=3)
    generator = np.random.default_rng(1)
    items, ids = np.array([[1.0], [0.5]]), ["a", "b"]
    for number in range(40):
        context, reward = generator.normal(size=1), generator.normal()
        scores = policy.decide(context, items, ids=ids).scores
        np.testing.assert_allclose(scores, twin.scores(context, items, ids), atol=1e-9)
        policy.learn(context, items[number % 2], reward, id=ids[number % 2])
        twin.learn(context, items[number % 2], ids[number % 2], reward)


def test_an_item_without_id_has_no_past():
    policy = ItemLNUCBTA(1, 1, alpha=0.0, seed=0)
    policy.learn([1.0], [0.0], 1.0, id="a")
    scores = policy.decide([1.0], [[0.0], [0.0]], ids=["a", "b"]).scores
    assert scores[0] == pytest.approx(scores[1] + 1.0)
    assert policy.decide([1.0], [[0.0]]).scores[0] == scores[1]


def test_k_min_is_at_most_k_max():
    with pytest.raises(InvalidInput, match="k_min"):
        ItemLNUCBTA(1, 1, k_min=6)
