from typing import ClassVar

import numpy as np
import pytest

from hybandit.errors import ModelFileError
from hybandit.state import LastAnswer, Part, Stateful, fitting, row_of, with_row, without_row


class Leaf(Stateful):
    _arrays: ClassVar = ("values",)

    def __init__(self):
        self.values = np.zeros(2)


class Tree(Stateful):
    _arrays: ClassVar = ("count",)
    _children: ClassVar = ("left", "right")

    def __init__(self):
        self.count = np.zeros(1, np.int64)
        self.left, self.right = Leaf(), Leaf()


def test_state_names_every_array_by_its_path():
    tree = Tree()
    assert sorted(tree.state()) == ["count", "left/values", "right/values"]


def test_restoring_takes_every_array_to_its_place():
    first, second = Tree(), Tree()
    first.count += 3
    first.left.values += 1.0
    first.right.values += 2.0
    second.restore(first.state())
    assert second.count.tolist() == [3]
    assert second.left.values.tolist() == [1.0, 1.0]
    assert second.right.values.tolist() == [2.0, 2.0]


@pytest.mark.parametrize(
    ("array", "told"),
    [
        (np.zeros(3), r"float64 \(3,\), where float64 \(2,\) is needed"),
        (np.zeros((2, 1)), r"float64 \(2, 1\)"),
        (np.zeros(2, np.float32), r"float32 \(2,\)"),
        (np.array([0.0, np.nan]), "holds NaN"),
    ],
)
def test_an_array_that_does_not_fit_is_refused(array, told):
    with pytest.raises(ModelFileError, match=told):
        fitting("values", {"values": array}, np.float64, (2,))


def test_numbers_far_from_any_that_are_computed_are_refused():
    tree = Tree()
    state = {**tree.state(), "left/values": np.array([0.0, -1e300])}
    with pytest.raises(ModelFileError, match=r"'values' .* outside -1e[+]150 to 1e[+]150"):
        tree.restore(state)


def test_an_open_dimension_takes_any_length():
    array = np.asfortranarray(np.ones((4, 2)))
    kept = fitting("values", {"values": array}, np.float64, (None, 2))
    assert kept.flags.c_contiguous
    assert np.array_equal(kept, array)


def test_the_last_answer_is_given_again_to_the_same_question_only():
    last = LastAnswer()
    question, answer = np.array([1.0, 2.0]), np.array([3.0])
    assert last.answer(question) is None
    last.keep(answer, question)
    assert last.answer(np.array([1.0, 2.0])) is answer
    assert last.answer(np.array([1.0, 2.5])) is None
    assert last.answer(np.array([1.0, 2.0, 0.0])) is None
    last.forget()
    assert last.answer(question) is None


def test_a_question_changed_afterwards_is_another_question():
    last = LastAnswer()
    question = np.array([1.0])
    last.keep(np.array([3.0]), question)
    question[0] = 7.0
    assert last.answer(question) is None


def test_a_single_row_is_everybodys():
    assert row_of(np.array([[1.0], [2.0]]), 1).tolist() == [2.0]
    assert row_of(np.array([[1.0]]), 5).tolist() == [1.0]


@pytest.mark.parametrize("fill", [7.0, [7.0, 8.0]])
def test_rows_that_come_one_by_one_stay(fill):
    rows = np.arange(6.0).reshape(3, 2)
    grown = rows
    for count in range(4, 30):
        grown = with_row(grown, fill)
        assert grown.shape == (count, 2)
        assert grown.flags.carray
    np.testing.assert_array_equal(grown[:3], rows)
    np.testing.assert_array_equal(grown[3:], np.broadcast_to(fill, (26, 2)))


def test_a_view_of_something_else_is_never_written_beyond():
    whole = np.zeros((10, 2))
    with_row(whole[:5], 1.0)
    assert not whole.any()


def test_room_is_given_back_where_most_of_it_is_unused():
    array = np.zeros(0)
    for number in range(1000):
        array = with_row(array, number)
    for _ in range(990):
        array = without_row(array, 3)
    assert array.tolist() == [0, 1, 2, *range(993, 1000)]
    assert array.base.nbytes <= 4 * array.nbytes


class Counts(Part):
    _arrays: ClassVar = ("counts",)

    def __init__(self):
        self.counts = np.arange(3.0)

    def _new_rows(self):
        return {"counts": 9.0}


class Whole(Part):
    _children: ClassVar = ("counts", "left_out", "others", "leaf")

    def __init__(self):
        self.counts, self.left_out, self.others, self.leaf = Counts(), None, [Counts()], Leaf()


def test_an_arm_comes_to_every_part_of_arms_and_goes_from_it():
    whole = Whole()
    whole.add_arm()
    whole.drop_arm(1)
    for part in (whole.counts, *whole.others):
        assert part.counts.tolist() == [0.0, 2.0, 9.0]
    assert whole.leaf.values.tolist() == [0.0, 0.0]
