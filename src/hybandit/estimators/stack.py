"""Linear, curved and local views under one learned mixer, and a plain model beside them."""

from __future__ import annotations

from collections.abc import Callable
from typing import ClassVar

import numpy as np
import numpy.typing as npt

from hybandit.estimators.cosines import RandomCosines
from hybandit.estimators.fading import Fading
from hybandit.estimators.index import Neighbours, Query
from hybandit.estimators.limits import Limit
from hybandit.estimators.memory import Memory
from hybandit.estimators.plain import Plain
from hybandit.estimators.reward_scale import RewardScale
from hybandit.estimators.ridge import Ridge
from hybandit.estimators.statistics import ArmStatistics
from hybandit.kernels import stack as kernels
from hybandit.kernels.neighbours import empty_lists, merge
from hybandit.kernels.stack import (
    CURVED,
    LINEAR,
    MEAN,
    OWN,
    OWN_SIZES,
    SHARED_SIZES,
    SHRINKAGE,
    STIFF,
    WIDTH,
)  # fmt: skip
from hybandit.state import (
    Array,
    Flags,
    Floats,
    LastAnswer,
    Part,
    check_arm,
    row_of,
)

# The constant that linear views get beside x, so that an arm may be better everywhere.
INTERCEPT = 0.5


class View(Query):
    """The mixing features of contexts, and for which arms the own means are filled in."""

    __slots__ = ("affine", "extended", "features", "known", "near")

    def __init__(self, contexts: Floats, extended: Floats, n_arms: int) -> None:
        self.contexts = contexts
        self.projection = None
        self.extended = extended
        self.affine = np.empty((len(contexts), contexts.shape[1] + 1))
        self.affine[:, :-1] = contexts
        self.affine[:, -1] = INTERCEPT
        self.features = np.zeros((n_arms, WIDTH))
        self.known = np.zeros(n_arms, np.bool_)
        self.near: Neighbours


