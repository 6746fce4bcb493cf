import numpy as np
import pytest

from hybandit.errors import InvalidInput
from hybandit.validation import checks


@pytest.mark.parametrize("count", [0, 1, 5])
def test_any_number_of_rows_is_taken_where_none_is_told(count):
    given = np.arange(3.0 * count).reshape(count, 3)
    assert checks.rows("items", given, (None, 3)).tolist() == given.tolist()


@pytest.mark.parametrize(
    ("given", "shape", "rule"),
    [
        (np.zeros((2, 4)), (None, 3), r"of shape \(n, 3\); got shape \(2, 4\)"),
        (np.zeros((2, 3)), (1, 3), r"of shape \(1, 3\); got shape \(2, 3\)"),
        (np.zeros(3), (None, 3), r"of shape \(n, 3\); got shape \(3,\)"),
        (np.zeros((1, 3)), (3,), r"of shape \(3,\); got shape \(1, 3\)"),
    ],
)
def test_rows_of_another_shape_are_refused(given, shape, rule):
    with pytest.raises(InvalidInput, match=f"'items' must be {rule}"):
        checks.rows("items", given, shape)


class Hostile:
    """Raises whatever is asked of it."""

    def __iter__(self):
        raise RuntimeError("no")

    __array__ = __float__ = __len__ = __fspath__ = __iter__


def refused(call, *given):
    with pytest.raises(InvalidInput) as caught:
        call(*given)
    return str(caught.value)


@pytest.mark.parametrize(
    ("given", "entries"),
    [
        ([1, "a"], [1, "a"]), ((), []), (range(2), [0, 1]), ({3}, [3]),
        (np.array([1.5, 2.5]), [1.5, 2.5]), (np.array(["a"]), ["a"]),
    ],
)  # fmt: skip
def test_a_sequence_becomes_a_list(given, entries):
    found = checks.sequence("ids", given)
    assert found == entries
    assert [type(each) for each in found] == [type(each) for each in entries]


def test_rows_of_an_array_stay_arrays():
    found = checks.sequence("contexts", np.eye(2))
    assert [type(each) for each in found] == [np.ndarray, np.ndarray]


@pytest.mark.parametrize("given", ["ab", b"ab", {"a": 1}, 5, None, Hostile(), np.array(5)])
def test_what_is_no_sequence_is_refused(given):
    assert refused(checks.sequence, "ids", given).startswith("'ids' must be a sequence; got")


def test_masked_entries_are_refused_wherever_they_hide():
    hidden = np.ma.array([1.0, 2.0], mask=[False, True])
    for given in (hidden, [hidden], ([1.0, 2.0], hidden)):
        assert "none of them masked" in refused(checks.numbers_in, "context", given)
    assert checks.numbers_in("context", np.ma.array([1.0])).tolist() == [1.0]


@pytest.mark.parametrize("given", [["a"], np.array(["2020"], "M8"), 1j, Hostile(), np.array(None)])
def test_what_holds_no_numbers_is_refused(given):
    assert refused(checks.numbers_in, "context", given).startswith("'context' must be")


@pytest.mark.parametrize("given", [[True, 0], [1.0, 0], (1, False), np.array([1, 0], object)])
def test_a_mask_may_be_of_zeros_and_ones(given):
    assert checks.mask("eligible", given, 2).tolist() == [True, False]


@pytest.mark.parametrize("given", [[1], [1, 2], [1, 0.5], ["a", "b"], [[1, 0]], [1, None], 1])
def test_another_mask_is_refused(given):
    told = refused(checks.mask, "eligible", given, 2)
    assert told.startswith("'eligible' must be a mask of 2 booleans, one for each arm; got")


@pytest.mark.parametrize(
    ("given", "where"),
    [([[1.0, np.nan]], "nan at [0, 1]"), ([[1.0, 2.0], [-np.inf, 0.0]], "-inf at [1, 0]"),
     ([[1.1e100, 0.0]], "1.1e+100 at [0, 0]")],
)  # fmt: skip
def test_the_first_entry_that_is_out_of_range_is_named(given, where):
    assert refused(checks.rows, "contexts", given, (None, 2)).endswith(f"got {where}")
    assert checks.rows("contexts", [[1e100, -1e100]], (None, 2)).tolist() == [[1e100, -1e100]]


@pytest.mark.parametrize(
    ("given", "entries"),
    [(np.eye(2), 2), ([[1], [2]], 2), ([[1], 2], None), ([], None), ("ab", None), (5, None),
     (np.ones(2), None), (np.ones((1, 2, 3)), None)],
)  # fmt: skip
def test_entries_count_as_nested_if_all_have_entries(given, entries):
    found = checks.nested(given)
    assert (None if found is None else len(found)) == entries


def test_texts_are_texts_of_python():
    assert type(checks.text(np.str_("a"))) is str
    assert checks.text(5) == 5
    assert checks.texts(np.array(["a", "b"])) == ["a", "b"]
    assert [type(each) for each in checks.texts([np.str_("a")])] == [str]
    for given in ([], ["a", 1], "ab", None):
        assert checks.texts(given) is None


@pytest.mark.parametrize(
    ("given", "value"),
    [(1, 1.0), (True, 1.0), (np.bool_(1), 1.0), (np.float32(0.5), 0.5), (10**400, np.inf),
     ("1", np.nan), (None, np.nan), (1j, np.nan), (np.timedelta64(3, "s"), np.nan)],
)  # fmt: skip
def test_a_number_is_a_float_and_anything_else_none(given, value):
    assert checks.real(given) == pytest.approx(value, nan_ok=True)


def test_rewards_are_held_to_their_rule():
    assert checks.reward(1, checks.UNIT_REWARD) == 1.0
    assert checks.reward(-1e100, checks.ANY_REWARD) == -1e100
    for given in (-0.1, 1.1, np.nan, "1"):
        assert refused(checks.reward, given, checks.UNIT_REWARD).startswith(
            "'reward' must be a number from 0 to 1; got"
        )
    assert "at most 1e+100 in size" in refused(checks.reward, 1.1e100, checks.ANY_REWARD)


@pytest.mark.parametrize("given", ["a", "", 0, 2**63 - 1, -(2**63), np.int32(5), np.str_("b")])
def test_ids_are_texts_or_whole_numbers_of_64_bits(given):
    found = checks.item_id(given)
    assert found == given
    assert type(found) in (str, int)


@pytest.mark.parametrize("given", [1.5, True, None, 2**63, -(2**63) - 1, (1,), b"a"])
def test_another_id_is_refused(given):
    told = refused(checks.item_ids, [given])
    assert told.startswith("'id' must be a str, or an int of at most 64 bits; got")


def test_counts_that_differ_are_told():
    checks.as_many("ids", [1, 2], 2, "items")
    told = refused(checks.as_many, "ids", [1], 2, "items")
    assert told == "'ids' must be as many as the 2 items; got 1"


@pytest.mark.parametrize("given", ["", "\0", 5, None, Hostile()])
def test_a_path_names_a_file(given):
    assert checks.path("a/b.npz").name == "b.npz"
    assert refused(checks.path, given, "file").startswith("'file' must be the name of a file; got")


@pytest.mark.parametrize("given", [None, [], {1: np.ones(2)}])
def test_arrays_come_in_a_dict_by_name(given):
    assert checks.arrays({"a": np.ones(2)})["a"].tolist() == [1.0, 1.0]
    assert refused(checks.arrays, given).startswith("'arrays' must be a dict of arrays")
