import numpy as np
import pytest

from hybandit import LNUCBTA, StackedHybrid


@pytest.mark.parametrize(
    "context",
    [
        [1, 0],
        (1.0, 0.0),
        [True, False],
        np.array([1, 0]),
        np.array([1, 0], np.uint8),
        np.array([True, False]),
        np.array([1, 0], np.float32),
        np.array([1.0, 9.0, 0.0])[::2],
        np.asfortranarray(np.tile([1.0, 0.0], (3, 1))),
        [[1, 0]] * 3,
        np.array([1.0, 0.0]).astype(">f8"),
    ],
    ids=str,
)
def test_anything_that_holds_numbers_is_a_context(policy, context):
    assert policy.choose(context) == 2
    policy.learn(context, 2, 1.0)
    assert policy._estimate.weights[2] == pytest.approx([2 / 3, 0.0])


def test_read_only_contexts_are_fine_and_no_context_is_written_to(policy):
    x = np.array([1.0, 0.0])
    x.setflags(write=False)
    assert policy.choose(x) == 2
    rows = np.array([[1.0, 0.0], [0.0, 1.0]])
    rows.setflags(write=False)
    policy.choose_many(rows)
    policy.learn_many(rows, [0, 1], [1.0, 0.0])


@pytest.mark.parametrize("kind", [LNUCBTA, StackedHybrid])
def test_a_context_changed_after_the_call_changes_nothing(kind):
    changed, fresh = kind(2, 2, seed=0), kind(2, 2, seed=0)
    x = np.empty(2)
    for number in range(20):
        x[:] = number % 3, number % 5
        arm = changed.choose(x)
        assert arm == fresh.choose(x.copy())
        changed.learn(x, arm, number % 2)
        fresh.learn(x.copy(), arm, number % 2)


@pytest.mark.parametrize(
    ("context", "message"),
    [
        ([1.0], "of shape (2,) or (3, 2); got shape (1,)"),
        (np.zeros((4, 2)), "of shape (2,) or (3, 2); got shape (4, 2)"),
        (np.zeros((2, 3)), "of shape (2,) or (3, 2); got shape (2, 3)"),
        (1.0, "of shape (2,) or (3, 2); got shape ()"),
        (None, "an array of numbers; got "),
        ("ab", "an array of numbers; got "),
        ([[1.0], [1.0, 2.0]], "an array of numbers; got [[1.0], [1.0, 2.0]]"),
        ([1j, 0], "an array of numbers; got "),
        ([1.0, None], "numbers in every column; encode others first"),
    ],
)
def test_what_is_no_context_is_refused_in_words(policy, refused, context, message):
    expected = f"'context' must be {message}"
    assert refused(policy.choose, context).startswith(expected)
    assert refused(policy.decide, context).startswith(expected)
    assert refused(policy.learn, context, 0, 1.0).startswith(expected)


@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf, 1e101])
def test_a_number_out_of_range_is_refused_with_its_place(policy, refused, bad):
    rule = "must be finite numbers of at most 1e+100 in size"
    assert rule in refused(policy.choose, [0.0, bad])
    assert f"{bad} at [1]" in refused(policy.choose, [0.0, bad])
    assert f"{bad} at [2, 1]" in refused(policy.decide, [[0.0, 0.0], [0.0, 0.0], [0.0, bad]])
    assert f"{bad} at [1, 0]" in refused(policy.choose_many, [[0.0, 0.0], [bad, 0.0]])
    assert policy.choose([0.0, 1e100]) in range(3)
