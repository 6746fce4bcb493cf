import pytest

from hybandit.testing.storage import CHECKS


@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.__name__)
def test_conformance(check, storages):
    check(*storages)
