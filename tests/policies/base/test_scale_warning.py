import warnings

import numpy as np
import pytest

from hybandit import ScaleWarning
from hybandit.datasets import find_dataset
from hybandit.policies.base.scale_warning import WATCHED, ScaleWatch, looks_unscaled


def watched(rows):
    watch = ScaleWatch("lnucb-ta", rows.shape[-1])
    for row in rows:
        watch.see(np.atleast_2d(row))
    return watch


@pytest.fixture
def people():
    generator = np.random.default_rng(0)
    return np.column_stack([generator.uniform(18, 90, 300), generator.normal(40_000, 9000, 300)])


def test_raw_columns_are_told_once_with_the_remedy(people):
    with pytest.warns(ScaleWarning) as caught:
        watch = watched(people)
    assert len(caught) == 1
    text = str(caught[0].message)
    assert text.startswith("column 1 is about 4")
    assert "and column 0 about" in text
    assert "hybandit.features.OnlineEncoder" in text
    assert watch.count == 300


@pytest.mark.parametrize("scale", ["standard", "unit", "arms", "one-hot"])
def test_scaled_contexts_are_left_in_peace(people, scale):
    rows = {
        "standard": (people - people.mean(axis=0)) / people.std(axis=0),
        "unit": find_dataset("digits").load().encoded("standard")[:200],
        "arms": np.random.default_rng(0).normal(size=(200, 3, 4)),
        "one-hot": np.eye(300)[:, ::-1][:200],
    }[scale]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert watched(rows).count >= WATCHED


@pytest.mark.parametrize(
    ("sizes", "told"),
    [
        ([1.0, 29.0], None), ([1.0, 30.0], (1, 0)), ([9.9, 0.1], None), ([10.0, 0.1], (0, 1)),
        ([0.0, 40.0], None), ([0.0, 40.0, 1.0, 2.0], (1, 2)), ([50.0], None),
    ],
)  # fmt: skip
def test_columns_differ_too_much_from_thirty_times_and_ten_on(sizes, told):
    assert looks_unscaled(np.array(sizes)) == told
