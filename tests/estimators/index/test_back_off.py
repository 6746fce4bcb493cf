import pytest

from hybandit.estimators.index.back_off import FIRST_REST, LAST_REST, TRIAL, BackOff


@pytest.mark.parametrize(("share", "pays"), [(0.4, True), (0.6, False)])
def test_searches_rest_where_they_look_at_most(share, pays):
    back_off = BackOff()
    for _ in range(TRIAL):
        assert not back_off.rest
        back_off.judge(share)
    assert (back_off.rest == 0) == pays


def test_a_rest_is_over_after_as_many_searches_without_the_tree():
    back_off = BackOff()
    assert not back_off.rests()
    rest_after(back_off, 1.0)
    for left in reversed(range(FIRST_REST)):
        assert back_off.rests()
        assert back_off.rest == left
    assert not back_off.rests()


def rest_after(back_off, share):
    for _ in range(TRIAL):
        back_off.judge(share)
    return back_off.rest


def test_rests_become_longer_until_a_trial_pays():
    back_off = BackOff()
    rests = [rest_after(back_off, 1.0) for _ in range(3)]
    assert rests == [FIRST_REST, 2 * FIRST_REST, 4 * FIRST_REST]
    back_off.rest = 0
    assert rest_after(back_off, 0.3) == 0
    assert [rest_after(back_off, 1.0) for _ in range(9)][::8] == [FIRST_REST, LAST_REST]
