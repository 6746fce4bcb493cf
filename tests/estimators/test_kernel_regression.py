import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hybandit.errors import ModelFileError
from hybandit.estimators import KernelRegression


def direct(points, arms, rewards, queries, lam):
    """The posterior of blocked vectors, solved from scratch."""
    n_arms, n_features = len(queries), points.shape[1]

    def blocked(x, arm):
        z = np.zeros(n_arms * n_features)
        z[arm * n_features : (arm + 1) * n_features] = x
        return z

    past = np.array([blocked(x, arm) for x, arm in zip(points, arms, strict=True)])
    new = np.array([blocked(x, arm) for arm, x in enumerate(queries)])

    def kernel(first, second):
        return np.exp(-np.linalg.norm(first[:, None] - second[None], axis=2))

    inverse = np.linalg.inv(kernel(past, past) + lam * np.eye(len(past)))
    between = kernel(new, past)
    return between @ inverse @ rewards, 1.0 - np.einsum("ij,jk,ik->i", between, inverse, between)


@settings(max_examples=25, deadline=None)
@given(
    seed=st.integers(0, 1000),
    count=st.integers(1, 70),
    n_arms=st.integers(1, 4),
    shared=st.booleans(),
    lam=st.sampled_from([1e-3, 1.0, 10.0]),
)
def test_mean_and_variance_are_those_of_a_direct_solve(seed, count, n_arms, shared, lam):
    generator = np.random.default_rng(seed)
    regression = KernelRegression(n_arms, 3, lam=lam)
    arms = generator.integers(0, n_arms, count)
    points, rewards = generator.normal(size=(count, 3)), generator.normal(size=count)
    # Repeated contexts make the kernel matrix singular without the ridge.
    points[count // 2 :] = points[: count - count // 2]
    for x, arm, reward in zip(points, arms.tolist(), rewards, strict=True):
        regression.learn(x[None] if shared else np.tile(x, (n_arms, 1)), arm, reward)
    queries = generator.normal(size=(1 if shared else n_arms, 3))
    means, variances = regression.means_and_variances(queries)
    expected = direct(points, arms, rewards, np.broadcast_to(queries, (n_arms, 3)), lam)
    assert np.allclose(means, expected[0], atol=1e-8)
    assert np.allclose(variances, expected[1], atol=1e-8)


def test_a_dropped_arm_leaves_a_regression_that_never_saw_it():
    generator = np.random.default_rng(0)
    whole, fresh = KernelRegression(3, 2, lam=0.1), KernelRegression(2, 2, lam=0.1)
    for number, x in enumerate(generator.normal(size=(50, 1, 2))):
        arm = number % 3
        whole.learn(x, arm, float(number % 5))
        if arm != 1:
            fresh.learn(x, arm - (arm > 1), float(number % 5))
    whole.drop_arm(1)
    for x in generator.normal(size=(3, 1, 2)):
        np.testing.assert_array_equal(whole.means_and_variances(x), fresh.means_and_variances(x))
        whole.learn(x, 1, 1.0)
        fresh.learn(x, 1, 1.0)


def many(generator, count, n_arms=2):
    """Contexts of a few places, so that few points span all of them."""
    places = generator.normal(size=(4, 2))
    drawn = generator.integers(0, len(places), count), generator.integers(0, n_arms, count)
    return [(places[place][None], int(arm)) for place, arm in zip(*drawn, strict=True)]


@pytest.mark.parametrize("lam", [0.01, 1.0])
def test_what_the_kept_points_span_is_learned_as_if_all_were_kept(lam):
    generator = np.random.default_rng(0)
    few = KernelRegression(2, 2, lam=lam, max_points=60)
    every = KernelRegression(2, 2, lam=lam)
    for x, arm in many(generator, 300):
        reward = float(generator.normal())
        few.learn(x, arm, reward)
        every.learn(x, arm, reward)
    assert few.points.size == 60
    for x, _ in many(generator, 10):
        for short, whole in zip(
            few.means_and_variances(x), every.means_and_variances(x), strict=True
        ):
            np.testing.assert_allclose(short, whole, atol=1e-6)


def test_what_they_do_not_span_stays_unsure():
    regression = KernelRegression(1, 1, lam=0.1, max_points=2)
    for _ in range(50):
        regression.learn(np.array([[0.0]]), 0, 1.0)
    far = np.array([[30.0]])
    means, variances = regression.means_and_variances(far)
    assert means == pytest.approx(0.0, abs=1e-6)
    assert variances == pytest.approx(1.0, abs=1e-6)
    assert regression.means_and_variances(np.array([[0.0]]))[1] < 0.01


def test_restored_after_its_cap_it_goes_on_bit_for_bit():
    generator = np.random.default_rng(1)
    first = KernelRegression(2, 2, lam=0.1, max_points=10)
    for x, arm in many(generator, 40):
        first.learn(x, arm, float(x.sum()))
    second = KernelRegression(2, 2, lam=0.1, max_points=10)
    second.restore({name: array.copy() for name, array in first.state().items()})
    for x, arm in many(generator, 10):
        for each in (first, second):
            each.learn(x, arm, 1.0)
        pair = [each.means_and_variances(x) for each in (first, second)]
        assert np.array_equal(pair[0], pair[1])


@pytest.mark.parametrize("max_points", [9, 11, 10**9])
def test_a_basis_of_other_points_than_the_file_has_is_refused(max_points):
    first = KernelRegression(2, 2, lam=0.1, max_points=10)
    for x, arm in many(np.random.default_rng(1), 40):
        first.learn(x, arm, 1.0)
    second = KernelRegression(2, 2, lam=0.1, max_points=max_points)
    with pytest.raises(ModelFileError, match="points that it does not have"):
        second.restore(first.state())
