import pickle

import numpy as np
import pytest

import hybandit
from hybandit import UCB, ItemHybrid
from hybandit.errors import InvalidInput, ModelFileError
from hybandit.policies import ArmPolicy, Policy, make_policy, policy_names


def test_a_policy_shows_its_sizes_and_what_differs_from_the_defaults():
    assert repr(UCB(3, rho=1.5, seed=2)) == "UCB(n_arms=3, seed=2, rho=1.5)"
    assert repr(UCB(arms=["a", "b"])) == "UCB(n_arms=2, arms=['a', 'b'])"
    assert repr(ItemHybrid(2, 1, explore="gap")) == (
        "ItemHybrid(n_context=2, n_item=1, explore='gap')"
    )


def test_no_verb_is_shared_that_the_families_would_have_to_change():
    verbs = {"choose", "decide", "learn", "choose_many", "score_many", "learn_many"}
    assert not verbs & set(vars(Policy))


@pytest.mark.parametrize("name", policy_names(ArmPolicy))
def test_every_policy_can_be_pickled(name):
    policy = make_policy(name, 3, 2, seed=0)
    policy.learn_many(np.eye(3, 2), np.arange(3), [0.5] * 3)
    twin = pickle.loads(pickle.dumps(policy))
    assert repr(twin) == repr(policy)
    assert twin.choose([0.6, 0.8]) == policy.choose([0.6, 0.8])


def test_arrays_out_of_range_are_refused_without_talk_of_a_file():
    policy = UCB(2)
    beyond = {**policy.state(), "statistics/counts": np.array([-1.0, 0.0])}
    with pytest.raises(ModelFileError) as caught:
        policy.restore(beyond)
    assert str(caught.value) == "array 'counts' holds numbers outside 0 to 9.0072e+15"


@pytest.mark.parametrize("path", [None, 3, object(), ["a"], b"a\0b", "", "/", "\ud800"])
def test_what_is_no_file_name_is_refused(path):
    with pytest.raises(InvalidInput, match="'path' must be the name of a file"):
        UCB(2).save(path)
    with pytest.raises(InvalidInput, match="'path' must be the name of a file"):
        hybandit.load(path)
