import numpy as np
import pytest

from hybandit.loop.model import LoopModel
from hybandit.loop.names import MOST
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
    model = LoopModel(SETTINGS)
    for number in range(1, 30):
        model.learn(entry(number, features))
    before = {name: array.copy() for name, array in model.state().items()}
    assert before["contexts/counts"].sum() == 29
    offered = [features.replace("%s", name) for name in ("a0", "a1")]
    offer = '{"age":900,"new":1}', ["a0", "a1"], offered
    chances = model.probabilities(*offer)
    assert chances.tolist() == [0.0, 1.0]
    assert all(np.array_equal(model.probabilities(*offer), chances) for _ in range(20))
    for name, array in model.state().items():
        assert np.array_equal(array, before[name])


@FEATURES
def test_state_goes_out_and_in(features):
    model, other = (LoopModel(SETTINGS) for _ in range(2))
    for number in range(1, 30):
        model.learn(entry(number, features))
    other.restore({name: array.copy() for name, array in model.state().items()})
    for each in (model, other):
        each.learn(entry(30, features))
    for name, array in model.state().items():
        assert np.array_equal(array, other.state()[name])


def learned(*actions, times=40):
    """Actions as name, features, reward."""
    model = LoopModel(SETTINGS)
    for number in range(times):
        for name, features, reward in actions:
            model.learn(Entry(number, LEARN, 1.0, None, "{}", name, features, reward))
    return model


def test_names_among_items_are_items():
    items = ("good", '{"x":"a"}', 1.0), ("bad", '{"x":"b"}', 0.0)
    model = learned(*items, ("plain", "{}", 0.5))
    assert model.names.known() == ["plain"]
    names, features = ["plain", "bad", "good"], ["{}", '{"x":"b"}', '{"x":"a"}']
    assert model.probabilities("{}", names, features).tolist() == [0.0, 0.0, 1.0]
    assert model.probabilities("{}", names[:2], features[:2]).tolist() == [1.0, 0.0]


def test_names_alone_cost_no_learning_of_items():
    model = learned(("a", "{}", 0.0), ("b", "{}", 1.0))
    assert model.items.learned[0] == 0
    assert model.probabilities("{}", ["a", "b"], ["{}", "{}"]).tolist() == [0.0, 1.0]


def test_nothing_known_is_all_alike():
    model = LoopModel(SETTINGS)
    for features in (["{}"] * 3, ["{}", "{}", '{"x":1}']):
        assert model.probabilities("{}", ["a", "b", "c"], features).tolist() == [1 / 3] * 3


def test_more_names_than_arms_are_items():
    names = [f"a{number}" for number in range(MOST + 3)]
    model = learned(*((name, "{}", float(name == names[-1])) for name in names), times=4)
    assert model.names.known() == names[:MOST]
    assert model.probabilities("{}", names, ["{}"] * len(names)).argmax() == len(names) - 1
