import pytest

from hybandit.errors import InvalidInput
from hybandit.experiments import PolicySpec
from hybandit.experiments.log_players import item_policy_of, policy_of


def test_who_cannot_be_judged_is_refused():
    import hybandit.paper  # noqa: F401  Its references are players without probabilities.

    with pytest.raises(InvalidInput, match="one that tells its probabilities"):
        policy_of(PolicySpec("reference-lnucb-ta"), 2, 2, 0)
    with pytest.raises(InvalidInput, match="one that chooses arms"):
        policy_of(PolicySpec("item-hybrid"), 2, 2, 0)
    with pytest.raises(InvalidInput, match="policies of items, such as item-hybrid"):
        item_policy_of(PolicySpec("lin-ucb"), 2, 2, 0)
