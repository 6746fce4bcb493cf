import numpy as np
import pytest

import hybandit
from hybandit import UCB, LinUCB
from hybandit.policies import ArmPolicy, Decision, make_policy, policy_names

X = [0.6, 0.8]


@pytest.mark.parametrize(
    ("arm", "rule"),
    [(-1, "from 0 to 2"), (3, "from 0 to 2"), (1.0, "from 0 to 2"), ("1", "from 0 to 2"),
     (True, "from 0 to 2"), (None, "from 0 to 2"), (np.float64(1), "from 0 to 2")],
)  # fmt: skip
def test_an_arm_is_a_whole_number_below_n_arms(policy, refused, arm, rule):
    assert refused(policy.learn, X, arm, 1.0).startswith(f"'arm' must be a whole number {rule}")
    assert refused(policy.retire_arm, arm).startswith(f"'arm' must be a whole number {rule}")


@pytest.mark.parametrize("arm", [1, np.int64(1), np.uint8(1)])
def test_whole_numbers_of_any_kind_are_arms(policy, arm):
    policy.learn(X, arm, 1.0)
    assert policy.statistics.counts.tolist() == [0.0, 1.0, 1.0]


@pytest.mark.parametrize("reward", [np.nan, np.inf, -np.inf, 1e101, "1", None, 1j, [1.0]])
def test_other_rewards_are_refused(policy, refused, reward):
    message = refused(policy.learn, X, 0, reward)
    assert message.startswith("'reward' must be a finite number of at most 1e+100 in size; got ")


def test_the_eligible_mask_limits_the_choice(policy):
    assert policy.choose([1.0, 0.0], eligible=[True, True, False]) in (0, 1)
    assert policy.choose([1.0, 0.0], eligible=np.array([False, True, False])) == 1
    decision = policy.decide([1.0, 0.0], eligible=[False, True, True])
    assert decision.arm == 2
    assert decision.probabilities.tolist() == [0.0, 0.0, 1.0]


def test_a_mask_must_leave_an_arm(policy, refused):
    rule = "'eligible' must be true for at least one arm not retired"
    assert refused(policy.choose, X, eligible=[False] * 3).startswith(rule)
    policy.retire_arm(1)
    assert refused(policy.choose, X, eligible=[False, True, False]).startswith(rule)


def test_a_batch_takes_one_mask_or_one_for_each(policy, refused):
    rows = np.ones((4, 2))
    assert policy.choose_many(rows, eligible=[False, True, False]).tolist() == [1] * 4
    masks = np.eye(3, dtype=bool)[[2, 0, 1, 2]]
    assert policy.choose_many(rows, eligible=masks).tolist() == [2, 0, 1, 2]
    message = refused(policy.choose_many, rows, eligible=masks[:3])
    assert message == "'eligible' must be one mask, or one for each of 4; got 3 masks"
    masks[1] = False
    assert "at least one arm" in refused(policy.choose_many, rows, eligible=masks)


@pytest.mark.parametrize("shape", [(2,), (3, 2), (5, 3), (5, 2, 2), (5, 3, 2, 1)])
def test_a_batch_has_one_more_dimension_than_a_context(policy, refused, shape):
    if shape == (3, 2):
        assert len(policy.choose_many(np.ones(shape))) == 3
    else:
        message = refused(policy.choose_many, np.ones(shape))
        assert message == f"'contexts' must be of shape (n, 2) or (n, 3, 2); got shape {shape}"


@pytest.mark.parametrize(
    ("arms", "rewards", "told"),
    [
        ([0, 1, 3], [1.0, 1.0, 1.0], "'arm' must be a whole number from 0 to 2; got 3"),
        ([0, 1, 2], [1.0, 1.0, np.nan], "'reward' must be a finite number"),
        ([0, 1, 2], [1.0, 1.0], "'rewards' must be as many as the 3 arms; got 2"),
        ([0, 1], [1.0, 1.0], "'contexts' must be as many as the 2 arms; got 3"),
        (1, [1.0], "'arms' must be a sequence; got 1"),
    ],
)
def test_if_one_of_many_is_refused_none_is_learned(policy, refused, arms, rewards, told):
    before = {name: array.copy() for name, array in policy.state().items()}
    assert refused(policy.learn_many, np.ones((3, 2)), arms, rewards).startswith(told)
    bad = [[1.0, 0.0], [0.0, 1.0], [np.nan, 0.0]]
    assert "'contexts' must be finite" in refused(policy.learn_many, bad, [0, 1, 2], [1.0] * 3)
    for name, array in policy.state().items():
        assert np.array_equal(array, before[name]), name


