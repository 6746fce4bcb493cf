import pytest

from hybandit.policies import find_policy, policy_names
from hybandit.policies.settings import settings_of
from hybandit.testing import CHECKS

# Beyond the defaults, whatever of these a policy has.
SETTINGS = {"memory": ["window(7)", "reservoir(7)"]}
CASES = [
    (name, {setting: value})
    for name in policy_names()
    for entry in settings_of(find_policy(name))
    for setting, values in SETTINGS.items()
    if setting == entry.name
    for value in values
]


@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.__name__)
@pytest.mark.parametrize("name", policy_names())
def test_every_policy_conforms(name, check):
    check(find_policy(name))


@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.__name__)
@pytest.mark.parametrize(("name", "settings"), CASES, ids=str)
def test_every_policy_conforms_with_other_settings(name, settings, check):
    check(find_policy(name), **settings)


def test_every_policy_with_neighbours_can_bound_its_memory():
    bounded = {name for name, settings in CASES if "memory" in settings}
    assert bounded == {
        "enhanced-beta-thompson", "enhanced-epsilon-greedy", "enhanced-lin-ts", "knn-kl-ucb",
        "knn-ucb", "lin-knn-ucb", "lnucb-ta", "stacked-hybrid",
    }  # fmt: skip
