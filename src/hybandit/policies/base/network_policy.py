"""The base of the neural policies: a network, all observations, and a training schedule."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cache
from typing import ClassVar

import numpy as np
from threadpoolctl import ThreadpoolController

from hybandit.estimators import Network, Observations
from hybandit.estimators.network import shortened
from hybandit.policies.base.contextual import ContextualPolicy
from hybandit.state import Array, Flags, Floats, Integers, row_of
from hybandit.validation.settings import between, either, nothing, one_of, setting, size, whole


@dataclass(frozen=True)
class Schedule:
    """When and how a network trains on all observations."""

    train_every: int
    steps: int
    batch: int | None
    learning_rate: float
    momentum: float


SCHEDULES = {
    # As the authors of NeuralTS: 100 steps on everything, after every round.
    "published": Schedule(train_every=1, steps=100, batch=None, learning_rate=0.01, momentum=0.0),
    "fast": Schedule(train_every=50, steps=100, batch=512, learning_rate=0.05, momentum=0.9),
}


@cache
def linear_algebra() -> ThreadpoolController:
    """The BLAS libraries that are loaded; looking for them takes milliseconds."""
    return ThreadpoolController()


class NetworkPolicy(ContextualPolicy):
    """Stores every observation and from time to time trains a network on them.

    It trains every `train_every` rounds and, while there are few observations, more often:
    whenever about a tenth has been added.
    """

    hidden: int = setting(default=100, rule=size(1), doc="units of the hidden layer")
    schedule: str = setting(
        default="fast",
        rule=one_of("fast", "published"),
        doc="how it trains, where the next four do not say",
    )
    train_every: int | None = setting(
        default=None,
        rule=either(whole(1), nothing()),
        doc="rounds between trainings: 50 if fast, else 1",
    )
    steps: int | None = setting(
        default=None,
        rule=either(size(1, 10**6), nothing()),
        doc="steps of gradient descent a training: 100",
    )
    learning_rate: float | None = setting(
        default=None,
        rule=either(between(1e-9, 10), nothing()),
        doc="length of a step: 0.05 if fast, else 0.01",
    )
    momentum: float | None = setting(
        default=None,
        rule=either(between(0, 0.999), nothing()),
        doc="share of a step kept: 0.9 if fast, else 0",
    )

    shape: ClassVar[str] = "block"
    _children: ClassVar[tuple[str, ...]] = ("_observations", "_network")

    _network: Network = field(init=False, repr=False)

    def _least_numbers(self) -> int:
        return self.n_arms + self.hidden * self.n_features

    def _start(self) -> None:
        given = SCHEDULES[self.schedule]
        self._plan = Schedule(
            self.train_every or given.train_every,
            self.steps or given.steps,
            given.batch,
            self.learning_rate or given.learning_rate,
            given.momentum if self.momentum is None else self.momentum,
        )
        self._observations = Observations(self.n_features, np.float32)
        self._network = self._new_network()

    def _new_network(self) -> Network:
        return Network(
            self._n_live, self.n_features, self._generator, hidden=self.hidden, shape=self.shape
        )

    def _scores(self, contexts: Floats, allowed: Flags, exact: bool) -> Floats:
        return self._network.values(contexts)

    def _learn(self, contexts: Floats, arm: int, reward: float) -> None:
        self._observations.append(shortened(row_of(contexts, arm)[None])[0], arm, reward)
        rounds = self._observations.arrived
        if rounds % min(self._plan.train_every, max(1, rounds // 10)) == 0:
            # Products this small gain nothing from threads, and lose much on a busy machine.
            with linear_algebra().limit(limits=1, user_api="blas"):
                self._train()

    def _train(self) -> None:
        self._fit(self._network, self._observations.entries.rewards, self._batches())

    def _fit(
        self, network: Network, targets: Floats, batches: Integers, decay: float = 0.0
    ) -> None:
        network.train(
            self._observations.entries.contexts,
            self._observations.entries.owners,
            targets,
            batches,
            steps=self._plan.steps,
            rate=self._plan.learning_rate,
            momentum=self._plan.momentum,
            decay=decay,
        )

    def _batches(self, kept: Integers | None = None) -> Integers:
        """The entries that each step uses, out of those `kept`; one row with all of them if few."""
        everything = np.arange(self._observations.size) if kept is None else kept
        size = self._plan.batch
        if size is None or len(everything) <= size:
            return everything[None]
        picks = self._generator.integers(0, len(everything), (self._plan.steps, size))
        batches: Integers = everything[picks]
        return batches

    def _restore(self, arrays: dict[str, Array]) -> None:
        super()._restore(arrays)
        self._observations.check_owners(self._n_live)
