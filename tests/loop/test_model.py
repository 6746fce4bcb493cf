import numpy as np

from hybandit.loop.model import Learner
from hybandit.loop.settings import checked
from hybandit.loop.storage import LEARN, Entry

SETTINGS = checked({})[0]


def entry(number):
    reward = float(number % 2)
    context = f'{{"age":{number},"town":"t{number % 3}"}}'
    return Entry(number, LEARN, 1.0, None, context, f"a{number % 2}", "{}", reward)


def test_learning_moves_scales_and_model_and_ranking_neither():
    learner = Learner(SETTINGS)
    for number in range(1, 30):
        learner.learn(entry(number))
    before = {name: array.copy() for name, array in learner.state().items()}
    assert before["contexts/counts"].sum() == 29
    offer = '{"age":900,"new":1}', ["a0", "a1"], ["{}", "{}"]
    chances = learner.probabilities(*offer)
    assert chances.tolist() == [0.0, 1.0]
    assert all(np.array_equal(learner.probabilities(*offer), chances) for _ in range(20))
    for name, array in learner.state().items():
        assert np.array_equal(array, before[name])


def test_state_goes_out_and_in():
    learner, other = (Learner(SETTINGS) for _ in range(2))
    for number in range(1, 30):
        learner.learn(entry(number))
    other.restore({name: array.copy() for name, array in learner.state().items()})
    for each in (learner, other):
        each.learn(entry(30))
    for name, array in learner.state().items():
        assert np.array_equal(array, other.state()[name])
