import pytest

import hybandit
from hybandit.notebook import MOST_ROWS, card


def test_everything_is_escaped_and_what_is_missing_is_a_dash():
    html = card("<t>", [("<n>", None)], told=["<s>"], heads=["<h>"], rows=[("<a>", "<b>")])
    for text in ("t", "n", "s", "h", "a", "b"):
        assert f"&lt;{text}&gt;" in html
        assert f"<{text}>" not in html
    assert ">-</td>" in html


def test_long_tables_are_cut_off_and_say_so():
    html = card("t", heads=["n"], rows=[(n,) for n in range(MOST_ROWS + 7)])
    assert html.count("<tr>") == MOST_ROWS + 1
    assert "and 7 more" in html


def test_a_decision_is_short_and_shows_every_arm_the_chosen_one_first():
    policy = hybandit.UCB(arms=["tea", "<b>"], ties="first", seed=0)
    decision = policy.decide()
    assert repr(decision) == "Decision(arm=0, name='tea', probability=1)"
    html = decision._repr_html_()
    assert html.index(">tea</th>") < html.index(">&lt;b&gt;</th>")
    items = hybandit.ItemLinUCB(1, 1, ties="first", seed=0).decide([1.0], [[1.0], [3.0]])
    assert repr(items) == "ItemDecision(index=1 of 2, probability=1)"
    assert items._repr_html_().index(">1</th>") < items._repr_html_().index(">0</th>")


@pytest.mark.parametrize("retired", [False, True])
def test_a_policy_shows_its_settings_and_what_its_arms_earned(retired):
    policy = hybandit.LinUCB(n_arms=3, n_features=1, arms=["tea", "<b>", "milk"], alpha=0.3)
    policy.learn_many([[1.0]] * 4, ["<b>", "<b>", "tea", "milk"], [1.0, 0.5, 0.0, 0.0])
    if retired:
        policy.retire_arm("tea")
    html = policy._repr_html_()
    assert ">0.3</td>" in html
    assert "&lt;b&gt;</th>" in html
    assert "<b>" not in html
    assert ">2</td>" in html
    assert ">0.75</td>" in html
    assert (">tea</th>" in html) is not retired
    assert "item-hybrid" in hybandit.ItemHybrid(2, 2)._repr_html_()