class Stack(Part):
    """Predicts a reward from what several simple models say of it.

    For each arm: a ridge on x and random cosines (`curved`), two on x and an intercept, one
    loose (`linear`) and one that gives way to no single reward (`stiff`), the mean of all its
    rewards, shrunk as if it had earned the centre five times more, the mean reward of the 1,
    5, 10 and 20 nearest of the arm's own contexts (F), and among the 1, 5 and 15 nearest
    contexts of all arms what this arm earned (V) and the others (O). Where contexts repeat
    exactly, the newest of equally near ones count: the oldest would stay the same for ever, and
    one arm's bad luck with them would never be forgotten. These, with the best
    rival's estimate of each ridge and a constant, are the 18 mixing features u; one ridge for
    all arms, `mixer`, learns ``p = u' theta`` from the played arms, shrinking towards half
    curved, half nearest neighbour.

    Where contexts tell little and rewards are mostly noise, so many features carry as much noise
    as the arms differ. Therefore a plain model, the arm's mean and a share of its linear estimate,
    stands beside them (`Plain`). The value of an arm is ``(1 - w) p_a + w plain_a``, w the weight
    of the plain model by the errors of both so far.

    All rewards are learned as `RewardScale` takes them, the mixer's in units of its bound: no
    choice depends on the unit of the rewards, and one enormous reward does little. With
    ``centred=True`` every view sees rewards less the mean of the first ten, roughly what play
    without knowledge earns, so that "unknown" counts as that and not as 0; no choice then
    depends on a shift either.

    `limit` is how many entries of each arm the neighbours are chosen from, as for `Memory`.
    With `forget` all parts fade as `Fading` says, and an entry leaves once it counts at most
    half.

    Examples
    --------
    >>> stack = Stack(2, 1, np.random.default_rng(0))
    >>> context = np.array([[1.0]])
    >>> for reward in (1.0, 1.0, 1.0):
    ...     _ = stack.learn(context, 0, reward)
    >>> bool(np.diff(stack.values(context)) < -0.5)
    True
    """

    _children: ClassVar = (
        "rewards", "statistics", "cosines", "curved", "linear", "stiff", "fading", "memory",
        "mixer", "plain",
    )  # fmt: skip

    def __init__(
        self,
        n_arms: int,
        n_features: int,
        generator: np.random.Generator,
        *,
        centred: bool = False,
        limit: Limit | None = None,
        forget: float | None = None,
    ) -> None:
        prior = np.zeros(WIDTH)
        prior[[CURVED, OWN]] = 0.5
        self.rewards = RewardScale(centred=centred)
        self.statistics = ArmStatistics(n_arms, forget=forget)
        self.cosines = RandomCosines(n_features, generator)
        n_curved = n_features + len(self.cosines.offsets)
        self.curved = Ridge(n_arms, n_curved, reg=0.1, level=centred, forget=forget)
        self.linear = Ridge(n_arms, n_features + 1, reg=1.0, level=centred, forget=forget)
        self.stiff = Ridge(n_arms, n_features + 1, reg=30.0, level=centred, forget=forget)
        self.fading = Fading(n_arms, forget)
        horizon = self.fading.half_life
        self.memory = Memory(
            n_features, limit=limit, horizon=horizon, generator=generator, newest_first=True
        )
        self.mixer = Ridge(1, WIDTH, reg=1.0, prior=prior, forget=forget)
        self.plain = Plain(forget=forget)
        # That of the plain model in the value.
        self.weight = self.plain.weight(self.rewards.unit)
        # The smallest and the largest reward of each arm.
        self._lows, self._highs = np.zeros(n_arms), np.zeros(n_arms)
        self._last: LastAnswer[View] = LastAnswer()

    def values(self, contexts: Floats) -> Floats:
        """The value of every arm; `contexts` is (1, d) for all arms or (n_arms, d)."""
        self.features(contexts)
        return self._joined(self._view(contexts))

    def upper(self, contexts: Floats, rates: Floats, allowed: Flags, exact: bool = True) -> Floats:
        """``value + rate (1 / sqrt(N + 5) + trust * width / 2)``.

        The width is that of the linear ridge, trust the share of the linear estimate in the plain
        model, from 0 to 1. Unless `exact`, an arm that cannot win has any score below the best. Its
        own neighbours, which cost most, are then never looked for.
        """
        view = self._view(contexts)
        sure = rates / np.sqrt(self.statistics.counts + SHRINKAGE)
        rates = 0.5 * self.plain.trust * rates
        if self.weight < 1.0:
            if exact:
                self._complete(view, ~view.known)
            elif not np.logical_and.reduce(view.known):
                self._find_contenders(view, sure, rates, allowed)
        values = self._joined(view) + sure
        return self.linear.add_widths(values, view.affine, rates, allowed, exact)

    def learn(self, contexts: Floats, arm: int, reward: float) -> float:
        """Learn one observation; returns by how much its reward exceeded the value."""
        check_arm(arm, len(self.curved.weights))
        if not self.rewards.settled:
            self._last.forget()
        reward = self.rewards.taken(reward)
        view = self._view(contexts)
        self._complete(view, np.arange(len(self._lows)) == arm)
        error = self._learn_weights(view.features, arm, reward - self.rewards.centre)
        self.curved.update(view.extended, arm, reward)
        self.linear.update(view.affine, arm, reward)
        self.stiff.update(view.affine, arm, reward)
        self.statistics.update(arm, reward)
        for each in self.fading.arms(arm):
            self.memory.age(each)
        self.memory.append(row_of(contexts, arm), arm, reward)
        self._lows[arm] = min(self._lows[arm], reward)
        self._highs[arm] = max(self._highs[arm], reward)
        self._last.forget()
        return error

    def move(self, moved: Callable[[Floats], Floats]) -> None:
        """Rebuild as if every context had been `moved` of it, from what the memory retains.

        The ridges learn again what is retained; the mixer and all parts without contexts stay.
        """
        self.memory.move(moved)
        slots, entries = self.memory.observations.slots(), self.memory.entries
        contexts: Floats = entries.contexts[slots]
        arms, rewards = entries.owners[slots], entries.rewards[slots]
        view = View(contexts, self.cosines.extend(contexts), 0)
        self.curved.relearn(view.extended, arms, rewards)
        self.linear.relearn(view.affine, arms, rewards)
        self.stiff.relearn(view.affine, arms, rewards)
        self._last.forget()

    def features(self, contexts: Floats) -> Floats:
        """The mixing features u of every arm, (n_arms, 18)."""
        view = self._view(contexts)
        self._complete(view, ~view.known)
        return view.features

    def restore(self, arrays: dict[str, Array]) -> None:
        super().restore(arrays)
        self.memory.check_owners(len(self.curved.weights))
        self.memory.index.prepare()
        self._bound_rewards()
        self.weight = self.plain.weight(self.rewards.unit)
        self._last.forget()

    def add_arm(self) -> None:
        super().add_arm()
        self._last.forget()

    def drop_arm(self, arm: int) -> None:
        super().drop_arm(arm)
        self._last.forget()

    def _new_rows(self) -> dict[str, npt.ArrayLike]:
        return {"_lows": 0.0, "_highs": 0.0}

    def _arm_parts(self) -> list[Part]:
        return [part for part in super()._arm_parts() if part is not self.mixer]

    def _bound_rewards(self) -> None:
        slots, entries = self.memory.observations.slots(), self.memory.entries
        np.minimum.at(self._lows, entries.owners[slots], entries.rewards[slots])
        np.maximum.at(self._highs, entries.owners[slots], entries.rewards[slots])

    def _view(self, contexts: Floats) -> View:
        """All features except the arms' own means, which are included if they cost nothing."""
        known = self._last.answer(contexts)
        if known is not None:
            return known
        view = View(contexts, self.cosines.extend(contexts), len(self._lows))
        memory, centre, features = self.memory, self.rewards.centre, view.features
        entries = memory.observations.entries
        for part, inputs, column in (
            (self.curved, view.extended, CURVED),
            (self.linear, view.affine, LINEAR),
            (self.stiff, view.affine, STIFF),
        ):
            kernels.estimates_and_rivals(
                part.weights, part.levels, inputs, centre, features, column
            )
        counts, means = self.statistics.counts, self.statistics.means
        kernels.levels_of_arms(counts, means, centre, self.rewards.unit, features)
        if len(contexts) > 1 or memory.index.by_tree:
            view.near = memory.index.nearest_of_all(view, SHARED_SIZES[-1])
        else:
            # A scan finds the neighbours of all arms as fast as one list; merge them into one.
            view.near = empty_lists(1, SHARED_SIZES[-1])
            merge(self._find_own(view, ~view.known), entries.arrivals, view.near)
        kernels.votes(view.near, entries, centre, features)
        self._last.keep(view, contexts)
        return view

    def _find_own(self, view: View, wanted: Flags) -> Neighbours:
        """Fill in the own means of the arms that are wanted."""
        ks = OWN_SIZES[-1] * wanted.astype(np.int64)
        near = self.memory.index.nearest_of_each_arm(view, ks)
        rewards = self.memory.observations.entries.rewards
        kernels.own_means(near, wanted, rewards, self.rewards.centre, view.features)
        view.known |= wanted
        return near

    def _complete(self, view: View, wanted: Flags) -> None:
        """Fill in the own means of the wanted arms that are still missing."""
        missing = wanted & ~view.known
        if np.logical_or.reduce(missing):
            self._find_own(view, missing)

    def _joined(self, view: View) -> Floats:
        """The value of every arm, by what `view` knows."""
        return kernels.joined(
            view.features, self.mixer.weights, self.rewards.centre, self.plain.share, self.weight
        )

    def _learn_weights(self, features: Floats, arm: int, reward: float) -> float:
        """What the mixer and the plain model learn; returns the error of their joint value."""
        unit, plain = self.rewards.unit, self.plain
        stacked = reward - kernels.mixed(features, arm, self.mixer.weights)
        own = reward - kernels.plain(features, arm, plain.share)
        plain.weigh(stacked, own)
        row = np.empty((1, WIDTH))
        kernels.in_units(features, arm, unit, row)
        self.mixer.update(row, 0, reward / unit)
        plain.learn(float(features[arm, MEAN]), float(features[arm, LINEAR]), reward, unit)
        error = (1.0 - self.weight) * stacked + self.weight * own
        self.weight = plain.weight(unit)
        return error

    def _find_contenders(self, view: View, sure: Floats, rates: Floats, allowed: Flags) -> None:
        """Fill in the own means of the arms that may win, whose scores are at least `sure` more.

        First those of the arm that may score most; then only of arms that may beat it.
        """
        reaches = self._joined(view)
        kernels.raise_to_hopes(
            view.features, view.known, self.mixer.weights, self.rewards.centre, self._lows,
            self._highs, self.weight, reaches,
        )  # fmt: skip
        reaches += sure
        first = kernels.leader(reaches, rates, self.linear.widest, view.affine, allowed)
        if not view.known[first]:
            self._find_own(view, np.arange(len(rates)) == first)
        best = self._joined(view)[first] + sure[first]
        missing = allowed & (reaches >= best) & ~view.known
        if np.logical_or.reduce(missing):
            self._find_own(view, missing)
