import pytest

from hybandit.environments import PlainWorld

BEST = {
    "clicks-4": 0.1,
    "clicks-10": 0.06,
    "segments": 0.1,
    "revenue": 5.0,
    "orders": 1.6,
    "prices": 0.75,
    "towns": 0.07,
    "donations": 1.8,
}


@pytest.mark.parametrize("kind", BEST)
def test_the_best_arm_earns_what_is_told(kind):
    assert max(turn.best for turn in PlainWorld(kind, rounds=50, seed=3)) == pytest.approx(
        BEST[kind]
    )


def test_segments_are_one_hot_and_each_has_its_own_best_arm():
    turns = list(PlainWorld("segments", rounds=60, seed=0))
    best = {(int(turn.context.argmax()), int(turn.means.argmax())) for turn in turns}
    assert best == {(0, 3), (1, 0), (2, 1)}
    assert all(turn.context.sum() == 1.0 for turn in turns)
