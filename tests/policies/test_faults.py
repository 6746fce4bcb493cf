"""Policies of one's own that break a rule are told which."""

from typing import ClassVar

import numpy as np
import pytest

import hybandit
from hybandit.errors import InvalidInput, PolicyError, UnknownName
from hybandit.experiments.players import find_player
from hybandit.policies import ArmPolicy, ContextualPolicy, ItemPolicy
from hybandit.policies.base import registry
from hybandit.policies.base.registry import instead
from hybandit.validation.settings import at_least, setting

NAN = np.array([0.0, 1.0, 0.0, np.nan])
RULE = "Faulty._scores must return an array of 4 numbers, one for each arm; got "


class Faulty(ContextualPolicy):
    """Returns whatever it is told to."""

    def _scores(self, contexts, allowed, exact):
        return self.given


class FaultyItems(ItemPolicy):
    def _values(self, context, items, ids):
        return self.given


def faulty(given, **settings):
    policy = Faulty(4, 2, seed=0, **settings)
    policy.given = given
    return policy


def calls(policy):
    rows = np.zeros((2, 2))
    return [
        lambda: policy.choose([0.0, 1.0]),
        lambda: policy.decide([0.0, 1.0]),
        lambda: policy.choose_many(rows),
        lambda: policy.score_many(rows),
    ]


def told(call):
    with pytest.raises(PolicyError) as caught:
        call()
    return str(caught.value)


@pytest.mark.parametrize("explore", [0.0, 1.0])
@pytest.mark.parametrize(
    ("given", "found"),
    [
        (NAN, "nan for arm 3"),
        (NAN[::-1].copy(), "nan for arm 0"),
        (np.full(4, np.nan), "nan for arm 0"),
        (np.zeros(3), "an array of shape (3,) and type float64"),
        (np.zeros(5), "an array of shape (5,) and type float64"),
        (np.zeros((1, 4)), "an array of shape (1, 4) and type float64"),
        (np.zeros(4, object), "an array of shape (4,) and type object"),
        ([0.0, 1.0, 0.0, 0.0], "a list"),
        (None, "a NoneType"),
        (1.0, "a float"),
    ],
    ids=str,
)
def test_scores_of_another_form_and_nan_are_refused_by_every_verb(given, found, explore):
    for call in calls(faulty(given, explore=explore)):
        assert told(call) == RULE + found


def test_arms_that_may_not_be_chosen_may_have_any_score():
    assert faulty(NAN).choose([0.0, 1.0], eligible=[True, True, True, False]) == 1


def test_the_arm_is_told_by_its_public_number():
    policy = faulty(NAN[1:].copy())
    policy.retire_arm(1)
    assert told(lambda: policy.choose([0.0, 1.0])) == RULE.replace("4", "3") + "nan for arm 3"


def test_infinite_scores_are_scores():
    assert faulty(np.array([-np.inf, 0.0, np.inf, 1.0])).choose([0.0, 1.0]) == 2


@pytest.mark.parametrize("explore", [0.0, "gap"])
@pytest.mark.parametrize(
    ("given", "found"),
    [
        (np.array([1.0, np.nan]), "nan for candidate 1"),
        (np.zeros(3), "shape (3,) and type float64"),
    ],
)
def test_faulty_values_of_items_are_refused_by_every_verb(given, found, explore):
    policy, items = FaultyItems(1, 1, explore=explore, seed=0), [[0.0], [1.0]]
    policy.given = given
    for call in (
        lambda: policy.choose([0.0], items),
        lambda: policy.decide([0.0], items),
        lambda: policy.rank([0.0], items),
        lambda: policy.choose_many([[0.0]], [items]),
        lambda: policy.score_many([[0.0]], [items]),
    ):
        message = told(call)
        assert message.startswith("FaultyItems._values must return an array of 2 numbers")
        assert message.endswith(found)


def test_an_array_among_the_parts_is_told_where_it_belongs():
    class Misplaced(ArmPolicy):
        _children = ("statistics", "_last")

        def _start(self):
            self._last = np.zeros(self.n_arms)

    assert told(lambda: Misplaced(2)) == (
        "Misplaced._children: '_last' must be a part, such as Ridge; arrays belong in _arrays"
    )


