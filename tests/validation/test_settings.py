import inspect
import math
from dataclasses import dataclass

import numpy as np
import pytest

import hybandit
from hybandit import KNNUCB, LNUCBTA, UCB, BetaThompson, LinUCB, StackedHybrid
from hybandit.errors import InvalidInput
from hybandit.validation.settings import (
    above,
    at_least,
    between,
    boolean,
    check_settings,
    configure,
    either,
    inside,
    nothing,
    one_of,
    setting,
    settings_of,
    whole,
)


@pytest.mark.parametrize(
    ("rule", "good", "bad"),
    [
        (at_least(0), [0, 0.0, 2.5, np.float32(1)], [-1e-9, math.nan, math.inf, "1", None, True]),
        (above(0), [1e-9, 3], [0, -1, math.nan, math.inf, False]),
        (between(0, 1), [0, 1, 0.5], [-0.1, 1.1, math.nan, True]),
        (inside(0, 1), [0.5, 1e-9], [0, 1, 1.0, math.nan, True, "0.5"]),
        (whole(1), [1, np.int32(7)], [0, 1.0, "1", None, True, 1.5]),
        (one_of("a", "b"), ["a", "b"], ["c", "", None, 0, ["a"]]),
        (boolean(), [True, False], [0, 1, None, "True"]),
        (nothing(), [None], [0, False, ""]),
        (either(whole(0), nothing()), [0, None], [-1, "x"]),
    ],
)
def test_a_rule_holds_for_what_it_says(rule, good, bad):
    assert all(rule.holds(value) for value in good)
    assert not any(rule.holds(value) for value in bad)


@pytest.mark.parametrize(
    ("rule", "text"),
    [
        (at_least(0), "a number of at least 0"),
        (above(0.5), "a number above 0.5"),
        (between(0, 1), "a number from 0 to 1"),
        (inside(0, 1), "a number above 0 and below 1"),
        (whole(1), "a whole number of at least 1"),
        (one_of("a", "b"), "'a' or 'b'"),
        (boolean(), "True or False"),
        (either(whole(0), nothing()), "a whole number of at least 0, or None"),
    ],
)
def test_a_rule_says_itself_in_words(rule, text):
    assert rule.text == text


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: LinUCB(3, 2, alpha=-1), "'alpha' must be a number of at least 0; got -1"),
        (lambda: LinUCB(3, 2, alpha=True), "'alpha' must be a number of at least 0; got True"),
        (lambda: LinUCB(3, 2, alpha=math.nan), "'alpha' must be a number of at least 0; got nan"),
        (lambda: LinUCB(3, 2, reg=0), "'reg' must be a number from 1e-12 to 1e+12; got 0"),
        (lambda: LinUCB(0, 2), "'n_arms' must be a whole number from 1 to 1,000,000,000; got 0"),
        (
            lambda: LinUCB(3, 1.5),
            "'n_features' must be a whole number from 1 to 1,000,000,000; got 1.5",
        ),
        (lambda: LinUCB(3, 2, kappa=2), "'kappa' must be a number from 0 to 1; got 2"),
        (lambda: LinUCB(3, 2, rate="fast"), "'rate' must be 'constant' or 'attention'; got 'fast'"),
        (lambda: UCB(3, ties="last"), "'ties' must be 'random' or 'first'; got 'last'"),
        (lambda: UCB(3, seed=-1), "'seed' must be a whole number of at least 0, or None; got -1"),
        (lambda: UCB(3, seed=0.5), "'seed' must be a whole number of at least 0, or None; got 0.5"),
        (lambda: UCB(True), "'n_arms' must be a whole number from 1 to 1,000,000,000; got True"),
        (lambda: BetaThompson(2, a=0), "'a' must be a number from 0.1 to 1e+12; got 0"),
        (
            lambda: KNNUCB(2, 1, phi="lin"),
            "'phi' must be a number of at least 0, or 'log'; got 'lin'",
        ),
        (
            lambda: KNNUCB(2, 1, max_k=0),
            "'max_k' must be a whole number of at least 1, or None; got 0",
        ),
        (lambda: LNUCBTA(2, 1, k_max=4.0), "'k_max' must be a whole number of at least 1; got 4.0"),
        (lambda: StackedHybrid(2, 1, centre=1), "'centre' must be True or False; got 1"),
        (
            lambda: StackedHybrid(2, 1, memory="window(0)"),
            "'memory' must be window(M) or reservoir(M), M a whole number of at least 1, or None; "
            "got 'window(0)'",
        ),
        (
            lambda: LinUCB(2, 1, forget=1),
            "'forget' must be a number above 0.001 and below 1, or None; got 1",
        ),
        (
            lambda: LNUCBTA(2, 1, forget=0.9, memory="reservoir(5)"),
            "'memory' must be window(M) or None where the past fades; got 'reservoir(5)'",
        ),
        (
            lambda: LNUCBTA(2, 1, forget=0.9, gamma=0.1),
            "'gamma' must be 0 where levels are kept or the past fades; got 0.1",
        ),
    ],
)
def test_a_bad_setting_is_refused_by_name_rule_and_value(make, message):
    with pytest.raises(InvalidInput) as caught:
        make()
    assert str(caught.value) == message


