import numpy as np
import pytest

import hybandit
from hybandit.errors import HybanditError, InvalidInput, UnknownName
from hybandit.policies import Policy, find_policy, make_policy, policy_names
from hybandit.policies.base.registry import register
from hybandit.validation.settings import settings_of

OURS = [name for name in policy_names() if find_policy(name).__module__.startswith("hybandit.")]


def test_every_public_policy_class_is_registered_under_its_own_name():
    public = {
        kind
        for kind in (getattr(hybandit, name) for name in hybandit.__all__)
        if isinstance(kind, type) and issubclass(kind, Policy) and kind.name
    }
    assert {find_policy(name) for name in OURS} == public
    assert all(find_policy(name).name == name for name in OURS)


@pytest.mark.parametrize("name", OURS)
def test_every_policy_says_what_it_is_with_an_example(name):
    text = find_policy(name).__doc__
    assert text.strip().splitlines()[0].endswith((".", ":"))
    assert "Examples\n" in text
    assert f">>> policy = {find_policy(name).__name__}(" in text


@pytest.mark.parametrize("name", OURS)
def test_a_policy_has_at_most_six_bases(name):
    bases = find_policy(name).__mro__[1:-1]
    assert len(bases) <= 6, [each.__name__ for each in bases]


@pytest.mark.parametrize("name", OURS)
def test_every_setting_is_explained_in_one_line(name):
    for entry in settings_of(find_policy(name)):
        doc = entry.metadata["doc"]
        assert doc.strip()
        assert "\n" not in doc


@pytest.mark.parametrize(
    ("wrong", "right"),
    [("lnucbta", "lnucb-ta"), ("lin_ucb", "lin-ucb"), ("stacked-hibrid", "stacked-hybrid")],
)
def test_an_unknown_policy_is_answered_with_the_nearest(wrong, right):
    with pytest.raises(UnknownName) as caught:
        find_policy(wrong)
    told = f"no policy is called {wrong!r} (one of your own: module:Class); did you mean {right!r}?"
    assert str(caught.value) == told


@pytest.mark.parametrize("name", [None, 5, b"ucb", ["ucb"], {}, hybandit.UCB, np.array("ucb")])
def test_what_is_no_name_is_refused(name):
    with pytest.raises(InvalidInput, match="'name' must be the name of a policy; got "):
        make_policy(name, 2)


@pytest.mark.parametrize("name", OURS)
def test_every_policy_can_be_made_by_name(name):
    policy = make_policy(name, 3, 4, seed=5)
    assert type(policy) is find_policy(name)
    sizes = [entry.name for entry in settings_of(policy) if not entry.kw_only]
    assert [getattr(policy, size) for size in sizes] == [3, 4][: len(sizes)]
    assert policy.seed == 5
    assert getattr(policy, "n_features", 4) == 4


def test_an_unknown_setting_suggests_the_nearest_or_lists_them_all():
    with pytest.raises(UnknownName, match="ucb has no setting 'rhoo'; did you mean 'rho'"):
        make_policy("ucb", 3, 4, rhoo=1)
    with pytest.raises(UnknownName, match="there are arms, explore, n_arms, rho, seed, ties"):
        make_policy("ucb", 3, 4, beta=1)


def test_a_name_can_be_taken_only_once():
    class Impostor:
        name = "lin-ucb"

    with pytest.raises(
        HybanditError, match=r"'lin-ucb' is taken by hybandit\.policies\.lin_ucb\.LinUCB"
    ):
        register(Impostor)
    assert find_policy("lin-ucb") is hybandit.LinUCB


def test_a_class_without_a_name_stays_out():
    before = policy_names()

    class Unnamed(hybandit.LinUCB):
        pass

    assert policy_names() == before
    assert Unnamed(2, 2).choose([0.0, 1.0]) in (0, 1)
