"""On which databases a test of the loop runs, if not on both every time."""

import pytest

# For tests that start processes, or take long.
SLOW_ON_POSTGRESQL = pytest.mark.parametrize(
    "url", ["sqlite", pytest.param("postgresql", marks=pytest.mark.slow)], indirect=True
)
