import math

from hybandit.kernels.compiling import kernel


@kernel
def ratio(first: float, second: float) -> float:
    return first / second


@kernel
def is_number(value: float) -> bool:
    return value == value  # noqa: PLR0124


def test_division_by_zero_follows_ieee_754():
    assert ratio(1.0, 0.0) == math.inf
    assert math.isnan(ratio(0.0, 0.0))


def test_allowing_sums_to_be_reordered_does_not_assume_away_nan():
    assert is_number(math.inf)
    assert not is_number(math.nan)
