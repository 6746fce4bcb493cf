import numpy as np

from hybandit import NeuralBandit


def test_only_the_played_arm_learns():
    policy = NeuralBandit(3, 2, seed=0)
    before = policy._network.values(np.array([[0.6, 0.8]]))
    policy.learn([0.6, 0.8], 1, 2.0)
    after = policy._network.values(np.array([[0.6, 0.8]]))
    assert after[1] > before[1]
    assert np.array_equal(np.delete(after, 1), np.delete(before, 1))


def test_gamma_is_the_share_of_uniform_play():
    policy = NeuralBandit(4, 2, gamma=0.2, seed=0)
    shares = np.sort(policy.decide([0.6, 0.8]).probabilities)
    assert np.allclose(shares, [0.05, 0.05, 0.05, 0.85])


def test_explore_comes_first_and_gamma_acts_on_the_rest():
    policy = NeuralBandit(4, 2, gamma=0.2, explore=0.5, seed=0)
    # Uniform with 0.5 + 0.5 * 0.2 = 0.6.
    shares = np.sort(policy.decide([0.6, 0.8]).probabilities)
    assert np.allclose(shares, [0.15, 0.15, 0.15, 0.55])