def test_a_policy_without_contexts_ignores_them(refused):
    policy = UCB(2, ties="first")
    assert policy.choose() == policy.choose([1.0, 2.0]) == policy.choose("anything") == 0
    policy.learn_many(None, [0, 1], [1.0, 0.0])
    policy.learn_many([[1.0], [2.0]], np.array([0, 1]), np.array([1.0, 0.0]))
    assert policy.statistics.counts.tolist() == [2.0, 2.0]
    assert policy.choose_many(range(3)).tolist() == [0, 0, 0]
    assert "'contexts' must be a sequence" in refused(policy.choose_many, 3)


def test_ties_are_broken_evenly_by_the_seed_or_by_the_first():
    many = np.ones((3000, 2))
    shares = np.bincount(LinUCB(3, 2, seed=1).choose_many(many)) / 3000
    assert shares == pytest.approx([1 / 3] * 3, abs=0.04)
    assert set(LinUCB(3, 2, ties="first").choose_many(many)) == {0}
    assert LinUCB(3, 2).decide(X).probabilities == pytest.approx([1 / 3] * 3)
    assert LinUCB(3, 2, ties="first").decide(X).probabilities.tolist() == [1.0, 0.0, 0.0]


def test_a_decision_tells_the_arm_its_probability_and_the_scores(policy):
    decision = policy.decide([1.0, 0.0])
    assert isinstance(decision, Decision)
    assert (decision.arm, decision.probability) == (2, 1.0)
    np.testing.assert_allclose(decision.scores, [1.0, 1.0, 0.5 + 0.5**0.5])


def test_an_arm_is_retired_once_and_the_last_one_never(policy, refused):
    policy.retire_arm(2)
    assert refused(policy.retire_arm, 2) == "'arm' must be an arm that is not retired; got 2"
    policy.retire_arm(0)
    message = refused(policy.retire_arm, 1)
    assert message == "'arm' must be other than the last active arm, which must stay; got 1"


@pytest.mark.parametrize(
    "name", ["beta-thompson", "kl-ucb", "enhanced-beta-thompson", "knn-kl-ucb"]
)
@pytest.mark.parametrize("reward", [-0.1, 1.1])
def test_policies_of_rewards_from_0_to_1_refuse_others(refused, name, reward):
    message = refused(hybandit.make_policy(name, 2, 2).learn, [0.0, 1.0], 0, reward)
    assert message == f"'reward' must be a number from 0 to 1; got {reward}"


def test_active_is_a_copy(policy):
    policy.active[:] = False
    assert policy.active.all()


def test_a_new_arm_widens_contexts_and_masks(policy, refused):
    assert policy.add_arm() == 3
    assert policy.choose(np.ones((4, 2)), eligible=[False, False, False, True]) == 3
    assert "(2,) or (4, 2)" in refused(policy.choose, np.ones((3, 2)))
    assert "a mask of 4 booleans" in refused(policy.choose, X, eligible=[True] * 3)


def test_a_policy_of_ones_own_needs_only_scores():
    class Last(ArmPolicy):
        def _scores(self, contexts, allowed, exact):
            return np.arange(self.n_arms, dtype=float)

    assert Last(4).choose() == 3
    assert Last(4).choose(eligible=[True, True, False, False]) == 1


def test_no_masks_fit_no_contexts():
    none = np.empty((0, 2), bool)
    assert len(hybandit.LinUCB(2, 2).choose_many(np.empty((0, 2)), eligible=none)) == 0


@pytest.mark.parametrize("arms", [["a", "b", "c"], ("a", "b", "c"), np.array(["a", "b", "c"])])
def test_names_take_the_place_of_a_number(arms):
    policy = LinUCB(arms=arms, n_features=2, seed=0)
    assert (policy.n_arms, policy.arms) == (3, ["a", "b", "c"])
    policy.learn([1.0, 0.0], "c", 1.0)
    decision = policy.decide([1.0, 0.0])
    assert (decision.arm, decision.name) == (2, "c")
    assert type(policy.choose([1.0, 0.0])) is int


@pytest.mark.parametrize(
    ("sizes", "told"),
    [
        ({}, "'n_arms' must be a whole number from 1 to 1,000,000,000; got nothing"),
        ({"arms": []}, "'n_arms' must be"),
        ({"arms": ["a", "a"]}, "'arms' must be names, no two alike, or None; got ['a', 'a']"),
        ({"arms": ["a", 1]}, "'arms' must be names"),
        ({"arms": "ab"}, "'arms' must be a sequence; got 'ab'"),
        ({"arms": 3}, "'arms' must be a sequence; got 3"),
        ({"n_arms": 3, "arms": ["a", "b"]}, "'arms' must be as many as the 3 arms"),
    ],
)
def test_names_are_texts_and_differ(refused, sizes, told):
    assert refused(LinUCB, n_features=2, **sizes).startswith(told)