def test_settings_are_listed_in_order_with_their_rules_and_words():
    @dataclass
    class Example:
        n: int = setting(kw_only=False, rule=whole(1), doc="how many")
        alpha: float = setting(default=0.5, rule=at_least(0), doc="how much")
        other: int = 3

    listed = settings_of(Example)
    assert [entry.name for entry in listed] == ["n", "alpha"]
    assert [entry.metadata["doc"] for entry in listed] == ["how many", "how much"]
    check_settings(Example(1))
    with pytest.raises(InvalidInput, match="'alpha'"):
        check_settings(Example(1, alpha=-2))


@pytest.mark.parametrize(
    "kind", [np.int8, np.uint8, np.int64, np.uint64, np.float32, np.longdouble]
)
def test_numpy_numbers_become_plain_ones(kind, tmp_path):
    policy = LinUCB(3, 2, alpha=kind(1))
    assert type(policy.alpha) in (int, float)
    policy.save(tmp_path / "policy.npz")
    assert hybandit.load(tmp_path / "policy.npz").alpha == 1


def test_numpy_sizes_cannot_overflow():
    policy = LinUCB(np.uint8(255), np.int8(2))
    assert [policy.add_arm(), policy.add_arm()] == [255, 256]
    assert policy.n_arms == len(policy.active) == 257
    assert policy.choose([0.6, 0.8]) < 257


def test_numpy_texts_and_flags_become_plain_ones():
    policy = StackedHybrid(2, 2, ties=np.str_("first"), centre=np.True_)
    assert type(policy.ties) is str
    assert policy.centre is True


def test_help_lists_every_setting_with_its_rule_and_meaning():
    text = inspect.getdoc(LNUCBTA)
    section = text[text.index("Parameters\n----------\n") : text.index("References\n")]
    words = " ".join(section.split())
    places = []
    for entry in settings_of(LNUCBTA):
        doc, rule = entry.metadata["doc"], entry.metadata["rule"].text
        places.append(words.index(f" {entry.name} : "))
        assert f"{doc[0].upper()}{doc[1:]}. Must be {rule}." in words
    assert places == sorted(places)
    sizes = [line for line in section.splitlines() if line.endswith(" : int")]
    assert sizes[:2] == ["n_arms : int", "n_features : int"]
    assert "alpha : float, default 1.0" in words


def test_a_docstring_without_sections_gets_the_settings_at_its_end():
    class Example:
        """One line."""

        n: int = setting(kw_only=False, rule=whole(1), doc="how many")

    configure(Example)
    assert inspect.getdoc(Example).splitlines() == [
        "One line.",
        "",
        "Parameters",
        "----------",
        "n : int",
        "    How many. Must be a whole number of at least 1.",
    ]
