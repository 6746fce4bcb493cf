import numpy as np
import pytest

from hybandit.experiments import Run
from hybandit.paper.experiments.drift import rounds_to_regain


def run(rewards):
    at = np.unique(np.linspace(1, len(rewards), 200).round().astype(int))
    return Run(
        rounds=len(rewards), reward=float(rewards.sum()), regret=None, seconds=0.0,
        at=at.tolist(), rewards=rewards.cumsum()[at - 1].tolist(),
    )  # fmt: skip


@pytest.mark.parametrize("lost", [0, 700, 3_000])
def test_the_rate_is_back_once_a_whole_window_is(lost):
    rewards = np.ones(10_000)
    rewards[5_000 : 5_000 + lost] = 0.2
    # A window of 250 rounds at 0.9 in all holds 31 poor ones at most.
    expected = max(250, lost + 250 - 31)
    assert rounds_to_regain(run(rewards)) == pytest.approx(expected, abs=51)


def test_a_rate_that_stays_too_low_never_comes_back():
    rewards = np.ones(10_000)
    rewards[5_000:] = 0.85
    assert rounds_to_regain(run(rewards)) == np.inf
