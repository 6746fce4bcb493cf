import numpy as np
import pytest

from hybandit import LinUCB
from hybandit.errors import InvalidInput


def follow(policy, twin, *, shared, rounds=600, binary=True, seed=0, shown=lambda x: x):
    """Play a policy beside its twin: every choice must be the twin's first best arm.

    Both see contexts as `shown` makes them.
    """
    generator = np.random.default_rng(seed)
    n_arms, n_features = policy.n_arms, policy.n_features
    taste = generator.normal(size=(n_arms, n_features))
    for number in range(rounds):
        shape = n_features if shared else (n_arms, n_features)
        contexts = generator.normal(size=shape) / np.sqrt(n_features)
        luck = generator.random()
        seen = shown(contexts)
        arm = policy.choose(seen)
        scores = twin.scores(seen)
        assert arm == scores.argmax(), f"round {number}: {arm} was chosen, {scores} are right"
        chance = 1.0 / (1.0 + np.exp(-3.0 * taste[arm] @ (contexts if shared else contexts[arm])))
        reward = float(luck < chance) if binary else chance + luck - 1.0
        policy.learn(seen, arm, reward)
        twin.learn(seen, arm, reward)
    played = int((policy.statistics.counts > 0).sum())
    assert played >= min(2, n_arms), "only one arm was ever played, which shows nothing"


@pytest.fixture
def follows():
    return follow


def said_of(call, *arguments, **options):
    with pytest.raises(InvalidInput) as caught:
        call(*arguments, **options)
    return str(caught.value)


@pytest.fixture
def refused():
    """Makes a call that must be refused, and gives the words of it."""
    return said_of


@pytest.fixture
def policy():
    policy = LinUCB(3, 2, seed=0)
    policy.learn([1.0, 0.0], 2, 1.0)
    return policy