@pytest.mark.parametrize("last", [None, [0.0, 0.0], 0.0])
def test_what_is_no_array_is_not_among_the_arrays(last):
    class Plain(ArmPolicy):
        _arrays = (*ArmPolicy._arrays, "_last")

        def _start(self):
            self._last = last

    assert told(lambda: Plain(2)) == (
        "Plain._arrays: '_last' must be a NumPy array after _start; "
        "parts that are saved belong in _children"
    )


def test_arrays_of_the_base_class_may_not_be_left_out():
    def define():
        class Forgetful(ArmPolicy):
            _arrays = ("_last",)

    assert told(define) == (
        "Forgetful._arrays lacks ['_live_arms', '_late_rewards'] of its base: "
        "write _arrays = (*ArmPolicy._arrays, ...)"
    )


@pytest.mark.parametrize("kind", [np.int64, np.float32, np.uint8, bool])
def test_scores_may_be_numbers_of_any_kind(kind):
    assert faulty(np.array([0, 0, 1, 0], kind)).choose([0.0, 1.0]) == 2


@pytest.mark.parametrize("settings", [{}, {"explore": 1.0}])
def test_a_column_is_no_row_of_scores(settings):
    policy = faulty(np.zeros((4, 1)), **settings)
    for call in calls(policy):
        assert told(call) == RULE + "an array of shape (4, 1) and type float64"
    policy, items = FaultyItems(1, 1, seed=0, **settings), [[0.0], [1.0]]
    policy.given = np.zeros((2, 1))
    for call in (policy.choose, policy.decide, policy.rank):
        assert told(lambda call=call: call([0.0], items)).endswith("shape (2, 1) and type float64")


@pytest.mark.parametrize("given", [None, np.nan, np.inf, "0", np.zeros(1)])
def test_what_learning_must_return_is_told(given):
    class Silent(ItemPolicy):
        def _learn(self, context, item, name, reward):
            return given

    policy = Silent(1, 1, seed=0)
    for call in (
        lambda: policy.learn([0.0], [0.0], 1.0),
        lambda: policy.learn_many([[0.0]], [[0.0]], [1.0]),
    ):
        assert told(call) == (
            "Silent._learn must return a finite number, by how much the reward exceeded the "
            f"expected one; got {given!r}"
        )
    assert not policy.known(["a"]).any()


def test_what_has_a_type_and_is_no_setting_is_refused_unless_private_or_of_the_class():
    def define():
        class Warm(ItemPolicy):
            temperature: float = 0.5

    assert told(define) == (
        "Warm.temperature has a type but is no setting: write temperature: ... = "
        "setting(default=..., rule=..., doc=...), or ClassVar[...] as its type"
    )

    class Typed(ItemPolicy):
        FEWEST: ClassVar[int] = 3
        _weights: np.ndarray
        _turn: int = 0

    assert repr(Typed(1, 1)) == "Typed(n_context=1, n_item=1)"
    with pytest.raises(TypeError, match="_turn"):
        Typed(1, 1, _turn=1)


@pytest.mark.parametrize("bad", ["My Policy", "mine:1", "mine_2", "", "-mine"])
def test_a_name_is_lower_case_letters_digits_and_hyphens(bad):
    with pytest.raises(InvalidInput, match=r"'Misnamed\.name' must be made of lower-case letters"):
        type("Misnamed", (ItemPolicy,), {"name": bad})


def test_a_class_without_a_name_of_its_own_is_not_saved(tmp_path):
    class Heir(hybandit.LinUCB):
        pass

    assert told(lambda: Heir(2, 2).save(tmp_path / "heir.npz")).endswith(
        "Heir needs a name of its own: write name = 'my-policy' in the class"
    )
    assert not list(tmp_path.iterdir())


def test_parts_of_the_base_are_kept_whatever_parts_a_class_names():
    class Gapless(ItemPolicy):
        _children = ()

    class Bare(ArmPolicy):
        _children = ()

    assert {"_gap", "_seen"} <= set(Gapless._children)
    assert "statistics" in Bare._children


