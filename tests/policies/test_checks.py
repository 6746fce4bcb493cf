import numpy as np
import pytest

from hybandit.errors import InvalidInput
from hybandit.policies import checks


@pytest.mark.parametrize("count", [0, 1, 5])
def test_any_number_of_rows_is_taken_where_none_is_told(count):
    given = np.arange(3.0 * count).reshape(count, 3)
    assert checks.rows("items", given, (None, 3)).tolist() == given.tolist()


@pytest.mark.parametrize(
    ("given", "shape", "rule"),
    [
        (np.zeros((2, 4)), (None, 3), r"of shape \(n, 3\); got shape \(2, 4\)"),
        (np.zeros((2, 3)), (1, 3), r"of shape \(1, 3\); got shape \(2, 3\)"),
        (np.zeros(3), (None, 3), r"of shape \(n, 3\); got shape \(3,\)"),
        (np.zeros((1, 3)), (3,), r"of shape \(3,\); got shape \(1, 3\)"),
    ],
)
def test_rows_of_another_shape_are_refused(given, shape, rule):
    with pytest.raises(InvalidInput, match=f"'items' must be {rule}"):
        checks.rows("items", given, shape)
