import pytest

from hybandit.testing import STORAGE_CHECKS


@pytest.mark.parametrize("check", STORAGE_CHECKS, ids=lambda check: check.__name__)
def test_conformance(check, storages):
    check(*storages)
