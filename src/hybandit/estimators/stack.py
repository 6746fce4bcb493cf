"""Linear, curved and local views under one learned mixer."""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from hybandit.estimators.cosines import RandomCosines
from hybandit.estimators.fading import Fading
from hybandit.estimators.limits import Limit
from hybandit.estimators.memory import Memory
from hybandit.estimators.ridge import Ridge
from hybandit.kernels import stack as kernels
from hybandit.state import Array, Flags, Floats, Latest, Stateful, check_arm, row_of

OWN_SIZES = np.array([1, 5, 10, 20])
SHARED_SIZES = np.array([1, 5, 15])
CURVED, LINEAR, ONE, OWN = 0, 2, 4, 5
VOTES = OWN + len(OWN_SIZES)
WIDTH = VOTES + 2 * len(SHARED_SIZES)
CENTRE_ROUNDS = 10


class Stack(Stateful):
    """Predicts a reward from what several simple models say of it.

    For each arm: a ridge on x and random cosines (`curved`), a ridge on x (`linear`), the
    mean reward of the 1, 5, 10 and 20 nearest of the arm's own contexts (F), and among the
    1, 5 and 15 nearest contexts of all arms what this arm earned (V) and the others (O).
    These, with the best rival's curved and linear estimates and a constant, are the 15
    mixing features u; one ridge for all arms, `mixer`, learns ``p = u' theta`` from the
    played arms, shrinking towards half curved, half nearest neighbour.

    With ``centred=True`` every view sees rewards less the mean of the first ten, roughly
    what play without knowledge earns, so that "unknown" counts as that and not as 0. All
    that is learned is then independent of a shift of the rewards. `limit` is how many
    entries of each arm the neighbours are chosen from, as for `Memory`. With `forget` all
    parts fade as `Fading` says, and an entry leaves once it counts at most half.

    Examples
    --------
    >>> stack = Stack(2, 1, np.random.default_rng(0))
    >>> active = np.array([True, True])
    >>> context = np.array([[1.0]])
    >>> for reward in (1.0, 1.0, 1.0):
    ...     _ = stack.learn(context, 0, reward, active)
    >>> bool(np.diff(stack.values(context, active)) < -0.5)
    True
    """

    _arrays: ClassVar = ("centre",)
    _children: ClassVar = ("cosines", "curved", "linear", "fading", "memory", "mixer")

    def __init__(
        self,
        n_arms: int,
        n_features: int,
        generator: np.random.Generator,
        *,
        centred: bool = False,
        limit: Limit | None = None,
        forget: float | None = None,
        approximate: bool = False,
    ) -> None:
        prior = np.zeros(WIDTH)
        prior[[CURVED, OWN]] = 0.5
        self.centred = centred
        self.centre = np.zeros(1)
        self.cosines = RandomCosines(n_features, generator)
        n_curved = n_features + len(self.cosines.offsets)
        self.curved = Ridge(n_arms, n_curved, reg=0.1, level=centred, forget=forget)
        self.linear = Ridge(n_arms, n_features, reg=1.0, level=centred, forget=forget)
        self.fading = Fading(n_arms, forget)
        horizon = self.fading.half_life
        self.memory = Memory(
            n_features,
            limit=limit,
            horizon=horizon,
            generator=generator,
            approximate=approximate,
        )
        self.mixer = Ridge(1, WIDTH, reg=1.0, prior=prior, forget=forget)
        self._latest = Latest()

    def values(self, contexts: Floats, active: Flags) -> Floats:
        """The prediction p of every arm; `contexts` is (1, d) for all arms or (n_arms, d)."""
        return self._mixed(self.features(contexts, active))

    def upper(
        self, contexts: Floats, rates: Floats, active: Flags, allowed: Flags, exact: bool = True
    ) -> Floats:
        """``p + rate * width``, the width that of the curved ridge."""
        extended = self.cosines.extend(contexts)
        values = self._mixed(self.features(contexts, active, extended))
        return self.curved.raised(values, extended, rates, allowed, exact)

    def learn(self, contexts: Floats, arm: int, reward: float, active: Flags) -> float:
        """One observation; returns by how much it was missed, reward - p."""
        check_arm(arm, len(self.curved.weights))
        if self.centred and self.memory.arrived < CENTRE_ROUNDS:
            self.centre += (reward - self.centre) / (self.memory.arrived + 1)
            self._latest.forget()
        features = self.features(contexts, active)
        error = reward - self._mixed(features)[arm]
        self.mixer.learn(features[arm : arm + 1], 0, reward - self.centre[0])
        context = row_of(contexts, arm)
        self.curved.learn(self.cosines.extend(context[None]), arm, reward)
        self.linear.learn(contexts, arm, reward)
        for each in self.fading.arms(arm):
            self.memory.age(each)
        self.memory.append(context, arm, reward)
        self._latest.forget()
        return float(error)

    def features(self, contexts: Floats, active: Flags, extended: Floats | None = None) -> Floats:
        """The mixing features u of every arm, (n_arms, 15); `extended` if it is there already."""
        known = self._latest.answer(contexts, active)
        if known is not None:
            return known
        if extended is None:
            extended = self.cosines.extend(contexts)
        features = np.empty((len(active), WIDTH))
        self._regressions(self.curved, extended, active, features, CURVED)
        self._regressions(self.linear, contexts, active, features, LINEAR)
        features[:, ONE] = 1.0
        self._neighbourhood(contexts, features)
        self._latest.keep(features, contexts, active)
        return features

    def restore(self, arrays: dict[str, Array]) -> None:
        super().restore(arrays)
        self.memory.check_owners(len(self.curved.weights))
        self.memory.prepare()
        self._latest.forget()

    def add_arm(self) -> None:
        self.curved.add_arm()
        self.linear.add_arm()
        self.fading.add_arm()

    def _mixed(self, features: Floats) -> Floats:
        out = np.empty(len(features))
        kernels.mixed(features, self.mixer.weights, self.centre[0], out)
        return out

    def _regressions(
        self, part: Ridge, contexts: Floats, active: Flags, features: Floats, column: int
    ) -> None:
        values = part.values(contexts)
        levels = part.level_values(contexts) if self.centred else values
        kernels.estimates_and_rivals(values, levels, self.centre[0], active, features, column)

    def _neighbourhood(self, contexts: Floats, features: Floats) -> None:
        n_arms = len(features)
        centre = float(self.centre[0])
        memory = self.memory
        near = memory.nearest_of_each_arm(contexts, np.full(n_arms, OWN_SIZES[-1]))
        kernels.own_means(
            near.indices, near.found, memory.rewards, OWN_SIZES, centre, features, OWN
        )
        room = int(SHARED_SIZES[-1])
        if len(contexts) == 1:
            near = memory.merged(near, room)
        else:
            near = memory.nearest_of_all(contexts, room, n_arms)
        kernels.votes(
            near.indices, near.found, memory.owners, memory.rewards, SHARED_SIZES, centre,
            features, VOTES,
        )  # fmt: skip
