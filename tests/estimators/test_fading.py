import math

import numpy as np
import pytest

from hybandit.errors import ModelFileError
from hybandit.estimators import Fading


def test_the_played_arm_fades_and_the_others_in_turn():
    fading = Fading(3, 0.9)
    assert [fading.arms(2) for _ in range(4)] == [(2, 0), (2, 1), (2,), (2, 0)]


def test_a_new_arm_takes_its_turn():
    fading = Fading(1, 0.9)
    assert fading.arms(0) == (0,)
    fading.add_arm()
    assert [fading.arms(0) for _ in range(3)] == [(0,), (0, 1), (0,)]


def test_without_forgetting_nothing_fades():
    fading = Fading(2, None)
    assert fading.arms(1) == ()
    assert fading.half_life is None


@pytest.mark.parametrize("forget", [0.999, 0.998, 0.9, 0.6, 0.5, 0.1])
def test_half_of_the_weight_is_gone_after_the_half_life_and_not_before(forget):
    life = Fading(1, forget).half_life
    assert forget**life <= 0.5 or math.isclose(forget**life, 0.5)
    assert life == 1 or forget ** (life - 1) > 0.5


@pytest.mark.parametrize("turn", [-1, 2])
def test_a_turn_that_is_nobodys_is_refused(turn):
    with pytest.raises(ModelFileError, match="turn"):
        Fading(2, 0.9).restore({"turn": np.array([turn])})


def test_the_turn_stays_with_whom_it_was_when_an_arm_is_dropped():
    for turn, dropped, expected in [(2, 0, 1), (2, 2, 2), (1, 3, 1), (3, 3, 0), (0, 0, 0)]:
        fading = Fading(4, 0.9)
        fading.turn[0] = turn
        fading.drop_arm(dropped)
        assert fading.arms(played=9) == (9, expected)
