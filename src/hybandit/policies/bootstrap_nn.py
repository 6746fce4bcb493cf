"""An ensemble of networks, each with its own share of the past."""

from __future__ import annotations

from dataclasses import replace
from typing import ClassVar

import numpy as np

from hybandit.estimators import parallel
from hybandit.policies.base import probability
from hybandit.policies.base.network_policy import NetworkPolicy
from hybandit.state import Array, Flags, Floats, fitting
from hybandit.validation.settings import between, either, nothing, setting, size


class BootstrapNN(NetworkPolicy):
    """One of several networks, drawn at random, plays its best arm.

    Each network keeps an observation with probability `keep`, so that they disagree where
    little is known. They train side by side on the cores there are, with half the steps of
    a single network's fast schedule.

    References
    ----------
    Schwenk, Bengio (2000). Boosting neural networks. Neural Computation. As a bandit: the
    comparison of Zhang, Zhou, Li, Gu (2021).

    Examples
    --------
    >>> policy = BootstrapNN(n_arms=3, n_features=2, networks=3, seed=0)
    >>> context = [0.6, 0.8]
    >>> arm = policy.choose(context)
    >>> policy.learn(context, arm, reward=1.0)
    """

    name = "bootstrap-nn"

    networks: int = setting(default=10, rule=size(1), doc="how many networks")
    steps: int | None = setting(
        default=None,
        rule=either(size(1, 10**6), nothing()),
        doc="steps of a training: 50 if fast, else 100",
    )
    keep: float = setting(
        default=0.8, rule=between(0, 1), doc="how likely a network keeps an observation"
    )

    _children: ClassVar[tuple[str, ...]] = ("_observations", "_ensemble")

    def _least_numbers(self) -> int:
        return self.networks * super()._least_numbers()

    def _start(self) -> None:
        super()._start()
        if self.schedule == "fast" and self.steps is None:
            self._plan = replace(self._plan, steps=self._plan.steps // 2)
        others = [self._new_network() for _ in range(self.networks - 1)]
        self._ensemble = [self._network, *others]
        self._kept = np.zeros((0, self.networks), bool)

    def _scores(self, contexts: Floats, allowed: Flags, exact: bool) -> Floats:
        drawn = self._ensemble[self._generator.integers(self.networks)]
        return drawn.values(contexts)

    def _probabilities(self, contexts: Floats, scores: Floats, allowed: Flags) -> Floats:
        shares = [
            probability.of_largest_score(network.values(contexts), allowed, self.ties)
            for network in self._ensemble
        ]
        mean: Floats = np.mean(shares, axis=0)
        return mean

    def _learn(self, contexts: Floats, arm: int, reward: float) -> None:
        size = self._observations.size
        if size == len(self._kept):
            room = np.zeros((max(16, size), self.networks), bool)
            self._kept = np.concatenate([self._kept, room])
        self._kept[size] = self._generator.random(self.networks) < self.keep
        super()._learn(contexts, arm, reward)

    def _train(self) -> None:
        kept = [np.flatnonzero(column) for column in self._kept[: self._observations.size].T]
        # Drawn in order before any network trains, so that the number of threads does not matter.
        batches = [self._batches(entries) for entries in kept]

        def fit(start: int, step: int) -> None:
            for number in range(start, self.networks, step):
                if batches[number].size:
                    self._fit(
                        self._ensemble[number], self._observations.entries.rewards, batches[number]
                    )

        rows = sum(batch.shape[1] for batch in batches)
        parallel.run(fit, work=rows * self._plan.steps * self.n_features * self.hidden)

    def _drop_arm(self, arm: int) -> None:
        size, owners = self._observations.size, self._observations.entries.owners
        self._kept = self._kept[:size][owners[:size] != arm]
        super()._drop_arm(arm)

    def state(self) -> dict[str, Array]:
        return {**super().state(), "kept": self._kept[: self._observations.size]}

    def _restore(self, arrays: dict[str, Array]) -> None:
        super()._restore(arrays)
        self._kept = fitting("kept", arrays, np.bool_, (self._observations.size, self.networks))
