import numpy as np
import pytest

from hybandit.errors import InvalidInput
from hybandit.evaluation import Course, gap

ONES = np.ones(3000)


def test_a_shift_of_all_terms_is_found_however_noisy_they_are():
    noise = np.random.default_rng(0).normal(0.0, 10.0, 3000)
    found = gap(Course.of(noise + 0.1, ONES), Course.of(noise, ONES))
    assert found.value == pytest.approx(0.1)
    assert found.sure


def test_two_equal_worlds_are_rarely_told_apart():
    generator = np.random.default_rng(1)
    told = [
        gap(*(Course.of(generator.normal(size=3000), ONES) for _ in range(2)), seed=seed).sure
        for seed in range(20)
    ]
    assert sum(told) <= 5


def test_courses_of_different_logs_are_refused():
    with pytest.raises(InvalidInput, match="'second' must be of the same log"):
        gap(Course.of(ONES, ONES), Course.of(ONES[:10], ONES[:10]))
