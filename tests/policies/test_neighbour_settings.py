import pytest

from hybandit import LNUCBTA, EnhancedBetaThompson
from hybandit.errors import InvalidInput


@pytest.mark.parametrize("policy", [LNUCBTA, EnhancedBetaThompson])
def test_k_min_may_not_exceed_k_max(policy):
    with pytest.raises(InvalidInput, match="'k_min' must be at most k_max, which is 5; got 6"):
        policy(2, 3, k_min=6)
    policy(2, 3, k_min=5)


def test_the_part_gets_the_settings():
    local = LNUCBTA(2, 3, k_min=2, k_max=9, weights="distance", rounding="ceil")._estimate.local
    assert (local.k_min, local.k_max, local.weights, local.rounding) == (2, 9, "distance", "ceil")
