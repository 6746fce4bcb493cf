import pytest

from hybandit.estimators.trial import REST, TRIAL, Trial


@pytest.mark.parametrize(
    ("opened", "measured", "pays"), [(0.6, 0.1, True), (0.8, 0.1, False), (0.1, 0.3, False)]
)
def test_searches_rest_where_they_look_at_most(opened, measured, pays):
    trial = Trial(0.7)
    for _ in range(TRIAL):
        assert not trial.resting()
        trial.judge(opened, measured)
    assert trial.resting() != pays


def test_after_a_rest_comes_another_trial():
    trial = Trial(0.7)
    for _ in range(TRIAL):
        trial.judge(1.0, 1.0)
    assert [trial.resting() for _ in range(REST + 1)] == [*REST * [True], False]
    for _ in range(TRIAL):
        trial.judge(0.0, 0.0)
    assert not trial.resting()
