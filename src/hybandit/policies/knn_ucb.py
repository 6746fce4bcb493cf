"""k-nearest-neighbour UCB."""

from __future__ import annotations

import math
from typing import ClassVar

import numpy as np

from hybandit.estimators import Memory
from hybandit.estimators.index import Neighbours, Query
from hybandit.estimators.limits import Limit
from hybandit.estimators.typical_distance import TypicalDistance
from hybandit.kernels.choice_of_k import surest
from hybandit.policies.base import settings
from hybandit.policies.base.contextual import ContextualPolicy
from hybandit.state import Array, Flags, Floats, row_of
from hybandit.validation.settings import at_least, either, nothing, one_of, setting, whole


class KNNUCB(ContextualPolicy):
    """Estimates from the k nearest past contexts, k chosen where they are surest.

    All past contexts, whatever arm was played, are sorted by distance to x. With N_k and
    F_k the count and mean reward of arm a among the k nearest and rho_k the k-th distance,
    ``U_k = sqrt(theta log(t) / N_k) + phi rho_k``; k minimises U_k (the smallest on ties)
    and the score is ``F_k + U_k``. The first rounds play each arm once.

    With ``among="all"``, as published, an arm with no entry among the nearest scores
    infinity: keep `max_k` well above the number of arms. ``among="arm"`` sorts the arm's own
    past alone, so that N_k is k, as the appendix of the paper on LNUCB-TA has it.

    Distances are in units of the typical distance between contexts seen so far, so that
    `phi` means the same whatever their scale; ``unit="raw"`` leaves them as they are, as
    published.

    References
    ----------
    Reeve, Mellor, Brown (2018). The k-nearest neighbour UCB algorithm for multi-armed
    bandits with covariates. ALT.

    Examples
    --------
    >>> policy = KNNUCB(n_arms=2, n_features=1, theta=0.1, ties="first")
    >>> policy.learn_many([[0.0], [0.0]], arms=[0, 1], rewards=[0.2, 0.8])
    >>> policy.choose([0.0])
    1
    """

    name = "knn-ucb"

    theta: float = setting(default=1.0, rule=at_least(0), doc="exploration strength")
    phi: float | str = setting(
        default=1.0,
        rule=either(at_least(0), one_of("log")),
        doc="price of distance; 'log' for log(t)",
    )
    unit: str = setting(
        default="typical", rule=one_of("typical", "raw"), doc="what distances are measured in"
    )
    among: str = setting(
        default="all", rule=one_of("all", "arm"), doc="whose contexts may be neighbours"
    )
    max_k: int | None = setting(
        default=None, rule=either(whole(1), nothing()), doc="largest k; None for no limit"
    )
    memory: str | None = settings.memory()

    _children: ClassVar[tuple[str, ...]] = ("_memory", "_typical")

    def _start(self) -> None:
        self._typical = TypicalDistance(self.n_features) if self.unit == "typical" else None
        limit = Limit.of(self.memory)
        self._memory = Memory(self.n_features, limit=limit, generator=self._generator)

    def _scores(self, contexts: Floats, allowed: Flags, exact: bool) -> Floats:
        counts = self.statistics.counts
        if not counts.all() and (unplayed := np.flatnonzero(allowed & (counts == 0))).size:
            # One after another, the lowest first, not at random.
            return np.where(np.arange(self._n_live) == unplayed[0], np.inf, 0.0)
        rounds = self._memory.arrived + 1.0
        steepness = math.log(rounds) if self.phi == "log" else float(self.phi)
        budget = self.theta * math.log(rounds)
        if self._typical is not None:
            steepness /= self._typical.value or 1.0
        found = np.empty((4, self._n_live))
        surest(self._near(Query(contexts)), self._memory.entries, budget, steepness, found)
        return self._score(found, budget, steepness)

    def _near(self, query: Query) -> Neighbours:
        memory = self._memory
        k = self.max_k or memory.observations.size
        if self.among == "all":
            return memory.index.nearest_of_all(query, k)
        return memory.index.nearest_of_each_arm(query, np.full(self._n_live, k))

    def _score(self, found: Floats, budget: float, steepness: float) -> Floats:
        """The scores of the arms from the result of `surest`."""
        scores: Floats = found[2] + found[0]
        return scores

    def _restore(self, arrays: dict[str, Array]) -> None:
        super()._restore(arrays)
        self._memory.check_owners(self._n_live)

    def _learn(self, contexts: Floats, arm: int, reward: float) -> None:
        context = row_of(contexts, arm)
        self._memory.append(context, arm, reward)
        if self._typical is not None:
            self._typical.observe(context)
