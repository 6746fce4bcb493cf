import numpy as np
import pytest

from hybandit.errors import ModelFileError
from hybandit.estimators import BayesianRidge


def closed_form(features, rewards, precision=0.25, a0=6.0, b0=6.0):
    gram = precision * np.eye(features.shape[1]) + features.T @ features
    mean = np.linalg.solve(gram, features.T @ rewards)
    rate = b0 + 0.5 * (rewards @ rewards - mean @ gram @ mean)
    return gram, mean, a0 + 0.5 * len(rewards), rate


@pytest.mark.parametrize("at_once", [False, True])
def test_the_posterior_is_the_closed_form(at_once):
    generator = np.random.default_rng(0)
    features = generator.normal(size=(80, 5))
    arms = generator.integers(0, 3, 80)
    rewards = features[:, 0] + generator.normal(size=80)
    regression = BayesianRidge(4, 5)
    if at_once:
        regression.learn(np.ones((1, 5)), 1, 7.0)
        regression.refit(features, arms, rewards)
    else:
        for z, arm, reward in zip(features, arms.tolist(), rewards, strict=True):
            regression.learn(z[None], arm, reward)
    query = generator.normal(size=5)
    for arm in range(4):
        own = arms == arm
        gram, mean, shape, rate = closed_form(features[own], rewards[own])
        assert regression.shapes[arm] == shape
        assert regression.rates[arm] == pytest.approx(rate)
        assert regression.means(query[None])[arm] == pytest.approx(query @ mean)
        width = np.sqrt(query @ np.linalg.solve(gram, query))
        scale = np.sqrt(rate / shape) * width
        assert regression.scales(query[None])[arm] == pytest.approx(scale)


def test_a_new_arm_starts_from_the_prior():
    regression = BayesianRidge(1, 2)
    regression.learn(np.ones((1, 2)), 0, 1.0)
    regression.add_arm()
    assert regression.shapes.tolist() == [6.5, 6.0]
    assert regression.rates[1] == 6.0


def test_features_of_very_different_sizes_are_fitted_all_the_same():
    regression = BayesianRidge(1, 2)
    regression.refit(np.array([[1e12, 1e12], [1.0, -1.0]]), np.zeros(2, int), np.array([0.0, 1.0]))
    assert np.isfinite(regression.means(np.ones((1, 2)))).all()
    assert np.isfinite(regression.rates).all()


@pytest.mark.parametrize("name", ["shapes", "rates"])
def test_a_posterior_below_the_prior_is_refused(name):
    regression = BayesianRidge(2, 1)
    state = {**regression.state(), name: np.array([6.0, 5.9])}
    with pytest.raises(ModelFileError, match="noise posterior is weaker than its prior"):
        regression.restore(state)
