import numpy as np

from hybandit import NeuralLinear
from hybandit.estimators.network import shortened


def test_after_training_the_posterior_fits_the_new_features():
    policy = NeuralLinear(2, 3, hidden=8, train_every=20, seed=0)
    generator = np.random.default_rng(0)
    contexts, arms = generator.normal(size=(20, 3)), generator.integers(0, 2, 20)
    rewards = generator.random(20)
    policy.learn_many(contexts, arms, rewards)
    features = policy._network.features(shortened(contexts))
    for arm in range(2):
        rows, own = features[arms == arm], rewards[arms == arm]
        gram = 0.25 * np.eye(8) + rows.T @ rows
        expected = np.linalg.solve(gram, rows.T @ own)
        assert np.allclose(policy._posterior.ridge.weights[arm], expected, atol=1e-8)


def test_between_trainings_it_learns_at_once():
    policy = NeuralLinear(2, 2, hidden=8, train_every=20, seed=0)
    x = np.array([0.6, 0.8])
    policy.learn_many([x] * 20, [0] * 20, [0.0] * 20)
    before = policy._posterior.means(policy._features(x[None]))[0]
    policy.learn(x, 0, 5.0)
    assert policy._posterior.means(policy._features(x[None]))[0] > before
