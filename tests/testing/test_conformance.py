import pytest

from hybandit.policies import find_policy, policy_names
from hybandit.testing import CHECKS


@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.__name__)
@pytest.mark.parametrize("name", policy_names())
def test_every_policy_conforms(name, check):
    check(find_policy(name))
