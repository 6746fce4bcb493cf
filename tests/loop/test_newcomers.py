import multiprocessing

import numpy as np
import pytest
from clocked_loop import ClockedLoop

from hybandit import Loop
from hybandit.loop.learning.items import shares
from hybandit.loop.learning.names import NamedArms
from hybandit.loop.newcomers import bounded
from hybandit.policies import ItemHybrid, ItemLinUCB, ItemLNUCBTA, LinTS, LinUCB, StackedHybrid

X = np.array([1.0, 0.5])


def first_is_best(offered):
    chances = np.zeros(len(offered))
    chances[offered.argmax()] = 1.0
    return chances


@pytest.mark.parametrize(
    ("known", "expected"),
    [
        ([True, False], [1.0, 0.0]),
        ([False, True], [0.2, 0.8]),
        ([False, False], [1.0, 0.0]),
        ([False, False, True], [0.2, 0.0, 0.8]),
    ],
)
def test_what_a_newcomer_may_not_have_goes_to_the_known(known, expected):
    chances = first_is_best(np.ones(len(known), bool))
    found = bounded(chances, first_is_best, np.array(known), 0.2)
    np.testing.assert_allclose(found, expected)


@pytest.mark.parametrize("kind", [StackedHybrid, LinUCB, LinTS])
def test_a_new_name_is_bounded_whatever_the_policy_of_arms(kind):
    names = NamedArms(lambda n_arms: kind(n_arms, 2, seed=0))
    for number in range(60):
        names.learn(X, "ab"[number % 2], float(number % 3 == 0))
    offer = ["a", "b", "new", "newer"]
    free = names.probabilities(X, offer, newcomers=1.0)
    told = names.probabilities(X, offer, newcomers=0.1)
    assert free[2:].sum() > 0.2
    assert told.sum() == pytest.approx(1.0)
    assert (told[2:] <= 0.1).all()
    among_known = names.probabilities(X, ["a", "b"], newcomers=0.1)
    np.testing.assert_allclose(told[:2] / told[:2].sum(), among_known, atol=0.2)


@pytest.mark.parametrize("kind", [ItemHybrid, ItemLinUCB, ItemLNUCBTA])
def test_a_policy_of_items_tells_whom_it_knows(kind):
    policy = kind(2, 1, seed=0)
    policy.learn(X, [1.0], 0.5, id="a")
    assert policy.known(["a", 7, "b"]).tolist() == [True, False, False]
    policy.forget_item("a")
    assert policy.known(["a"]).tolist() == [False]


@pytest.mark.parametrize("kind", [ItemHybrid, ItemLinUCB])
def test_exploration_of_a_new_item_is_bounded(kind):
    policy = kind(2, 1, alpha=20.0, seed=0)
    for number in range(60):
        policy.learn(X, [1.0 + number % 2], float(number % 2), id=number % 2)
    items, ids = np.array([[1.0], [2.0], [-5.0]]), [0, 1, 2]
    assert shares(policy, X, items, ids, newcomers=1.0)[2] == 1.0
    told = shares(policy, X, items, ids, newcomers=0.1)
    assert told[2] == pytest.approx(0.1)
    assert told.sum() == pytest.approx(1.0)
    policy.learn(X, [-5.0], 0.0, id=2)
    assert shares(policy, X, items, ids, newcomers=0.1)[2] > 0.9
    judged = np.array([True, True, False])
    assert shares(policy, X, items, ids, 0.1, judged)[2] == pytest.approx(0.1)


def test_a_new_item_that_its_features_make_the_best_is_shown():
    policy = ItemHybrid(2, 1, alpha=0.0, seed=0)
    for number in range(200):
        policy.learn(X, [number % 5 / 5], number % 5 / 5, id=number % 5)
    items, ids = np.array([[0.2], [0.6], [1.2]]), [1, 3, 7]
    assert shares(policy, X, items, ids, newcomers=0.1).tolist() == [0.0, 0.0, 1.0]


def test_a_worthless_newcomer_of_a_loop_is_seldom_shown_until_its_window_ends(tmp_path):
    with Loop(tmp_path / "loop.db", wait=None) as loop:
        for number in range(80):
            decision = loop.rank({"n": number % 5}, ["a", "b"])
            loop.reward(decision.event, float(decision.action == "a"))
        loop.wait_for()
        offers = [loop.rank({"n": 1}, ["a", "b", "new"]) for _ in range(20)]
        # Nobody rewards these, and nothing is learned of the new one.
        assert {dict(each.ranking)["new"] for each in offers} <= {dict(offers[0].ranking)["new"]}
        assert dict(offers[0].ranking)["new"] <= 0.1
        loop.change(newcomers=0.5)
        assert dict(loop.rank({"n": 1}, ["a", "b", "new"]).ranking)["new"] > 0.4


def test_a_newcomer_stays_bounded_until_no_more_of_it_is_pending_than_closed(tmp_path):
    def asked(count, names, payer):
        for _ in range(count):
            decision = loop.rank({}, names)
            loop.reward(decision.event, float(decision.action == payer))
        return dict(decision.ranking)

    def later(hours, learned):
        ClockedLoop.time += 3600.0 * hours
        while loop.status().learned < learned:
            loop.wait_for()

    ClockedLoop.time = 1e6
    with ClockedLoop(tmp_path / "loop.db", wait="1 h") as loop:
        asked(300, ["a", "b"], None)
        later(2, learned=300)
        asked(10, ["new"], "new")
        later(0.5, learned=300)
        asked(20, ["new"], "new")
        later(0.6, learned=310)
        assert asked(1, ["a", "b", "new"], None)["new"] <= 0.11
        later(1.1, learned=331)
        assert asked(1, ["a", "b", "new"], None)["new"] > 0.5


def visits(place, who, offer, count, told=None):
    """Visitors within one window, by one process, and which actions they saw."""
    draw, shown = np.random.default_rng(0), []
    with ClockedLoop(place, wait="1 h", learn=told is None) as loop:
        for number in range(count):
            context = {"n": number % 5}
            shown.append(loop.rank(context, offer, event=f"{who} {number}").action)
            if draw.random() < (0.3 if shown[-1] == "3" else 0.15):
                loop.reward(f"{who} {number}", 1.0)
        if told is not None:
            told.put(shown)
            return
        ClockedLoop.time += 2 * 3600.0
        while loop.status().learned < count:
            loop.wait_for()


@pytest.mark.slow
@pytest.mark.parametrize("described", [False, True])
def test_a_worthless_newcomer_in_its_first_window_with_two_processes(tmp_path, described):
    def offered(names):
        return {name: {"length": len(name)} for name in names} if described else list(names)

    ClockedLoop.time = 1e6
    visits(tmp_path / "loop.db", "first", offered("01234"), 300)
    spawn = multiprocessing.get_context("spawn")
    told = spawn.Queue()
    rankers = [
        spawn.Process(
            target=visits, args=(tmp_path / "loop.db", f"{who}", offered("012345"), 300, told)
        )
        for who in range(2)
    ]
    for ranker in rankers:
        ranker.start()
    shown = told.get(timeout=120) + told.get(timeout=120)
    for ranker in rankers:
        ranker.join(60)
        assert ranker.exitcode == 0
    assert len(shown) == 600
    assert 0.01 < shown.count("5") / 600 <= 0.1
