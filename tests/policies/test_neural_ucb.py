import numpy as np
import pytest
from twins import NeuralTwin

from hybandit import NeuralUCB


def rounds_of(count, n_arms, n_features, seed=0):
    generator = np.random.default_rng(seed)
    contexts = generator.normal(size=(count, n_features))
    contexts /= np.linalg.norm(contexts, axis=1, keepdims=True)
    return contexts, generator.integers(0, n_arms, count), generator.random(count)


@pytest.mark.parametrize(
    "settings",
    [
        {"steps": 10},
        {"schedule": "published", "steps": 5},
        {"train_every": 7, "steps": 20, "learning_rate": 0.02, "momentum": 0.5, "lam": 0.1},
    ],
)
def test_its_scores_are_those_of_plain_numpy(settings):
    policy = NeuralUCB(3, 4, hidden=20, nu=0.5, seed=1, **settings)
    plain = NeuralTwin(policy)
    contexts, arms, rewards = rounds_of(80, 3, 4)
    for x, arm, reward in zip(contexts, arms.tolist(), rewards, strict=True):
        assert np.allclose(policy.decide(x).scores, plain.scores(x), rtol=2e-3, atol=2e-3)
        policy.learn(x, arm, reward)
        plain.learn(x, arm, reward)


def test_batches_are_drawn_once_there_are_more_than_one_holds():
    policy = NeuralUCB(2, 3, hidden=10, train_every=300, steps=3, seed=2)
    plain = NeuralTwin(policy)
    contexts, arms, rewards = rounds_of(600, 2, 3)
    for x, arm, reward in zip(contexts, arms.tolist(), rewards, strict=True):
        policy.learn(x, arm, reward)
        plain.learn(x, arm, reward)
    assert np.allclose(policy.decide(x).scores, plain.scores(x), rtol=1e-3, atol=1e-3)


def test_a_new_arm_is_as_unsure_as_the_others_were():
    policy = NeuralUCB(2, 3, lam=0.5, seed=0)
    policy.learn([1.0, 0.0, 0.0], 0, 1.0)
    policy.add_arm()
    assert (policy._unsure.weights[2] == 2.0).all()
    assert policy._network.weights.shape == policy._unsure.weights.shape == (3, 3, 100)
