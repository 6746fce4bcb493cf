import numpy as np
import pytest

from hybandit import KernelUCB, load


def test_the_score_is_mean_plus_deviation():
    policy = KernelUCB(2, 1, lam=2.0, nu=0.5)
    policy.learn([0.0], 0, 1.0)
    # k = 1 to the point of its own arm and, both at the origin, to that of the other.
    assert policy.decide([0.0]).scores == pytest.approx(1 / 3 + np.sqrt(2.0 * 0.5 * 2 / 3))


def test_told_to_ignore_what_is_beyond_its_cap_it_plays_what_it_knows():
    policy = KernelUCB(2, 1, nu=0.0, max_points=2, beyond="ignore", ties="first")
    policy.learn([0.5], 1, 1.0)
    policy.learn([0.5], 0, 0.2)
    for _ in range(5):
        policy.learn([0.5], 0, 9.0)
    assert policy.choose([0.5]) == 1
    assert policy.statistics.counts.tolist() == [6.0, 1.0]


def test_it_goes_on_learning_after_its_cap():
    policy = KernelUCB(2, 1, nu=0.0, max_points=2, ties="first")
    policy.learn([0.5], 1, 1.0)
    policy.learn([0.5], 0, 0.2)
    for _ in range(5):
        policy.learn([0.5], 0, 9.0)
    assert policy.choose([0.5]) == 0


@pytest.mark.parametrize("retire", [False, True])
def test_a_file_of_one_that_learned_beyond_its_points_goes_on_as_it_would_have(tmp_path, retire):
    generator = np.random.default_rng(0)
    policy = KernelUCB(3, 2, max_points=10, seed=0)

    def learn(*policies):
        for number in range(15):
            context = generator.normal(size=2)
            for each in policies:
                each.learn(context, 2 * (number % 2), float(context[0] > 0.0))

    learn(policy)
    if retire:
        policy.retire_arm(1)
        learn(policy)
    policy.save(tmp_path / "policy.npz")
    again = load(tmp_path / "policy.npz")
    learn(policy, again)
    context = generator.normal(size=2)
    np.testing.assert_array_equal(again.decide(context).scores, policy.decide(context).scores)
