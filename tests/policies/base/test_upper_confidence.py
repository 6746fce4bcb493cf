import numpy as np
import pytest

from hybandit import LNUCBTA, LinKNNUCB, LinUCB


def taught(kind, **settings):
    generator = np.random.default_rng(0)
    policy = kind(4, 3, seed=5, **settings)
    for _ in range(40):
        policy.learn(generator.integers(-1, 2, 3), int(generator.integers(3)), generator.random())
    return policy


@pytest.mark.parametrize("kind", [LinUCB, LinKNNUCB, LNUCBTA])
@pytest.mark.parametrize("ties", ["first", "random"])
def test_large_batches_with_many_ties_are_chosen_as_one_by_one(kind, ties):
    one, many = taught(kind, ties=ties), taught(kind, ties=ties)
    one.add_arm()
    many.add_arm()
    contexts = np.random.default_rng(1).integers(-1, 2, (1300, 3)).astype(float)
    masks = np.random.default_rng(2).random((1300, 5)) < 0.6
    masks[:, 3:] = True
    single = [one.choose(x, eligible=mask) for x, mask in zip(contexts, masks, strict=True)]
    assert many.choose_many(contexts, eligible=masks).tolist() == single
    assert {3, 4} <= set(single) if ties == "random" else 4 not in single


def test_an_empty_batch_has_no_choices():
    policy = LinUCB(4, 3)
    assert policy.choose_many(np.empty((0, 3))).shape == (0,)
    assert policy.choose_many(np.empty((0, 4, 3))).shape == (0,)


def test_one_arm_is_always_chosen():
    assert LinUCB(1, 2).choose_many(np.ones((3, 2))).tolist() == [0, 0, 0]


@pytest.mark.parametrize("kind", [LinUCB, LNUCBTA])
def test_scores_of_many_are_those_of_the_decisions(kind):
    policy = taught(kind)
    generator = np.random.default_rng(3)
    for contexts in (generator.normal(size=(7, 3)), generator.normal(size=(7, 4, 3))):
        scores = policy.score_many(contexts)
        expected = [policy.decide(x).scores for x in contexts]
        np.testing.assert_allclose(scores, expected, rtol=1e-9, atol=1e-12)
    assert policy.score_many(np.empty((0, 3))).shape == (0, 4)
