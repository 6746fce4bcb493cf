import numpy as np

from hybandit.estimators import Observations
from hybandit.estimators.index import AdaptiveIndex, Query, Scan, tree_from
from hybandit.estimators.index.back_off import FIRST_REST, TRIAL

ARMS = 4
KS = np.array([1, 20, 0, 5])


def filled(contexts, enough=None):
    observations = Observations(contexts.shape[1])
    index = AdaptiveIndex(observations, enough)
    for number, x in enumerate(contexts):
        index.add(observations.append(x, number % ARMS, 0.0))
    return index, observations


def structured(generator, count):
    return generator.normal(size=(count, 3)) @ generator.normal(size=(3, 64))


def test_a_tree_is_used_from_some_observations_on_and_earlier_for_long_contexts():
    assert [tree_from(size) for size in (1, 64, 65, 300, 1_024, 9_999)] == [
        4096, 4096, 4032, 873, 256, 256]  # fmt: skip


def test_short_histories_and_those_never_asked_have_no_tree():
    index, observations = filled(np.zeros((4_095, 8)))
    assert not index.by_tree
    index.add(observations.append(np.zeros(8), 0, 0.0))
    assert index.by_tree


def test_who_asks_for_the_nearest_of_all_only_gets_a_tree_later():
    index, _ = filled(structured(np.random.default_rng(0), 16 * 40 - 1), enough=40)
    index.nearest_of_all(Query(np.zeros((1, 64))), 3)
    assert index._tree is None
    index.nearest_of_each_arm(Query(np.zeros((1, 64))), KS)
    assert index._tree is not None


def test_a_scan_takes_over_where_the_tree_does_not_pay_and_the_tree_is_tried_again():
    rows = np.random.default_rng(1).normal(size=(5_000, 64))
    index, _ = filled(rows)
    used = []
    for number in range(2 * TRIAL + FIRST_REST):
        used.append(index.by_tree)
        index.nearest_of_each_arm(Query(rows[number : number + 1] + 0.5), KS)
    assert used == [*TRIAL * [True], *FIRST_REST * [False], *TRIAL * [True]]


def test_the_nearest_are_those_of_a_scan_across_refits():
    rows = structured(np.random.default_rng(2), 700)
    observations = Observations(64)
    index, scan, trees = AdaptiveIndex(observations, enough=60), Scan(observations), []
    for number, x in enumerate(rows):
        index.add(observations.append(x, number % ARMS, 0.0))
        if number % 37 == 0:
            trees.append(index._tree)
            query = Query(rows[number // 2 : number // 2 + 1] + 0.01)
            for ours, theirs in (
                (each.nearest_of_each_arm(query, KS) for each in (index, scan)),
                (each.nearest_of_all(query, 9) for each in (index, scan)),
            ):
                assert ours.found.tolist() == theirs.found.tolist()
                for row, found in enumerate(ours.found):
                    assert ours.indices[row, :found].tolist() == (
                        theirs.indices[row, :found].tolist()
                    )
    assert len({id(tree) for tree in trees if tree is not None}) > 1