def test_items_are_known_from_their_first_reward_until_they_are_forgotten():
    class Plain(ItemPolicy):
        def _learn(self, context, item, name, reward):
            return 0.0

        def _forget(self, name):
            pass

    policy = Plain(1, 1, max_items=2)
    for name in ("a", "b", None, "a", "c"):
        policy.learn([0.0], [0.0], 1.0, id=name)
    assert policy.known(["a", "b", "c", "new"]).tolist() == [True, False, True, False]
    assert policy.remembered == 2
    policy.forget_item("a")
    assert policy.known(["a", "c"]).tolist() == [False, True]


def learns_nothing(self, context, item, reward):
    return 0.0


def without_exact(self, contexts, allowed):
    return np.zeros(self._n_live)


@pytest.mark.parametrize(
    ("kind", "parts", "message"),
    [
        (
            ItemPolicy, {"_learn": learns_nothing},
            "Own._learn must take (self, context, item, name, reward); "
            "it takes (self, context, item, reward)",
        ),
        (
            ItemPolicy, {"_values": without_exact},
            "Own._values must take (self, context, items, ids); "
            "it takes (self, contexts, allowed)",
        ),
        (
            ContextualPolicy, {"_scores": without_exact},
            "Own._scores must take (self, contexts, allowed, exact); "
            "it takes (self, contexts, allowed)",
        ),
        (
            ArmPolicy, {"alpha": setting(default=0.5, rule=at_least(0), doc="width")},
            "Own.alpha: a setting needs a type: write alpha: float = setting(...), or int, str, "
            "bool",
        ),
        (
            ArmPolicy, {"__init__": lambda self, alpha: None},
            "Own has an __init__, which its settings make: declare them as "
            "name: float = setting(...), and build its parts in _start(self)",
        ),
    ],
    ids=["_learn", "_values", "_scores", "no type", "__init__"],
)  # fmt: skip
def test_a_class_that_cannot_work_is_refused_when_it_is_defined(kind, parts, message):
    assert told(lambda: type("Own", (kind,), parts)) == message


def test_what_takes_more_than_it_needs_is_a_method_too():
    class Loose(ItemPolicy):
        def _values(self, *given):
            return np.zeros(len(given[1]))

        def _learn(self, context, item, name, reward, twice=False):
            return reward

    policy = Loose(1, 1, seed=0)
    policy.learn([0.0], [1.0], 1.0)
    assert policy.choose([0.0], [[1.0]]) == 0


@pytest.mark.parametrize(
    ("kind", "call", "method"),
    [
        (ItemPolicy, lambda policy: policy.choose([0.0], [[0.0]]), "_values(context, items, ids)"),
        (
            ItemPolicy, lambda policy: policy.learn([0.0], [0.0], 1.0),
            "_learn(context, item, name, reward)",
        ),
        (
            ContextualPolicy, lambda policy: policy.choose([0.0]),
            "_scores(contexts, allowed, exact)",
        ),
    ],
)  # fmt: skip
def test_a_method_that_is_missing_is_told_with_what_it_takes(kind, call, method):
    policy = type("Own", (kind,), {})(1, 1)
    assert told(lambda: call(policy)).startswith(f"Own needs a method {method}, which ")


def test_a_plain_attribute_is_no_setting():
    assert instead(type("Own", (ItemPolicy,), {"alpha": 0.5}), "alpha", ["ties"]) == (
        "; alpha = 0.5 in the class is none: "
        "write alpha: float = setting(default=0.5, rule=..., doc=...)"
    )
    assert instead(ItemPolicy, "tie", ["ties"]) == "; did you mean 'ties'?"


def test_both_doors_tell_of_a_plain_attribute(monkeypatch):
    monkeypatch.setattr(registry, "_policies", dict(registry._policies))
    type("Own", (ItemPolicy,), {"name": "plain-own", "alpha": 0.5})
    for door in (
        lambda: hybandit.make_policy("plain-own", 1, 1, alpha=1.0),
        lambda: find_player("plain-own").resolved({"alpha": 1.0}),
    ):
        with pytest.raises(UnknownName, match=r"plain-own has no setting 'alpha'; alpha = 0.5 in"):
            door()
