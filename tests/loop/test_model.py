import numpy as np
import pytest

from hybandit.loop import plain
from hybandit.loop.model import Learner
from hybandit.loop.settings import checked
from hybandit.loop.storage import LEARN, Entry

SETTINGS = checked({})[0]


FEATURES = pytest.mark.parametrize("features", ["{}", '{"x":"%s"}'])


def entry(number, features="{}"):
    name, reward = f"a{number % 2}", float(number % 2)
    context = f'{{"age":{number},"town":"t{number % 3}"}}'
    features = features.replace("%s", name)
    return Entry(number, LEARN, 1.0, None, context, name, features, reward)


@FEATURES
def test_learning_moves_scales_and_model_and_ranking_neither(features):
    learner = Learner(SETTINGS)
    for number in range(1, 30):
        learner.learn(entry(number, features))
    before = {name: array.copy() for name, array in learner.state().items()}
    assert before["contexts/counts"].sum() == 29
    offered = [features.replace("%s", name) for name in ("a0", "a1")]
    offer = '{"age":900,"new":1}', ["a0", "a1"], offered
    chances = learner.probabilities(*offer)
    assert chances.tolist() == [0.0, 1.0]
    assert all(np.array_equal(learner.probabilities(*offer), chances) for _ in range(20))
    for name, array in learner.state().items():
        assert np.array_equal(array, before[name])


@FEATURES
def test_state_goes_out_and_in(features):
    learner, other = (Learner(SETTINGS) for _ in range(2))
    for number in range(1, 30):
        learner.learn(entry(number, features))
    other.restore({name: array.copy() for name, array in learner.state().items()})
    for each in (learner, other):
        each.learn(entry(30, features))
    for name, array in learner.state().items():
        assert np.array_equal(array, other.state()[name])


def test_names_and_items_are_learned_apart_and_offered_together():
    learner = Learner(SETTINGS)
    for number in range(40):
        for name, features, reward in (
            ("plain", "{}", 0.2), ("good", '{"x":"a"}', 1.0), ("bad", '{"x":"b"}', 0.0),
        ):  # fmt: skip
            learner.learn(Entry(number, LEARN, 1.0, None, "{}", name, features, reward))
    assert learner.plain.names() == ["plain"]
    both = learner.probabilities("{}", ["plain", "bad"], ["{}", '{"x":"b"}'])
    assert both.tolist() == [1.0, 0.0]
    all_three = learner.probabilities("{}", ["good", "plain", "bad"], ['{"x":"a"}', "{}", "{}"])
    assert all_three[0] == 1.0


def test_more_names_than_arms_are_items():
    learner = Learner(SETTINGS)
    names = [f"a{number}" for number in range(plain.MOST + 3)]
    for _ in range(4):
        for name in names:
            reward = float(name == names[-1])
            learner.learn(Entry(1, LEARN, 1.0, None, "{}", name, "{}", reward))
    assert learner.plain.names() == names[: plain.MOST]
    chances = learner.probabilities("{}", names, ["{}"] * len(names))
    assert chances.argmax() == len(names) - 1
