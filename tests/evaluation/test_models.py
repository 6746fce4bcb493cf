import numpy as np
import pytest

from hybandit.datasets import EventLog
from hybandit.evaluation import LinearModel
from hybandit.evaluation.folds import folds_of
from hybandit.evaluation.models import FittedModel, predictions


def test_a_line_with_a_constant_is_learned_for_each_arm():
    generator = np.random.default_rng(0)
    model = LinearModel(2, 3)
    for _ in range(2000):
        contexts = generator.normal(size=(1, 3))
        model.learn(contexts, 0, float(contexts[0, 0]) + 5.0)
        model.learn(contexts, 1, -2.0)
    at = np.array([[1.0, 0.0, 0.0]])
    np.testing.assert_allclose(model.values(at), [6.0, -2.0], atol=0.02)


def test_arms_may_have_contexts_of_their_own():
    model = LinearModel(2, 1)
    contexts = np.array([[1.0], [2.0]])
    for _ in range(5000):
        model.learn(contexts, 0, 1.0)
        model.learn(contexts, 1, 2.0)
    np.testing.assert_allclose(model.values(contexts), [1.0, 2.0], atol=0.01)
    assert contexts.tolist() == [[1.0], [2.0]]


@pytest.mark.parametrize("shape", [(900, 3), (900, 4, 3)])
def test_a_fitted_model_predicts_each_event_by_a_ridge_on_other_folds(shape):
    generator = np.random.default_rng(0)
    rewards = generator.random(900)
    log = EventLog(generator.integers(0, 4, 900), rewards, generator.normal(size=shape))
    found = FittedModel(log).predictions(log, 0)
    folds = folds_of(np.arange(900))
    for row in (0, 1, 500):
        model = LinearModel(4, 3)
        for other in np.flatnonzero(folds != folds[row]).tolist():
            model.learn(log.features[other], int(log.arms[other]), rewards[other])
        assert found[row] == pytest.approx(model.values(log.features[row]), abs=1e-9)
    later = predictions(FittedModel(log), log.part(slice(300, 400)), 300)
    assert later == pytest.approx(found[300:400], abs=1e-12)


def test_a_fitted_model_knows_nothing_of_the_reward_that_it_predicts():
    """A log of two events: each is predicted without itself."""
    log = EventLog(np.array([0, 0]), np.array([1e6, 1.0]), np.zeros((2, 1)), names=("a",))
    assert FittedModel(log).predictions(log, 0).ravel().tolist() == [0.5, 5e5]
