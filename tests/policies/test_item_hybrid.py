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


@pytest.mark.parametrize("explore", [0.0, 0.3, 1.0, "gap"])
@pytest.mark.parametrize("rounds", [0, 2])
def test_probabilities_are_true(explore, rounds):
    policy = taught(explore, rounds=rounds)
    told = policy.decide(X, ITEMS, ids=IDS).probabilities
    seen = np.bincount([policy.choose(X, ITEMS, ids=IDS) for _ in range(4000)], minlength=3) / 4000
    assert told.sum() == pytest.approx(1.0)
    assert (np.abs(seen - told) <= 5.0 * np.sqrt(told * (1.0 - told) / 4000) + 1e-3).all()


def test_many_equal_one_by_one():
    one, many = taught(0.3), taught(0.3)
    generator = np.random.default_rng(5)
    contexts, places = generator.normal(size=(40, 2)), generator.integers(3, size=40)
    for context, place in zip(contexts, places, strict=True):
        one.learn(context, ITEMS[place], 1.0, id=IDS[place])
    many.learn_many(contexts, ITEMS[places], np.ones(40), ids=[IDS[place] for place in places])
    offers = [ITEMS[: 1 + number % 3] for number in range(40)]
    ids = [IDS[: 1 + number % 3] for number in range(40)]
    single = [one.choose(*each, ids=names)
              for *each, names in zip(contexts, offers, ids, strict=True)]  # fmt: skip
    assert many.choose_many(contexts, offers, ids=ids).tolist() == single
    scores = many.score_many(contexts, offers, ids=ids)
    for context, offer, names, found in zip(contexts, offers, ids, scores, strict=True):
        assert np.array_equal(one.decide(context, offer, ids=names).scores, found)


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


WRONG = {
    "no candidates": lambda p: p.choose(X, np.empty((0, 2)), ids=[]),
    "an empty list": lambda p: p.choose(X, []),
    "two widths": lambda p: p.choose(X, [[1.0, 2.0], [1.0]]),
    "wrong width": lambda p: p.decide(X, np.ones((2, 3))),
    "one item, not a list": lambda p: p.decide(X, np.ones(2)),
    "short context": lambda p: p.choose([1.0], ITEMS),
    "no context": lambda p: p.choose(None, ITEMS),
    "words": lambda p: p.choose(["a", "b"], ITEMS),
    "nan": lambda p: p.choose([np.nan, 0.0], ITEMS),
    "too large": lambda p: p.choose(X, [[1e300, 0.0]]),
    "same id twice": lambda p: p.choose(X, ITEMS, ids=["a", "b", "a"]),
    "too few ids": lambda p: p.choose(X, ITEMS, ids=["a", "b"]),
    "float id": lambda p: p.choose(X, ITEMS, ids=["a", "b", 1.0]),
    "bool id": lambda p: p.choose(X, ITEMS, ids=["a", "b", True]),
    "no id": lambda p: p.choose(X, ITEMS, ids=["a", "b", None]),
    "tuple id": lambda p: p.choose(X, ITEMS, ids=["a", "b", ("c",)]),
    "long id": lambda p: p.choose(X, ITEMS, ids=["a", "b", 2**63]),
    "ids no list": lambda p: p.choose(X, ITEMS, ids=7),
    "ids one text": lambda p: p.choose(X, ITEMS, ids="abc"),
    "learn float id": lambda p: p.learn(X, ITEMS[0], 1.0, id=1.0),
    "learn nan": lambda p: p.learn(X, ITEMS[0], np.nan, id="a"),
    "learn words": lambda p: p.learn(X, ITEMS[0], "1", id="a"),
    "learn two items": lambda p: p.learn(X, ITEMS, 1.0, id="a"),
    "learn_many short": lambda p: p.learn_many([X, X], ITEMS[:2], [1.0]),
    "learn_many ids": lambda p: p.learn_many([X, X], ITEMS[:2], [1.0, 1.0], ids=["a"]),
    "learn_many last": lambda p: p.learn_many([X, X], ITEMS[:2], [1.0, np.inf]),
    "choose_many": lambda p: p.choose_many([X, X], [ITEMS, np.empty((0, 2))]),
    "choose_many lengths": lambda p: p.choose_many([X, X], [ITEMS]),
    "forget": lambda p: p.forget_item(1.5),
}


@pytest.mark.parametrize("call", WRONG.values(), ids=WRONG)
def test_refused_input_changes_nothing(call):
    policy = taught(0.3)
    before = {name: array.copy() for name, array in policy.state().items()}
    drawn = policy._generator.bit_generator.state
    with pytest.raises(InvalidInput):
        call(policy)
    assert policy._generator.bit_generator.state == drawn
    for name, array in policy.state().items():
        assert np.array_equal(array, before[name])


def test_the_id_that_comes_twice_is_named():
    policy = ItemHybrid(2, 2, seed=0)
    with pytest.raises(InvalidInput, match="'ids' must be all different; got 'b' twice"):
        policy.choose([0.0, 0.0], np.eye(3, 2), ids=["a", "b", "b"])
