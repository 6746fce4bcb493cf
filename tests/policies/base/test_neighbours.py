import numpy as np
import pytest

from hybandit import KNNUCB, LNUCBTA, EnhancedBetaThompson
from hybandit.errors import InvalidInput
from hybandit.estimators.index import AdaptiveIndex


@pytest.mark.parametrize("policy", [LNUCBTA, EnhancedBetaThompson])
def test_k_min_may_not_exceed_k_max(policy):
    with pytest.raises(InvalidInput, match="'k_min' must be at most k_max, which is 5; got 6"):
        policy(2, 3, k_min=6)
    policy(2, 3, k_min=5)


def test_the_part_reads_the_statistics_of_the_policy_which_alone_teaches_and_saves_them():
    policy = LNUCBTA(2, 3)
    assert policy._estimate.local.statistics is policy.statistics
    policy.learn([0.0, 0.0, 1.0], 1, 1.0)
    assert policy.statistics.counts.tolist() == [0.0, 1.0]
    assert [name for name in policy.state() if name.endswith("counts")] == ["statistics/counts"]


def test_the_part_gets_the_settings():
    local = LNUCBTA(2, 3, k_min=2, k_max=9, weights="distance", rounding="ceil")._estimate.local
    assert (local.k_min, local.k_max, local.weights, local.rounding) == (2, 9, "distance", "ceil")


@pytest.mark.parametrize(
    ("make", "memory_of"),
    [
        (lambda: KNNUCB(3, 2, seed=0), lambda policy: policy._memory),
        (lambda: KNNUCB(3, 2, seed=0, memory="window(9)"), lambda policy: policy._memory),
        (lambda: LNUCBTA(3, 2, k_max=20, seed=0), lambda policy: policy._estimate.local.memory),
    ],
)
def test_with_a_tree_a_policy_chooses_as_with_a_scan(make, memory_of):
    generator, scan, tree = np.random.default_rng(0), make(), make()
    memory = memory_of(tree)
    memory.index = AdaptiveIndex(memory.observations, 1)
    for number in range(150):
        x = generator.integers(-2, 3, 2).astype(float)
        arm = scan.choose(x)
        assert tree.choose(x) == arm
        for policy in (scan, tree):
            policy.learn(x, arm, float(number % 3 == arm))
    assert memory.index._tree is not None
