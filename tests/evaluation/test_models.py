import numpy as np

from hybandit.evaluation import LinearModel


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
