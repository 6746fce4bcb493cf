import pytest

from hybandit import LNUCBTA, EnhancedBetaThompson
from hybandit.errors import InvalidInput


@pytest.mark.parametrize("policy", [LNUCBTA, EnhancedBetaThompson])
def test_k_min_may_not_exceed_k_max(policy):
    with pytest.raises(InvalidInput, match="'k_min' must be at most k_max, which is 5; got 6"):
        policy(2, 3, k_min=6)
    policy(2, 3, k_min=5)


@pytest.mark.parametrize("policy", [LNUCBTA, EnhancedBetaThompson])
def test_names_of_arms_must_be_as_many_as_the_arms(policy):
    with pytest.raises(InvalidInput, match="'arms' must be as many as the 3 arms"):
        policy(3, 2, arms=["a", "b"])


def test_the_part_reads_the_statistics_of_the_policy_which_alone_teaches_and_saves_them():
    policy = LNUCBTA(2, 3)
    assert policy._estimate.local.statistics is policy.statistics
    policy.learn([0.0, 0.0, 1.0], 1, 1.0)
    assert policy.statistics.counts.tolist() == [0.0, 1.0]
    assert [name for name in policy.state() if name.endswith("counts")] == ["statistics/counts"]


def test_the_part_gets_the_settings():
    local = LNUCBTA(2, 3, k_min=2, k_max=9, weights="distance", rounding="ceil")._estimate.local
    assert (local.k_min, local.k_max, local.weights, local.rounding) == (2, 9, "distance", "ceil")
