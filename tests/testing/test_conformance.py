import pytest

from hybandit.policies import ArmPolicy, ItemPolicy, find_policy, policy_names
from hybandit.testing import CHECKS, ITEM_CHECKS, check_policy
from hybandit.validation.settings import settings_of


def having(setting):
    """The policies of arms that have this setting."""
    kinds = {name: find_policy(name) for name in policy_names(ArmPolicy)}
    return [
        name
        for name, kind in kinds.items()
        if setting in [entry.name for entry in settings_of(kind)]
    ]


WITH_MEMORY, FORGETFUL = having("memory"), having("forget")
# Each policy that can has one kind of memory here; `-m slow` has the other, and all else.
LIMITS = [f"{('window', 'reservoir')[number % 2]}(7)" for number in range(len(WITH_MEMORY) + 1)]
OTHER = [
    *[(name, {"memory": limit}) for name, limit in zip(WITH_MEMORY, LIMITS, strict=False)],
    *[(name, {"forget": 0.9}) for name in FORGETFUL],
    ("lnucb-ta", {"memory": "window(4)", "forget": 0.95}),
    ("lin-ucb", {"explore": 0.2}),
]
MORE = [
    *[(name, {"memory": limit}) for name, limit in zip(WITH_MEMORY, LIMITS[1:], strict=True)],
    *[(name, {"forget": 0.998}) for name in FORGETFUL],
    *[
        (name, {"memory": "window(4)", "forget": 0.95})
        for name in sorted({*WITH_MEMORY} & {*FORGETFUL})
    ],
    *[(name, {"explore": 0.2}) for name in policy_names(ArmPolicy)],
    *[(name, {"explore": 0.3}) for name in policy_names(ItemPolicy)],
]


@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.__name__)
@pytest.mark.parametrize("name", policy_names(ArmPolicy))
def test_every_policy_conforms(name, check):
    check(find_policy(name))


@pytest.mark.parametrize(("name", "settings"), OTHER, ids=str)
def test_policies_of_arms_conform_with_other_settings(name, settings):
    check_policy(find_policy(name), **settings)


@pytest.mark.slow
@pytest.mark.parametrize(("name", "settings"), MORE, ids=str)
def test_policies_conform_with_more_settings(name, settings):
    check_policy(find_policy(name), **settings)


@pytest.mark.parametrize("check", ITEM_CHECKS, ids=lambda check: check.__name__)
@pytest.mark.parametrize("name", policy_names(ItemPolicy))
@pytest.mark.parametrize("settings", [{}, {"explore": "gap"}], ids=str)
def test_every_policy_of_items_conforms(name, settings, check):
    check(find_policy(name), **settings)


def test_item_hybrid_conforms_while_it_forgets():
    check_policy(find_policy("item-hybrid"), forget=0.9)


def test_every_policy_with_neighbours_can_bound_its_memory():
    assert WITH_MEMORY == [
        "enhanced-beta-thompson", "enhanced-epsilon-greedy", "enhanced-lin-ts", "knn-kl-ucb",
        "knn-ucb", "lin-knn-ucb", "lnucb-ta", "stacked-hybrid",
    ]  # fmt: skip


def test_the_linear_policies_and_the_hybrids_can_forget():
    assert FORGETFUL == [
        "lin-knn-ucb", "lin-thompson-ucb", "lin-ts", "lin-ucb", "lnucb-ta", "stacked-hybrid",
    ]  # fmt: skip
