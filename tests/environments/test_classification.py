import numpy as np
import pandas as pd
import pytest

from hybandit.environments import Classification
from hybandit.errors import InvalidInput
from hybandit.features import OnlineRows

ROWS, LABELS = np.arange(14.0).reshape(7, 2), np.array([0, 1, 2, 0, 1, 2, 2])


def firsts(world):
    return [turn.context[0] for turn in world]


def test_every_row_comes_once_with_its_class_paying_one():
    world = Classification(ROWS, LABELS, seed=3)
    assert (world.n_arms, world.n_features, len(world)) == (3, 2, 7)
    assert sorted(firsts(world)) == ROWS[:, 0].tolist()
    for turn in world:
        label = LABELS[int(turn.context[0]) // 2]
        assert [turn.reward(arm) for arm in range(3)] == np.eye(3)[label].tolist()
        assert turn.best == 1.0


def test_fewer_rounds_are_the_first_of_them():
    few = Classification(ROWS, LABELS, seed=3, rounds=4)
    assert len(few) == 4
    assert firsts(few) == firsts(Classification(ROWS, LABELS, seed=3))[:4]


def test_more_rounds_go_through_the_rows_again_in_a_new_order():
    order = firsts(Classification(ROWS, LABELS, seed=3, rounds=17))
    assert len(order) == 17
    assert order[:7] == firsts(Classification(ROWS, LABELS, seed=3))
    assert sorted(order[7:14]) == ROWS[:, 0].tolist()
    assert order[7:14] != order[:7]


def test_right_and_wrong_may_pay_anything():
    turn = next(iter(Classification(ROWS, LABELS, seed=0, rewards=(-1.0, 0.0))))
    assert sorted(turn.reward(arm) for arm in range(3)) == [-1.0, -1.0, 0.0]
    assert turn.best == 0.0


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"labels": LABELS[:3]}, "'labels' must be as many as the 7 contexts; got 3"),
        ({"rounds": 0}, "'rounds' must be at least 1; got 0"),
    ],
)
def test_what_does_not_fit_is_refused(options, message):
    with pytest.raises(InvalidInput) as caught:
        Classification(**{"contexts": ROWS, "labels": LABELS, "seed": 0, **options})
    assert str(caught.value) == message


def test_each_loop_over_online_rows_starts_again():
    table = pd.DataFrame({"age": [20.0, 40.0, 33.0], "town": ["Ulm", "Jena", "Bonn"]})
    world = Classification(OnlineRows(table), np.array([0, 1, 0]), seed=0)
    first, second = ([turn.context.tolist() for turn in world] for _ in range(2))
    assert first == second


def test_chance_leaves_the_order_of_the_rows_and_each_loop_has_the_same_luck():
    certain = Classification(ROWS, LABELS, seed=3)
    world = Classification(ROWS, LABELS, seed=3, probabilities=(0.4, 0.5))
    assert firsts(world) == firsts(certain)
    first, second = ([turn.rewards.tolist() for turn in world] for _ in range(2))
    assert first == second


def test_what_is_paid_by_chance_may_be_anything():
    world = Classification(
        ROWS, LABELS, seed=3, rounds=99, rewards=(-2.0, 8.0), probabilities=(0.0, 0.5)
    )
    assert {turn.reward(arm) for turn in world for arm in range(3)} == {-2.0, 8.0}
    assert {turn.expected(arm) for turn in world for arm in range(3)} == {-2.0, 3.0}


@pytest.mark.parametrize("probabilities", [(-0.1, 0.5), (0.0, 1.1), (float("nan"), 1.0)])
def test_probabilities_are_from_0_to_1(probabilities):
    with pytest.raises(InvalidInput, match="'probabilities' must be two numbers from 0 to 1"):
        Classification(ROWS, LABELS, seed=0, probabilities=probabilities)
