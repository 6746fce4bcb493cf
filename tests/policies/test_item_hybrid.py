import numpy as np
import pytest
from item_twins import ItemHybridTwin

from hybandit.environments import ItemWorld
from hybandit.errors import InvalidInput
from hybandit.policies.item_hybrid import ItemHybrid

ITEMS = np.array([[1.0, 0.0], [0.0, 1.0], [1.0, 1.0]])
IDS = ["a", "b", 3]
X = np.array([0.5, -0.5])


def taught(explore=0.0, seed=0, rounds=30, **settings):
    policy = ItemHybrid(2, 2, explore=explore, seed=seed, **settings)
    generator = np.random.default_rng(seed)
    for number in range(rounds):
        place = number % 3
        context = generator.normal(size=2)
        policy.learn(context, ITEMS[place], float(place == 1), id=IDS[place])
    return policy


@pytest.mark.parametrize("kind", ["bilinear", "catalogue"])
def test_2000_decisions_equal_the_equations(kind):
    world = ItemWorld(kind, n_context=3, n_item=3, n_items=60, rounds=2000, seed=1)
    policy, twin = ItemHybrid(3, 3, seed=2), ItemHybridTwin(3, 3, np.random.default_rng(2))
    for turn in world:
        index = policy.choose(turn.context, turn.items, ids=turn.ids)
        assert index == twin.choose(turn.context, turn.items, turn.ids)
        reward = turn.reward(index)
        policy.learn(turn.context, turn.items[index], reward, id=turn.ids[index])
        twin.learn(turn.context, turn.items[index], turn.ids[index], reward)


def test_decide_rank_and_choose_agree():
    for explore in (0.0, 0.5, "gap"):
        for seed in range(10):
            decision = taught(explore, seed).decide(X, ITEMS, ids=IDS)
            assert decision.index == taught(explore, seed).choose(X, ITEMS, ids=IDS)
            order = taught(explore, seed).rank(X, ITEMS, ids=IDS).tolist()
            assert order == decision.order.tolist()
            assert order[0] == decision.index
            assert sorted(order) == [0, 1, 2]
            rest = decision.scores[order[1:]]
            assert (np.diff(rest) <= 0.0).all()


@pytest.mark.parametrize(("forget", "best"), [(None, "a"), (0.97, "b")])
def test_with_forget_it_follows_a_change(forget, best):
    policy = ItemHybrid(2, 2, forget=forget, seed=0)
    for number in range(500):
        good = IDS[number >= 400]
        for item, name in zip(ITEMS[:2], IDS[:2], strict=True):
            policy.learn(X, item, float(name == good), id=name)
    assert IDS[policy.choose(X, ITEMS[:2], ids=IDS[:2])] == best


def after_a_change(turned):
    """A policy that met 2,000 rewards by one taste and 1,000 by another, and whom it prefers."""
    policy, generator = ItemHybrid(2, 2, seed=0), np.random.default_rng(0)
    for number in range(3000):
        place = int(generator.integers(2))
        good = place == (1 if turned and number >= 2000 else 0)
        policy.learn(X, ITEMS[place], float(generator.random() < 0.1 + 0.4 * good), id=IDS[place])
    return policy, IDS[policy.choose(X, ITEMS[:2], ids=IDS[:2])]


def test_a_change_of_tastes_is_followed_without_a_setting_and_told():
    policy, best = after_a_change(turned=True)
    assert best == "b"
    assert policy.recent_weight > 0.9
    assert 700 <= policy.changed <= 1300


def test_where_tastes_stay_no_change_is_told():
    policy, best = after_a_change(turned=False)
    assert best == "a"
    assert policy.changed is None


def test_after_a_change_only_rewards_of_late_count_against_trying_an_item():
    known = [
        after_a_change(turned)[0]._stack.values_and_counts(X, ITEMS[:2], IDS[:2])[1].sum()
        for turned in (True, False)
    ]
    assert known[0] < 1100.0
    assert known[1] > 1500.0


def test_1_and_the_text_1_are_two_items():
    policy = ItemHybrid(0, 1, seed=0)
    for _ in range(20):
        policy.learn([], [1.0], 1.0, id=1)
        policy.learn([], [1.0], 0.0, id="1")
    scores = policy.decide([], [[1.0], [1.0]], ids=[1, "1"]).scores
    assert scores[0] > scores[1] + 0.3


def test_a_forgotten_item_is_as_new():
    policy = taught()
    policy.forget_item("b")
    policy.forget_item("never seen")
    scores = policy.decide(X, ITEMS[[1, 1]], ids=["b", "new"]).scores
    assert scores[0] == scores[1]


def test_numpy_ids_are_their_plain_selves():
    policy = ItemHybrid(1, 1, seed=0)
    policy.learn([1.0], [1.0], 1.0, id=np.int64(1))
    policy.learn([1.0], [1.0], 1.0, id=np.str_("1"))
    plain = policy.decide([1.0], [[1.0], [1.0]], ids=[1, "1"])
    assert np.array_equal(plain.scores, policy.decide([1.0], [[1.0]] * 2, ids=(1, "1")).scores)
    for ids in (np.array([1, 2]), np.array(["1", "2"])):
        names = ids.tolist()
        found = policy.decide([1.0], [[1.0], [1.0]], ids=ids).scores
        assert np.array_equal(found, policy.decide([1.0], [[1.0]] * 2, ids=names).scores)


def test_the_id_that_comes_twice_is_named():
    policy = ItemHybrid(2, 2, seed=0)
    with pytest.raises(InvalidInput, match="'ids' must be all different; got 'b' twice"):
        policy.choose([0.0, 0.0], np.eye(3, 2), ids=["a", "b", "b"])