def test_names_say_which_arms_may_be_chosen(refused):
    policy = UCB(arms=["a", "b", "c"], ties="first")
    for eligible in (["b", "c"], {"b", "c"}, ("c", "b"), np.array(["b", "c"])):
        assert policy.choose(eligible=eligible) == 1
    assert policy.choose_many(range(2), eligible=["c"]).tolist() == [2, 2]
    assert policy.choose_many(range(2), eligible=[["c"], ["b", "c"]]).tolist() == [2, 1]
    told = "'eligible' must be an arm's name; there are a, b, c; got 'x'"
    assert refused(policy.choose, eligible=["b", "x"]) == told
    policy.retire_arm("c")
    assert "at least one arm not retired" in refused(policy.choose, eligible=["c"])


def test_an_arms_name_that_is_unknown_is_answered_with_the_nearest(refused):
    policy = UCB(arms=["first", "second"])
    told = "'arm' must be an arm's name; did you mean 'second'?; got 'secnd'"
    assert refused(policy.learn, None, "secnd", 1.0) == told


def test_a_new_arm_has_a_name_if_the_others_do(refused, tmp_path):
    policy = UCB(arms=["a", "b"])
    assert policy.add_arm("c") == 2
    for name in ("a", None, 3):
        message = refused(policy.add_arm, name)
        assert message.startswith("'name' must be a text that is no arm's name yet")
    assert "left out, as these arms have no names" in refused(UCB(2).add_arm, "c")
    policy.save(tmp_path / "policy.npz")
    again = hybandit.load(tmp_path / "policy.npz")
    assert again.arms == ["a", "b", "c"]
    assert again.decide(eligible=["c"]).name == "c"


def test_exploring_draws_nothing_unless_asked_for():
    policy = LinUCB(3, 2, seed=0)
    policy.learn_many(np.eye(3, 2), [0, 1, 2], [1.0, 0.3, 0.2])
    before = policy._generator.bit_generator.state
    policy.choose([1.0, 0.0])
    assert policy._generator.bit_generator.state == before


def test_a_share_of_the_choices_is_uniform_among_the_eligible():
    policy = LinUCB(3, 2, alpha=0.0, explore=0.3, seed=0)
    policy.learn([1.0, 0.0], 2, 1.0)
    told = policy.decide([1.0, 0.0], eligible=[True, False, True]).probabilities
    assert told == pytest.approx([0.15, 0.0, 0.85])


def test_exploring_adds_to_what_a_policy_explores_itself():
    policy = hybandit.EpsilonGreedy(2, epsilon=0.5, explore=0.5, ties="first")
    policy.learn_many(None, [0, 1], [0.0, 1.0])
    assert policy.decide().probabilities == pytest.approx([0.375, 0.625])


class Hostile:
    """Fails whenever it is looked at."""

    def __getattr__(self, name):
        raise RuntimeError("hostile")

    def __array__(self, dtype=None, copy=None):
        raise RuntimeError("hostile")

    def __repr__(self):
        raise RuntimeError("hostile")

    __len__ = __iter__ = __float__ = __index__ = __bool__ = __repr__


ODD = {
    "hostile": Hostile,
    "0-d array": lambda: np.array(0),
    "span of time": lambda: np.timedelta64(0, "s"),
    "nanoseconds": lambda: np.timedelta64(1, "ns"),
    "masked": lambda: np.ma.masked,
}


@pytest.mark.parametrize("make", ODD.values(), ids=ODD)
def test_odd_objects_are_refused_wherever_they_come(policy, refused, make):
    odd = make()
    refused(policy.choose, odd)
    refused(policy.choose, X, eligible=odd)
    refused(policy.learn, X, odd, 1.0)
    if make is not ODD["0-d array"]:
        refused(policy.learn, X, 0, odd)
    refused(policy.learn_many, [X], odd, [1.0])
    refused(policy.learn_many, [X], [0], odd)
    refused(policy.choose_many, odd)
    refused(policy.retire_arm, odd)
    refused(policy.save, odd)
    refused(policy.restore, odd)
    refused(LinUCB, odd, 2)
    refused(LinUCB, 3, 2, alpha=odd)
    refused(LinUCB, arms=odd, n_features=2)


@pytest.mark.parametrize("name", policy_names(ArmPolicy))
def test_probabilities_of_many_contexts_are_those_of_each(name):
    generator = np.random.default_rng(0)
    policy = make_policy(name, 3, 2, seed=0, explore=0.1)
    contexts = generator.normal(size=(40, 2))
    policy.learn_many(contexts, generator.integers(0, 3, 40), generator.integers(0, 2, 40))
    before = policy.generator_state
    each = np.array([policy.probabilities(context) for context in contexts])
    np.testing.assert_allclose(policy.probabilities_many(contexts), each, atol=1e-9)
    own = generator.normal(size=(40, 3, 2))
    each = np.array([policy.probabilities(context) for context in own])
    np.testing.assert_allclose(policy.probabilities_many(own), each, atol=1e-9)
    assert policy.generator_state == before
