import pytest

from benchmarks.walks import of_loop, of_policy, through_the_tree


@pytest.mark.parametrize(("name", "most"), [("lnucb-ta", (29, 28)), ("stacked-hybrid", (40, 55))])
def test_a_decision_and_its_reward_are_a_short_walk(name, most):
    assert all(len(calls) <= limit for (_, calls), limit in zip(of_policy(name), most, strict=True))


def test_a_choice_through_the_tree_is_a_short_walk():
    ((_, calls),) = through_the_tree()
    assert "tree_search.search" in calls
    assert len(calls) <= 64


def test_a_decision_of_the_loop_is_short():
    (_, calls), (_, with_a_new_action) = of_loop()
    assert len(calls) <= 133
    assert len(with_a_new_action) <= 180
