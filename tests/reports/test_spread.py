import pytest

from hybandit.reports.spread import Spread, compared, paired


def test_a_spread_is_mean_and_sample_sd():
    spread = Spread.of([1.0, 2.0, 3.0])
    assert (spread.mean, spread.sd, spread.runs) == (2.0, 1.0, 3)


@pytest.mark.parametrize(
    ("values", "text"),
    [
        ([1500.0, 1502.0], "1,501 ± 1"),
        ([100.0, 110.0], "105.0 ± 7.1"),
        ([0.25, 0.75], "0.500 ± 0.354"),
        ([424.0], "424"),
        ([0.5], "0.500"),
    ],
)
def test_numbers_are_written_for_a_tired_reader(values, text):
    assert str(Spread.of(values)) == text


def test_a_paired_interval_is_students():
    found = paired({0: 1.0, 1: 2.0, 2: 4.0, 9: 50.0}, {0: 0.0, 1: 0.0, 2: 1.0})
    assert found.mean == 2.0
    assert found.high - found.mean == pytest.approx(4.302653 * 1.0 / 3**0.5)
    assert found.runs == 3


def test_one_pair_tells_nothing():
    assert paired({0: 1.0}, {0: 2.0}) is None


@pytest.mark.parametrize(
    ("numbers", "told"),
    [
        ((1.0, 0.5, 1.5), "1.0 more [0.5, 1.5]"),
        ((1.0, -0.5, 2.5), "1.0 more [-0.5, 2.5; may be chance]"),
        ((-1.0, -1.5, -0.5), "1.0 less [0.5, 1.5]"),
        ((-1.0, -2.5, 0.5), "1.0 less [-0.5, 2.5; may be chance]"),
        ((0.0, 0.0, 0.0), "0.0 more [0.0, 0.0; may be chance]"),
    ],
)
def test_a_difference_is_told_with_its_side_and_how_sure_it_is(numbers, told):
    assert compared(*numbers, digits=1) == told


def test_two_runs_are_too_few_for_an_interval():
    two, three = (paired(dict(enumerate(range(5, 5 + n))), dict.fromkeys(range(n), 0.5))
                  for n in (2, 3))  # fmt: skip
    assert str(two) == "+5.0 [too few runs to tell]"
    assert two.in_words(1) == "5.0 more [too few runs to tell]"
    assert "too few" not in str(three) + three.in_words()
