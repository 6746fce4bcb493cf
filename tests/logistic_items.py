"""A policy for items as a user writes it, from docs/recipes/policy.md alone."""

import numpy as np
from scipy.special import expit

from hybandit.policies import ItemPolicy
from hybandit.validation.checks import UNIT_REWARD
from hybandit.validation.settings import between, setting


class LogisticItems(ItemPolicy):
    """The largest probability of a reward, by logistic regression on context, item and products."""

    name = "logistic-items"
    rewards = UNIT_REWARD

    step: float = setting(default=0.1, rule=between(1e-6, 1), doc="step along the gradient")

    _arrays = ("_weights",)

    def _start(self):
        self._weights = np.zeros((1 + self.n_context) * (1 + self.n_item))

    def _values(self, context, items, ids):
        return expit(self._inputs(context, items) @ self._weights)

    def _learn(self, context, item, name, reward):
        error = reward - self._values(context, item[None], None)[0]
        self._weights += self.step * error * self._inputs(context, item[None])[0]
        return float(error)

    def _forget(self, name):
        """Nothing is remembered of single items."""

    def _inputs(self, context, items):
        """Context, item and their products, all clipped, with a constant."""
        first = np.append(1.0, np.clip(context, -10.0, 10.0))
        second = np.hstack([np.ones((len(items), 1)), np.clip(items, -10.0, 10.0)])
        return np.einsum("i,nj->nij", first, second).reshape(len(items), -1)
