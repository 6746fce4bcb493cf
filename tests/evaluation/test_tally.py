from itertools import pairwise

import numpy as np
import pytest

from hybandit.evaluation import ESTIMATORS
from hybandit.evaluation.formulas import FORMULAS, MEAN, Events
from hybandit.evaluation.tally import COURSE_POINTS, Course, Runs, Tally

COUNT = 5003


def events(seed=0):
    generator = np.random.default_rng(seed)
    columns = [generator.random(COUNT) for _ in range(6)]
    columns[1] = 0.05 + 0.95 * columns[1]
    return Events(*columns)


def part(whole, low, high):
    return Events(*(column[low:high] for column in whole))


@pytest.mark.parametrize("name", ESTIMATORS)
def test_events_that_come_in_parts_give_the_same_estimate(name):
    whole, cuts = events(), [0, 1, 700, 2999, COUNT]
    once, often = (Tally(FORMULAS[name], COUNT, threshold=4.0) for _ in range(2))
    once.add(0, whole)
    for low, high in pairwise(cuts):
        often.add(low, part(whole, low, high))
    one, other = once.estimate(), often.estimate()
    for field in ("value", "effective_sample_size", "largest_weight", "rows"):
        assert getattr(one, field) == pytest.approx(getattr(other, field), rel=1e-12)
    assert one.bootstrap == pytest.approx(other.bootstrap, rel=1e-12)
    assert one.sure == pytest.approx(other.sure, rel=1e-9)
    assert one.course.at == other.course.at
    assert one.course.earned == pytest.approx(other.course.earned, rel=1e-12)


def test_tallies_of_two_parts_of_a_log_are_joined():
    whole = events(1)
    once, first, second = (Tally(FORMULAS["ips"], COUNT) for _ in range(3))
    once.add(0, whole)
    first.add(0, part(whole, 0, 1234))
    second.add(1234, part(whole, 1234, COUNT))
    first.join(second)
    assert first.estimate().value == pytest.approx(once.estimate().value, rel=1e-12)
    assert first.estimate().sure == pytest.approx(once.estimate().sure, rel=1e-9)


def test_a_course_is_the_sums_so_far():
    terms, shares = np.arange(1000.0), np.ones(1000)
    course = Course.of(terms, shares)
    assert (len(course.at), course.at[0], course.at[-1]) == (COURSE_POINTS, 1, 1000)
    assert course.earned == pytest.approx(terms.cumsum()[np.array(course.at) - 1])
    assert course.counted == pytest.approx(course.at)


@pytest.mark.parametrize("count", [2, 1999, 2001, 7777])
def test_the_parts_of_the_bootstrap_have_all_events_once(count):
    runs = Runs(count)
    for number in range(count):
        runs.add(number, np.array([float(number)]), np.ones(1))
    blocks = runs.blocks()
    assert blocks[:, 1].sum() == count
    assert len(set(blocks[:-1, 1])) <= 1
    assert blocks[0, 0] == np.arange(blocks[0, 1]).sum()


def test_the_mean_reward_is_that_of_the_log():
    tally = Tally(MEAN, 4)
    tally.add(0, Events(np.array([0.0, 1.0, 1.0, 1.0])))
    found = tally.estimate()
    assert (found.value, found.effective_sample_size, found.rows) == (0.75, 4.0, 4)
