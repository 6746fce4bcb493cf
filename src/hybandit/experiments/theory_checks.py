"""The theorems held against simulation; every check here can fail."""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from typing import Any, ClassVar

import numpy as np

from hybandit import theory
from hybandit.datasets import Dataset
from hybandit.environments import Synthetic, play
from hybandit.estimators import Ridge
from hybandit.experiments.players import find_player
from hybandit.experiments.runs import Run
from hybandit.experiments.specs import PolicySpec, Settings

SIGMA, DELTA = 0.1, 0.05
LIMITS = {"sigma": SIGMA, "W": 1.0, "B": 1.0, "delta": DELTA}


@dataclass(frozen=True)
class TheoryCheck:
    """One of CHECKS, with its sizes."""

    check: str
    n_features: int | None = None
    rounds: int | None = None
    n_arms: int = 5

    results_version: ClassVar[int] = 1
    datasets: ClassVar[tuple[Dataset, ...]] = ()

    def identity(self) -> Settings:
        return asdict(self) | {"synthetic": Synthetic.results_version}

    @property
    def size(self) -> tuple[int, int]:
        return self.rounds or 1, self.n_features or 1

    def run(self, policy: PolicySpec, seed: int) -> Run:
        start = time.perf_counter()
        found = CHECKS[self.check](self, policy, seed)
        return Run(
            rounds=self.rounds or 1,
            reward=float(found.get("holds", 0.0)),
            regret=found.pop("regret", None),
            seconds=time.perf_counter() - start,
            at=found.pop("at", []),
            regrets=found.pop("regrets", []),
            extra=found,
        )


def ball(check: TheoryCheck, policy: PolicySpec, seed: int) -> dict[str, Any]:
    """Whether the confidence ball held the true parameter through all rounds, k-NN off."""
    rounds, n_features = check.size
    generator = np.random.default_rng(seed)
    truth = generator.normal(size=n_features)
    truth /= np.linalg.norm(truth)
    ridge = Ridge(1, n_features, reg=SIGMA**2)
    gram = SIGMA**2 * np.eye(n_features)
    largest = 0.0
    for number in range(rounds):
        x = generator.normal(size=n_features)
        x /= np.linalg.norm(x)
        ridge.learn(x[None], 0, float(x @ truth + generator.uniform(-SIGMA, SIGMA)))
        gram += np.outer(x, x)
        miss = ridge.weights[0] - truth
        radius = theory.beta(number + 1, n_features, **LIMITS)
        largest = max(largest, float(miss @ gram @ miss) / radius)
    return {"holds": largest <= 1.0, "largest": largest}


def bound(check: TheoryCheck, policy: PolicySpec, seed: int) -> dict[str, Any]:
    """Measured regret on a linear problem, beside the bound; and how it grows."""
    rounds, n_features = check.size
    world = Synthetic(
        "linear",
        n_arms=check.n_arms,
        n_features=n_features,
        rounds=rounds,
        noise=SIGMA,
        seed=seed,
    )
    player = find_player(policy.name).on_arms(check.n_arms, n_features, seed, policy.settings)
    regrets = play(player, world).regrets.cumsum()
    at = np.unique(np.logspace(1, math.log10(rounds), 60).astype(int))
    late = at >= rounds / 100
    slope = np.polyfit(np.log(at[late]), np.log(regrets[at[late] - 1]), 1)[0]
    limit = theory.regret_bound(rounds, n_features, **LIMITS)
    return {
        "holds": bool(regrets[-1] <= limit and slope < 1.0),
        "bound": limit,
        "slope": float(slope),
        "regret": float(regrets[-1]),
        "at": at.tolist(),
        "regrets": regrets[at - 1].tolist(),
    }


def slope(check: TheoryCheck, policy: PolicySpec, seed: int) -> dict[str, Any]:
    """Theorem 2's derivative against a finite difference, at random places."""
    generator = np.random.default_rng(seed)
    worst = 0.0
    for _ in range(1000):
        pulls, g = generator.uniform(1, 1000), generator.uniform(-1, 1)
        total, kappa = generator.uniform(0, pulls), generator.uniform()
        step = 1e-4 * pulls
        analytic = theory.attention_slope(pulls, total, g, kappa=kappa)
        above, below = (
            theory.attention_rate(pulls + move, total, g, kappa=kappa) for move in (step, -step)
        )
        worst = max(worst, abs((above - below) / (2 * step) - analytic) / (abs(analytic) + 1e-12))
    return {"holds": worst < 1e-5, "largest": worst}


CHECKS: dict[str, Callable[..., dict[str, Any]]] = {"ball": ball, "bound": bound, "slope": slope}
