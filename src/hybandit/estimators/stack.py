"""Linear, curved and local views under one learned mixer."""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from hybandit.estimators.cosines import RandomCosines
from hybandit.estimators.fading import Fading
from hybandit.estimators.limits import Limit
from hybandit.estimators.memory import Memory, Neighbours
from hybandit.estimators.ridge import Ridge
from hybandit.estimators.trial import Trial
from hybandit.kernels import stack as kernels
from hybandit.state import (
    Array,
    Flags,
    Floats,
    Latest,
    Stateful,
    check_arm,
    row_of,
    with_row,
)

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
        # Between these every reward of an arm has been.
        self._lows, self._highs = np.zeros(n_arms), np.zeros(n_arms)
        # Whether to look for the leader's neighbours first: not where more arms may win.
        self._patience = Trial(worthwhile=0.7)
        self._latest = Latest()

    def values(self, contexts: Floats, active: Flags) -> Floats:
        """The prediction p of every arm; `contexts` is (1, d) for all arms or (n_arms, d)."""
        return self._mixed(self.features(contexts, active))

    def upper(
        self, contexts: Floats, rates: Floats, active: Flags, allowed: Flags, exact: bool = True
    ) -> Floats:
        """``p + rate * width``, the width that of the curved ridge.

        Unless `exact`, an arm that cannot win has any score below the best. Its own
        neighbours, which cost most, are then never looked for.
        """
        extended = self.cosines.extend(contexts)
        views = self._views(contexts, active, extended)
        wanted = np.ones(len(active), bool)
        if not exact and np.isnan(views[:, OWN]).any():
            widest = self.curved.widest(extended)
            views, wanted = self._in_the_running(views, contexts, active, rates, widest, allowed)
        values = self._mixed(self._with_own(views, contexts, active, wanted))
        return self.curved.raised(values, extended, rates, allowed, exact)

    def learn(self, contexts: Floats, arm: int, reward: float, active: Flags) -> float:
        """One observation; returns by how much it was missed, reward - p."""
        check_arm(arm, len(self.curved.weights))
        if self.centred and self.memory.arrived < CENTRE_ROUNDS:
            self.centre += (reward - self.centre) / (self.memory.arrived + 1)
            self._latest.forget()
        chosen = np.arange(len(active)) == arm
        features = self._with_own(self._views(contexts, active), contexts, active, chosen)
        error = reward - self._mixed(features)[arm]
        self.mixer.learn(features[arm : arm + 1], 0, reward - self.centre[0])
        context = row_of(contexts, arm)
        self.curved.learn(self.cosines.extend(context[None]), arm, reward)
        self.linear.learn(contexts, arm, reward)
        for each in self.fading.arms(arm):
            self.memory.age(each)
        self.memory.append(context, arm, reward)
        self._lows[arm] = min(self._lows[arm], reward)
        self._highs[arm] = max(self._highs[arm], reward)
        self._latest.forget()
        return float(error)

    def features(self, contexts: Floats, active: Flags) -> Floats:
        """The mixing features u of every arm, (n_arms, 15)."""
        every = np.ones(len(active), bool)
        return self._with_own(self._views(contexts, active), contexts, active, every)

    def restore(self, arrays: dict[str, Array]) -> None:
        super().restore(arrays)
        self.memory.check_owners(len(self.curved.weights))
        self.memory.prepare()
        self._bound_rewards()
        self._latest.forget()

    def add_arm(self) -> None:
        self.curved.add_arm()
        self.linear.add_arm()
        self.fading.add_arm()
        self._lows = with_row(self._lows, 0.0)
        self._highs = with_row(self._highs, 0.0)

    def _bound_rewards(self) -> None:
        entries = self.memory.entries()
        owners, rewards = self.memory.owners[entries], self.memory.rewards[entries]
        np.minimum.at(self._lows, owners, rewards)
        np.maximum.at(self._highs, owners, rewards)

    def _mixed(self, features: Floats) -> Floats:
        out = np.empty(len(features))
        bounds = (self._lows, self._highs)
        kernels.mixed(features, self.mixer.weights, self.centre[0], *bounds, out)
        return out

    def _regressions(
        self, part: Ridge, contexts: Floats, active: Flags, features: Floats, column: int
    ) -> None:
        values = part.values(contexts)
        levels = part.level_values(contexts) if self.centred else values
        kernels.estimates_and_rivals(values, levels, self.centre[0], active, features, column)

    def _views(self, contexts: Floats, active: Flags, extended: Floats | None = None) -> Floats:
        """The mixing features, where the own means of arms may still be unknown: NaN."""
        known = self._latest.answer(contexts, active)
        if known is not None:
            return known
        if extended is None:
            extended = self.cosines.extend(contexts)
        features = np.full((len(active), WIDTH), np.nan)
        self._regressions(self.curved, extended, active, features, CURVED)
        self._regressions(self.linear, contexts, active, features, LINEAR)
        features[:, ONE] = 1.0
        room = int(SHARED_SIZES[-1])
        if len(contexts) == 1 and self._patience.resting():
            every = np.ones(len(active), bool)
            near = self.memory.merged(self._find_own(features, contexts, every), room)
        else:
            near = self.memory.nearest_of_all(contexts, room)
        kernels.votes(
            near.indices, near.found, self.memory.owners, self.memory.rewards, SHARED_SIZES,
            self.centre[0], features, VOTES,
        )  # fmt: skip
        self._latest.keep(features, contexts, active)
        return features

    def _with_own(self, views: Floats, contexts: Floats, active: Flags, wanted: Flags) -> Floats:
        """Those features with the own means of the arms that are wanted."""
        missing = wanted & np.isnan(views[:, OWN])
        if not missing.any():
            return views
        features = views.copy()
        self._find_own(features, contexts, missing)
        self._latest.keep(features, contexts, active)
        return features

    def _find_own(self, features: Floats, contexts: Floats, wanted: Flags) -> Neighbours:
        near = self.memory.nearest_of_each_arm(contexts, np.where(wanted, OWN_SIZES[-1], 0))
        kernels.own_means(
            near.indices, near.found, wanted, self.memory.rewards, OWN_SIZES, self.centre[0],
            features, OWN,
        )  # fmt: skip
        return near

    def _in_the_running(
        self, views: Floats, contexts: Floats, active: Flags, rates: Floats, widest: Floats,
        allowed: Flags,
    ) -> tuple[Floats, Flags]:  # fmt: skip
        """Which arms may win, judged by the neighbours of the one that may score most."""
        reaches = np.empty(len(views))
        first = kernels.leader(self._mixed(views), rates, widest, allowed, reaches)
        views = self._with_own(views, contexts, active, np.arange(len(views)) == first)
        wanted = allowed & (reaches >= self._mixed(views)[first])
        self._patience.judge(np.count_nonzero(wanted) / len(wanted))
        return views, wanted
