import numpy as np
import pytest
from item_twins import ItemHybridTwin

from hybandit.estimators.item_stack import ItemStack


def rounds(generator, count, n_context, n_item, candidates):
    """Candidates of 40 items whose features never change."""
    items = generator.normal(size=(40, n_item))
    for _ in range(count):
        ids = generator.choice(40, candidates, replace=False).tolist()
        yield generator.normal(size=n_context), items[ids], ids


@pytest.mark.parametrize(("n_context", "n_item"), [(3, 4), (0, 4), (3, 1), (40, 30)])
@pytest.mark.parametrize("named", [True, False])
def test_values_equal_the_equations(n_context, n_item, named):
    generator = np.random.default_rng(0)
    stack = ItemStack(n_context, n_item, np.random.default_rng(1), max_items=100)
    twin = ItemHybridTwin(n_context, n_item, np.random.default_rng(1))
    for context, items, ids in rounds(generator, 30, n_context, n_item, 5):
        names = ids if named else None
        scores = twin.values(context, items, names)
        np.testing.assert_allclose(stack.values(context, items, names), scores, atol=1e-9)
        name = ids[0] if named else None
        reward = generator.normal()
        error = stack.learn(context, items[0], name, reward)
        alone = twin.values(context, items[:1], names and names[:1])[0]
        assert error == pytest.approx(reward - alone, abs=1e-9)
        twin.learn(context, items[0], name, reward)


def test_an_item_learns_from_others_and_from_its_own_past():
    generator = np.random.default_rng(0)
    stack = ItemStack(2, 2, generator, max_items=100)
    context = np.array([1.0, 0.0])
    liked, disliked = np.array([1.0, 0.0]), np.array([0.0, 1.0])
    for number in range(60):
        stack.learn(context, liked, f"liked {number % 3}", 1.0)
        stack.learn(context, disliked, f"disliked {number % 3}", 0.0)
        stack.learn(context, disliked, "popular", 1.0)
    values = stack.values(
        context, np.array([liked, disliked, disliked]), ["new", "new as well", "popular"]
    )
    assert values[0] > values[1] + 0.3
    assert values[2] > values[1] + 0.3


def test_without_features_the_id_tells_who_likes_what():
    generator = np.random.default_rng(0)
    stack = ItemStack(2, 0, generator, max_items=100)
    nothing, contexts = np.zeros(0), np.eye(2)
    for _ in range(60):
        for user in range(2):
            for item in range(2):
                stack.learn(contexts[user], nothing, item, float(user == item))
    for user in range(2):
        values = stack.values(contexts[user], np.zeros((3, 0)), [0, 1, "unseen"])
        assert values[user] > 0.8
        assert values[1 - user] < 0.2
        assert 0.2 < values[2] < 0.8


def trust_after(generator, popularity):
    """Of a stack that met 40 items which differ by so much in what features do not tell."""
    stack = ItemStack(2, 2, generator, max_items=100)
    assert stack.trust == pytest.approx(1.0)
    hidden = popularity * generator.normal(size=40)
    for context, items, ids in rounds(generator, 600, 2, 2, 1):
        stack.learn(context, items[0], ids[0], hidden[ids[0]] + generator.normal())
        assert 0.0 <= stack.trust <= 1.0
    return stack.trust


def test_an_items_own_past_is_trusted_as_far_as_it_tells_something():
    assert trust_after(np.random.default_rng(0), popularity=2.0) > 0.9
    assert trust_after(np.random.default_rng(0), popularity=0.0) < 0.6


def test_a_restored_stack_goes_on_bit_for_bit():
    generator = np.random.default_rng(3)
    first = ItemStack(3, 2, np.random.default_rng(4), max_items=20)
    played = list(rounds(generator, 120, 3, 2, 6))
    for context, items, ids in played[:60]:
        first.learn(context, items[0], ids[0], generator.random())
    second = ItemStack(3, 2, np.random.default_rng(5), max_items=20)
    second.restore({name: array.copy() for name, array in first.state().items()})
    for context, items, ids in played[60:]:
        assert np.array_equal(first.values(context, items, ids), second.values(context, items, ids))
        reward = generator.random()
        assert first.learn(context, items[0], ids[0], reward) == second.learn(
            context, items[0], ids[0], reward
        )


def test_extreme_numbers_leave_everything_finite():
    generator = np.random.default_rng(6)
    stack = ItemStack(3, 2, generator, max_items=5)
    for number, size in enumerate(10.0 ** generator.uniform(-120, 100, size=400)):
        context = generator.choice([-size, 0.0, size], 3)
        items = generator.choice([-size, 0.0, size], (4, 2))
        assert np.isfinite(stack.values(context, items, list("abcd"))).all()
        stack.learn(context, items[0], number % 7, size)
    for name, array in stack.state().items():
        assert np.isfinite(array).all(), name
