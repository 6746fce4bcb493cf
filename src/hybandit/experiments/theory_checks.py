"""The theorems held against simulation; every check here can fail."""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from typing import Any

import numpy as np

from hybandit import theory
from hybandit.environments import Synthetic, play
from hybandit.estimators import Ridge
from hybandit.experiments.store import Run
from hybandit.experiments.tasks import Task
from hybandit.policies import make_policy

SIGMA, DELTA = 0.1, 0.05
LIMITS = {"sigma": SIGMA, "W": 1.0, "B": 1.0, "delta": DELTA}


def checked(task: Task) -> Run:
    """Settings: check (ball, bound or slope) and its sizes."""
    settings = dict(task.world.settings)
    check = settings.pop("check")
    start = time.perf_counter()
    found = CHECKS[check](task, **settings)
    return Run(
        rounds=settings.get("rounds", 1),
        reward=float(found.get("holds", 0.0)),
        regret=found.pop("regret", None),
        seconds=time.perf_counter() - start,
        at=found.pop("at", []),
        regrets=found.pop("regrets", []),
        extra=found,
    )


def ball(task: Task, *, n_features: int, rounds: int) -> dict[str, Any]:
    """Whether the confidence ball held the true parameter through all rounds, k-NN off."""
    generator = np.random.default_rng(task.seed)
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


def bound(task: Task, *, n_features: int, rounds: int, n_arms: int = 5) -> dict[str, Any]:
    """Measured regret on a linear problem, beside the bound; and how it grows."""
    world = Synthetic(
        "linear", n_arms=n_arms, n_features=n_features, rounds=rounds, noise=SIGMA, seed=task.seed
    )
    policy = make_policy(
        task.policy.name, n_arms, n_features, **{"seed": task.seed, **task.policy.settings}
    )
    regrets = play(policy, world).regrets.cumsum()
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


def slope(task: Task) -> dict[str, Any]:
    """Theorem 2's derivative against a finite difference, at random places."""
    generator = np.random.default_rng(task.seed)
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
