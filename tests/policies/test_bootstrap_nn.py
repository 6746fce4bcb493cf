import numpy as np

from hybandit import BootstrapNN


def test_each_network_keeps_its_share():
    policy = BootstrapNN(2, 2, networks=5, keep=0.8, steps=1, hidden=3, seed=0)
    for _ in range(600):
        policy.learn([1.0, 0.0], 0, 1.0)
    kept = policy._kept[:600]
    assert np.allclose(kept.mean(axis=0), 0.8, atol=0.06)
    assert not np.array_equal(kept[:, 0], kept[:, 1])


def test_probabilities_count_the_networks_that_prefer_an_arm():
    policy = BootstrapNN(3, 2, networks=4, hidden=5, seed=1)
    x = np.array([[0.6, 0.8]])
    best = [int(network.values(x).argmax()) for network in policy._ensemble]
    expected = np.bincount(best, minlength=3) / 4
    assert np.array_equal(policy.decide(x[0]).probabilities, expected)


def test_fast_halves_the_steps_unless_told():
    assert BootstrapNN(2, 2, networks=2)._plan.steps == 50
    assert BootstrapNN(2, 2, networks=2, steps=80)._plan.steps == 80
    assert BootstrapNN(2, 2, networks=2, schedule="published")._plan.steps == 100
