"""What the policies reach on public data: floors that a change must not break."""

import numpy as np
import pytest

from hybandit import LNUCBTA, LinUCB, StackedHybrid
from hybandit.datasets import find_dataset
from hybandit.environments import Classification, play


def mean_regret(kind, contexts, labels, *, seeds=10, rounds=None, rewards=(0.0, 1.0), **settings):
    regrets = []
    for seed in range(seeds):
        world = Classification(contexts, labels, seed=seed, rounds=rounds, rewards=rewards)
        policy = kind(world.n_arms, world.n_features, seed=seed, **settings)
        regrets.append(play(policy, world).regret)
    return np.mean(regrets)


@pytest.fixture(scope="module")
def digits():
    table = find_dataset("digits").load()
    return table.encoded("unit"), table.labels


@pytest.fixture(scope="module")
def stacked_regret(digits):
    return mean_regret(StackedHybrid, *digits, seeds=4)


@pytest.mark.parametrize("alpha", [0.01, 10.0])
def test_lnucb_ta_learns_the_digits_whatever_alpha(digits, alpha):
    # About 282 over 40 seeds, with a standard deviation of 49: a mean of ten is within 40 of it.
    assert mean_regret(LNUCBTA, *digits, alpha=alpha) <= 320


def test_lnucb_ta_that_fits_the_reward_counts_the_signal_twice(digits):
    assert mean_regret(LNUCBTA, *digits, seeds=3, target="reward") > 700


def test_linucb_on_the_digits_is_where_it_is_known_to_be(digits):
    assert 310 <= mean_regret(LinUCB, *digits, alpha=1.0) <= 385


def test_the_stacked_hybrid_has_half_the_regret_on_the_digits(stacked_regret):
    assert stacked_regret <= 135


def test_a_shift_of_the_rewards_leaves_the_stacked_hybrid_as_it_is(digits, stacked_regret):
    shifted = mean_regret(StackedHybrid, *digits, seeds=4, rewards=(-1.0, 0.0))
    assert shifted == pytest.approx(stacked_regret, rel=0.1)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "rounds", "most"), [("magic", 10_000, 1465), ("mushroom", 8124, 18)]
)
def test_the_stacked_hybrid_keeps_its_regret_on_tables(data_folder, name, rounds, most):
    table = find_dataset(name).load()
    regret = mean_regret(
        StackedHybrid, table.encoded("standard"), table.labels, seeds=5, rounds=rounds
    )
    assert regret <= most
