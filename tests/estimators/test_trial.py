import pytest

from hybandit.estimators.trial import FIRST_REST, LAST_REST, TRIAL, Trial


@pytest.mark.parametrize(
    ("opened", "measured", "pays"), [(0.6, 0.1, True), (0.8, 0.1, False), (0.1, 0.3, False)]
)
def test_searches_rest_where_they_look_at_most(opened, measured, pays):
    trial = Trial(0.7)
    for _ in range(TRIAL):
        assert not trial.resting()
        trial.judge(opened, measured)
    assert trial.resting() != pays


def rests(trial, opened):
    """How many searches are left to a scan after a trial."""
    for _ in range(TRIAL):
        trial.judge(opened, 0.0)
    count = 0
    while trial.resting():
        count += 1
    return count


def test_rests_become_longer_until_a_trial_pays():
    trial = Trial(0.7)
    assert [rests(trial, 1.0) for _ in range(3)] == [FIRST_REST, 2 * FIRST_REST, 4 * FIRST_REST]
    assert rests(trial, 0.5) == 0
    assert [rests(trial, 1.0) for _ in range(9)][::8] == [FIRST_REST, LAST_REST]
