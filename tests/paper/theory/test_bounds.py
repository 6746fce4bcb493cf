import math

import pytest

from hybandit.errors import InvalidInput
from hybandit.paper.theory import bounds

LIMITS = {"sigma": 0.5, "W": 2.0, "B": 1.5, "delta": 0.1}


def test_beta_is_the_formula_of_the_paper():
    inside = 1 + 100 * 1.5**2 * 2.0**2 / 4 + 7.0 / 4
    expected = 0.25 * (2 + 16 * math.log(inside) + 8 * math.log(40))
    assert bounds.beta(100, 4, **LIMITS, spread=7.0) == pytest.approx(expected)


def test_the_bound_is_the_second_proposition():
    radius = bounds.beta(100, 4, **LIMITS)
    ridge = 0.25 / 4.0
    expected = math.sqrt(8 * 100 * radius * 4 * math.log(1 + 100 * 2.25 / (4 * ridge)))
    assert bounds.regret_bound(100, 4, **LIMITS) == pytest.approx(expected)


@pytest.mark.parametrize(
    "wrong", [{"sigma": 0.0}, {"W": -1.0}, {"B": math.inf}, {"delta": 1.0}, {"delta": math.nan}]
)
def test_senseless_symbols_are_refused(wrong):
    with pytest.raises(InvalidInput, match=next(iter(wrong))):
        bounds.beta(100, 4, **{**LIMITS, **wrong})
