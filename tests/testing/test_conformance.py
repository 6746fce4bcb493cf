import pytest

from hybandit.policies import ArmPolicy, ItemPolicy, find_policy, policy_names
from hybandit.testing import CHECKS, ITEM_CHECKS
from hybandit.validation.settings import settings_of

# Beyond the defaults, whatever of these a policy has.
SETTINGS = {"memory": ["window(7)", "reservoir(7)"], "forget": [0.9, 0.998]}
CASES = [
    (name, {setting: value})
    for name in policy_names(ArmPolicy)
    for entry in settings_of(find_policy(name))
    for setting, values in SETTINGS.items()
    if setting == entry.name
    for value in values
]


@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.__name__)
@pytest.mark.parametrize("name", policy_names(ArmPolicy))
def test_every_policy_conforms(name, check):
    check(find_policy(name))


@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.__name__)
@pytest.mark.parametrize(("name", "settings"), CASES, ids=str)
def test_every_policy_conforms_with_other_settings(name, settings, check):
    check(find_policy(name), **settings)


@pytest.mark.parametrize("check", ITEM_CHECKS, ids=lambda check: check.__name__)
@pytest.mark.parametrize("name", policy_names(ItemPolicy))
@pytest.mark.parametrize("settings", [{}, {"explore": 0.3}, {"explore": "gap"}], ids=str)
def test_every_policy_of_items_conforms(name, settings, check):
    check(find_policy(name), **settings)


@pytest.mark.parametrize("check", ITEM_CHECKS, ids=lambda check: check.__name__)
def test_item_hybrid_conforms_while_it_forgets(check):
    check(find_policy("item-hybrid"), forget=0.9)


@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.__name__)
@pytest.mark.parametrize("name", ["ucb", "lin-ucb", "lin-ts", "epsilon-greedy", "lnucb-ta"])
def test_policies_of_arms_conform_while_exploring(name, check):
    check(find_policy(name), explore=0.2)


@pytest.mark.parametrize("name", ["lnucb-ta", "lin-knn-ucb", "stacked-hybrid"])
def test_a_window_and_forgetting_conform_together(name):
    for check in CHECKS:
        check(find_policy(name), memory="window(4)", forget=0.95)


NEIGHBOURLY = sorted({name for name, settings in CASES if "memory" in settings})


@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.__name__)
@pytest.mark.parametrize("name", NEIGHBOURLY)
@pytest.mark.usefixtures("low_thresholds")
def test_every_policy_with_neighbours_conforms_with_trees_from_the_start(name, check):
    check(find_policy(name))
    check(find_policy(name), memory="window(7)")


def test_every_policy_with_neighbours_can_bound_its_memory():
    assert set(NEIGHBOURLY) == {
        "enhanced-beta-thompson", "enhanced-epsilon-greedy", "enhanced-lin-ts", "knn-kl-ucb",
        "knn-ucb", "lin-knn-ucb", "lnucb-ta", "stacked-hybrid",
    }  # fmt: skip


def test_the_linear_policies_and_the_hybrids_can_forget():
    forgetful = {name for name, settings in CASES if "forget" in settings}
    assert forgetful == {
        "lin-knn-ucb", "lin-thompson-ucb", "lin-ts", "lin-ucb", "lnucb-ta", "stacked-hybrid",
    }  # fmt: skip
