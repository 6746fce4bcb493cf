import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from twins import StackedTwin

from hybandit.estimators import Stack
from hybandit.estimators.index import AdaptiveIndex


def pair(n_arms, n_features, centred):
    stack = Stack(n_arms, n_features, np.random.default_rng(3), centred=centred)
    return stack, StackedTwin(n_arms, n_features, seed=3, centre=centred)


def features(stack, contexts):
    return stack.features(np.atleast_2d(contexts))


@pytest.mark.parametrize("centred", [False, True])
@pytest.mark.parametrize(("n_arms", "shared"), [(1, True), (3, True), (3, False)])
def test_the_mixing_features_are_the_documented_eighteen(n_arms, shared, centred):
    stack, twin = pair(n_arms, 4, centred)
    generator = np.random.default_rng(0)
    for number in range(80):
        contexts = generator.integers(-1, 2, 4 if shared else (n_arms, 4)) / 2.0
        found = features(stack, contexts)
        np.testing.assert_allclose(found, twin.features(contexts), rtol=1e-7, atol=1e-9)
        arm, reward = int(generator.integers(n_arms)), float(generator.random() < 0.4) - 1.0
        expected = stack.values(np.atleast_2d(contexts))[arm]
        error = stack.learn(np.atleast_2d(contexts), arm, reward)
        if number >= 10:
            assert error == pytest.approx(reward - expected, rel=1e-9, abs=1e-12)
        twin.learn(contexts, arm, reward)
    np.testing.assert_allclose(stack.mixer.weights[0], twin.mixer.weights, rtol=1e-6, atol=1e-9)


def test_before_anything_is_learned_the_prior_mixes_half_curved_and_half_nearest():
    stack, _ = pair(2, 3, False)
    assert np.flatnonzero(stack.mixer.weights[0]).tolist() == [0, 8]
    assert stack.mixer.weights[0, [0, 8]].tolist() == [0.5, 0.5]


def test_upper_adds_the_rate_for_the_mean_and_for_the_trusted_linear_width():
    stack, twin = pair(2, 3, False)
    generator = np.random.default_rng(1)
    for _ in range(30):
        x, reward = generator.normal(size=3), generator.random()
        stack.learn(x[None], 0, reward)
        twin.learn(x, 0, reward)
    x, rates = generator.normal(size=3), np.array([0.5, 0.25])
    widths = np.array([ridge.width(np.append(x, 0.5)) for ridge in twin.ridges[1]])
    own = 1 / np.sqrt(np.array([30, 0]) + 5)
    expected = stack.values(x[None]) + rates * (own + stack.plain.trust * widths / 2)
    np.testing.assert_allclose(stack.upper(x[None], rates, np.ones(2, bool)), expected, rtol=1e-7)


@settings(max_examples=40, deadline=None)
@given(
    st.integers(0, 2**32 - 1), st.booleans(), st.sampled_from([None, 0.9]),
    st.sampled_from([0.0, 0.1, 5.0]), st.sampled_from([1.0, -1.0, 1e80]),
)  # fmt: skip
def test_who_wins_is_the_same_without_the_neighbours_of_those_who_cannot(
    seed, shared, forget, rate, scale
):
    generator = np.random.default_rng(seed)
    stack = Stack(5, 3, generator, forget=forget, centred=seed % 2 == 0)
    stack.memory.index = AdaptiveIndex(stack.memory.observations, 5)
    rates = np.full(5, rate)
    truth = generator.normal(size=(5, 3))
    for _ in range(60):
        contexts = generator.integers(-2, 3, (1 if shared else 5, 3)) / 2.0
        allowed = generator.random(5) < 0.8
        allowed[0] = True
        likely = stack.upper(contexts, rates, allowed, exact=False)
        stack._last.forget()
        exact = stack.upper(contexts, rates, allowed)
        best = exact[allowed].max()
        winners = allowed & (exact == best)
        assert (likely[winners] == best).all()
        assert (likely[allowed & ~winners] < best).all()
        arm = int(generator.integers(5))
        reward = scale * float(truth[arm] @ contexts[0 if shared else arm] > generator.random())
        stack.learn(contexts, arm, reward)


