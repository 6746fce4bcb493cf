"""Ridge regression with an intercept for each item, fitted together."""

from __future__ import annotations

import math
from typing import ClassVar

import numpy as np

from hybandit.estimators.ridge import Ridge
from hybandit.state import Floats, Stateful


class JointRidge(Stateful):
    """Weights theta for all, and for each item an intercept, found by one exact fit.

    Minimises ``sum (r - z'theta - u_i)^2 + reg |theta|^2 + shrink sum u_i^2``. The intercepts are
    solved for in closed form: an item of N rewards with sum S and sum B of its z has
    ``u = (S - B'theta) / (N + shrink)``, and what is left for theta is an ordinary ridge, whose
    observations are taken relative to the item's own past:
    ``sqrt(k / (k + 1)) (z - B / k)`` and the reward likewise, with ``k = N + shrink``.

    With `forget` the ridge fades at every reward, as `Ridge` does; the pasts that are handed in
    must have faded alike. The fit is then close to the joint one, no longer equal.

    Examples
    --------
    >>> joint = JointRidge(1, reg=1.0, shrink=1.0)
    >>> joint.learn(np.array([1.0]), 1.0, count=0.0, total=0.0, features=np.zeros(1))
    >>> joint.weights.round(3)  # of the reward 1: a third by theta, a third by the item
    array([0.333])
    """

    _children: ClassVar = ("ridge",)

    def __init__(
        self, n_features: int, *, reg: float, shrink: float, forget: float | None = None
    ) -> None:
        self.ridge = Ridge(1, n_features, reg=reg, forget=forget)
        self.shrink = shrink

    @property
    def weights(self) -> Floats:
        """The weights that all items share."""
        shared: Floats = self.ridge.weights[0]
        return shared

    def learn(
        self, z: Floats, reward: float, *, count: float, total: float, features: Floats
    ) -> None:
        """One reward of an item with this past: `count` N, `total` S and `features` B."""
        k = count + self.shrink
        root = math.sqrt(k / (k + 1.0))
        relative = root * (z - features / k)
        self.ridge.learn(np.ascontiguousarray(relative)[None], 0, root * (reward - total / k))
