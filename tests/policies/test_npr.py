import numpy as np

from hybandit import NPR


def estimate_after(nu, seed, count):
    policy = NPR(1, 1, nu=nu, hidden=10, seed=seed)
    for _ in range(count):
        policy.learn([1.0], 0, 0.5)
    return policy._network.values(np.ones((1, 1)))[0]


def test_noise_on_the_past_moves_the_estimate_less_the_more_was_seen():
    few, many = (
        np.std([estimate_after(1.0, seed, count) for seed in range(12)]) for count in (4, 250)
    )
    assert few > 3.0 * many
    assert many < 0.2


def test_without_noise_it_fits_the_rewards():
    assert abs(estimate_after(0.0, 0, 50) - 0.5) < 0.01
