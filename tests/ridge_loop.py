"""A small model for tests of the loop: one ridge over context, action and their products."""

from __future__ import annotations

import numpy as np

from hybandit import Loop
from hybandit.state import fitting


class RidgeModel:
    def __init__(self, settings):
        width = settings["action_width"]
        self._width = settings["context_width"] * 2 + width
        self.inverse = np.eye(self._width)
        self.weights = np.zeros(self._width)

    def _row(self, context, action):
        return np.concatenate([context, context * action.sum(), action])

    def probabilities(self, context, actions, names):
        scores = np.array([self._row(context, action) @ self.weights for action in actions])
        best = scores == scores.max()
        return best / best.sum()

    def learn(self, context, action, reward, name):
        row = self._row(context, action)
        gain = self.inverse @ row
        gain /= 1.0 + row @ gain
        self.weights += gain * (reward - row @ self.weights)
        self.inverse -= np.outer(gain, self.inverse @ row)

    def state(self):
        return {"inverse": self.inverse, "weights": self.weights}

    def restore(self, arrays):
        self.inverse = fitting("inverse", arrays, np.float64, self.inverse.shape)
        self.weights = fitting("weights", arrays, np.float64, self.weights.shape)


class RidgeLoop(Loop):
    _new_model = RidgeModel


class ClockedLoop(RidgeLoop):
    """A loop whose clock the test sets."""

    time = 1000.0

    def _now(self):
        return type(self).time
