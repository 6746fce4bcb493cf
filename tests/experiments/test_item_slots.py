import numpy as np

from hybandit.experiments.item_slots import Slots


class Recorder:
    """A policy of arms that plays the arm it is told to, and keeps what it learns."""

    def __init__(self, n_arms, width):
        self.shape = n_arms, width
        self.next, self.learned = [2, 0], []

    def choose(self, rows):
        assert rows.shape == self.shape
        return self.next.pop(0)

    def learn(self, rows, arm, reward):
        self.learned.append((rows[arm].tolist(), arm, reward))


def test_a_place_is_an_arm_even_when_rewards_come_late_and_in_another_order():
    slots = Slots(Recorder)
    first, second, items = np.array([5.0]), np.array([6.0]), np.array([[1.0], [2.0], [3.0]])
    assert slots.choose(first, items, ids=["a", "b", "c"]) == 2
    assert slots.choose(second, items) == 0
    slots.learn(second, items[0], 0.5)
    slots.learn(first, items[2], 1.0, id="c")
    assert slots.policy.learned == [([6.0, 1.0], 0, 0.5), ([5.0, 3.0], 2, 1.0)]