def test_a_clear_choice_looks_for_the_neighbours_of_one_arm_only(monkeypatch):
    stack, _ = pair(4, 2, True)
    stack.memory.index = AdaptiveIndex(stack.memory.observations, 5)
    contexts = np.eye(2)
    for number in range(200):
        x, arm = contexts[number % 2], number % 4
        stack.learn(x[None], arm, float(arm == number % 2))
    index = stack.memory.index
    monkeypatch.setattr(type(index), "by_tree", True)
    asked = []
    search = index.nearest_of_each_arm
    monkeypatch.setattr(
        index, "nearest_of_each_arm", lambda query, ks: asked.append(ks) or search(query, ks)
    )
    scores = stack.upper(contexts[1:], np.full(4, 0.001), np.ones(4, bool), exact=False)
    stack.learn(contexts[1:], 1, 1.0)
    assert scores.argmax() == 1
    assert [ks.tolist() for ks in asked] == [[0, 20, 0, 0]]


def test_a_restored_stack_goes_on_with_bounds_of_its_rewards():
    first, second = (pair(2, 2, False)[0] for _ in range(2))
    for number in range(20):
        first.learn(np.eye(2)[number % 2 :][:1], number % 2, number - 9.0)
    second.restore(first.state())
    assert second._lows.tolist() == first._lows.tolist() == [-9.0, -8.0]
    assert second._highs.tolist() == first._highs.tolist() == pytest.approx([9.0, 10.0], abs=0.1)


def test_a_dropped_arm_is_nobodys_rival_and_no_vote():
    stack, _ = pair(3, 2, False)
    x = np.array([[0.6, 0.8]])
    for arm, reward in enumerate([0.2, 1.0, 0.5]):
        stack.learn(x, arm, reward)
    stack.drop_arm(1)
    found = features(stack, x)
    assert found[0, 1] == found[1, 0]
    assert found[1, 1] == found[0, 0]
    assert found[0, 8] == 0.2
    assert found[1, 8] == 0.5
    assert stack.memory.entries.owners[: stack.memory.observations.size].tolist() == [0, 1]
    assert (found[:, 14] + found[:, 17]).tolist() == pytest.approx([0.35] * 2)


def test_centred_rewards_make_all_that_is_learned_independent_of_a_shift():
    generator = np.random.default_rng(2)
    stacks = [pair(3, 4, True)[0] for _ in range(2)]
    for _ in range(60):
        x, arm, reward = (
            generator.normal(size=(1, 4)),
            int(generator.integers(3)),
            generator.random(),
        )
        for stack, shift in zip(stacks, (0.0, 8.0), strict=True):
            stack.learn(x, arm, reward + shift)
    x = generator.normal(size=(1, 4))
    plain, shifted = (stack.values(x) for stack in stacks)
    np.testing.assert_allclose(shifted - 8.0, plain, atol=1e-8)
    np.testing.assert_allclose(stacks[1].mixer.weights, stacks[0].mixer.weights, atol=1e-8)


def test_a_moved_stack_predicts_as_one_that_learned_moved_contexts():
    """But for the mixer, which stays."""
    generator = np.random.default_rng(4)
    moved, other = (pair(3, 4, True)[0] for _ in range(2))
    for _ in range(60):
        x, arm, reward = (
            generator.normal(size=(1, 4)),
            int(generator.integers(3)),
            generator.random(),
        )
        moved.learn(x, arm, reward)
        other.learn(2.0 * x - 1.0, arm, reward)
    moved.move(lambda contexts: 2.0 * contexts - 1.0)
    x = generator.normal(size=(1, 4))
    np.testing.assert_allclose(features(moved, x), features(other, x), rtol=1e-9, atol=1e-12)


def test_a_new_arm_is_judged_by_the_votes_of_the_others_only():
    stack, _ = pair(1, 2, False)
    x = np.array([[0.6, 0.8]])
    stack.learn(x, 0, 1.0)
    stack.add_arm()
    found = features(stack, x)
    assert found.shape == (2, 18)
    assert found[1, [0, 2, 4, 7, 8, 9, 10, 11, 12, 13, 14]].tolist() == [0.0] * 11
    assert found[1, 15:].tolist() == [1.0] * 3
