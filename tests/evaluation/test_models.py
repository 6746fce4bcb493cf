import numpy as np
import pytest

from hybandit.datasets import EventLog
from hybandit.evaluation import LinearModel
from hybandit.evaluation.models import SteppedModel, predictions


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
def test_a_model_that_learns_in_steps_predicts_as_one_that_learns_each_event(shape):
    generator = np.random.default_rng(0)
    rewards = generator.random(900)
    log = EventLog(generator.integers(0, 4, 900), rewards, generator.normal(size=shape))
    each, steps = predictions(LinearModel(4, 3), log), SteppedModel(4, 3)
    in_parts = np.concatenate([predictions(steps, batch) for batch in log.batches(100)])
    assert in_parts == pytest.approx(predictions(SteppedModel(4, 3), log))
    # Where both have just been fitted to the same events.
    for row in (1, 2, 4, 8, 512):
        assert in_parts[row] == pytest.approx(each[row])
    assert np.abs(in_parts - each)[512:].max() < 0.5
