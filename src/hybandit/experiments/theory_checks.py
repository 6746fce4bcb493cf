"""The paper's theorems, propositions and lemmas, checked by simulation.

Every statement is tested as it is printed, in one simulated run at a time. A run reports by how
much each was kept or violated.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from hybandit import theory
from hybandit.environments.synthetic import sphere
from hybandit.errors import InvalidInput
from hybandit.estimators import AdaptiveKNN, ArmStatistics, Hybrid, Ridge
from hybandit.experiments.runs import Run
from hybandit.experiments.specs import PolicySpec
from hybandit.experiments.task_environment import TaskEnvironment
from hybandit.exploration import Constant, TemporalAttention
from hybandit.state import Floats

SIGMA, DELTA = 0.1, 0.05
LIMITS = {"sigma": SIGMA, "W": 1.0, "B": 1.0, "delta": DELTA}
REG = SIGMA**2
REWARDS = ("linear", "paper")


@dataclass(frozen=True)
class TheoryCheck(TaskEnvironment):
    """One of CHECKS, with its sizes.

    `rewards` is ``linear``, the mean of an arm x'mu, or ``paper``, the model of the paper's
    proofs: x'mu plus what the policy's own neighbours say at that moment. `gamma` is how much
    of the squared distance of neighbours S gains, as the determinant lemma has it.
    """

    check: str
    n_features: int = 5
    rounds: int = 1
    n_arms: int = 5
    rewards: str = "linear"
    gamma: float = 0.0

    results_version: ClassVar[int] = 2

    def __post_init__(self) -> None:
        if self.rewards not in REWARDS:
            raise InvalidInput("rewards", f"one of {', '.join(REWARDS)}", self.rewards)

    @property
    def size(self) -> tuple[int, int]:
        return self.rounds, self.n_features

    def run(self, policy: PolicySpec, seed: int) -> Run:
        start = time.perf_counter()
        found = CHECKS[self.check](self, policy, seed)
        return Run(
            rounds=self.rounds,
            reward=found.pop("reward", 0.0),
            regret=found.pop("regret", None),
            seconds=time.perf_counter() - start,
            at=found.pop("at", []),
            regrets=found.pop("regrets", []),
            extra=found,
        )


class Model:
    """The parts of LNUCB-TA, or of LinUCB where the neighbours are off, laid open."""

    def __init__(self, check: TheoryCheck, policy: PolicySpec) -> None:
        settings: dict[str, Any] = {"alpha": 1.0, "kappa": 0.5, "rate": "attention"}
        settings |= policy.settings
        n_arms, n_features = check.n_arms, check.n_features
        self.linear = Ridge(n_arms, n_features, reg=REG, gamma=check.gamma)
        self.local = AdaptiveKNN(n_arms, n_features) if policy.name == "lnucb-ta" else None
        alpha = settings["alpha"]
        constant = settings["rate"] == "constant"
        self.rate = Constant(alpha) if constant else TemporalAttention(alpha, settings["kappa"])
        self.statistics = ArmStatistics(n_arms)
        self.everyone = np.ones(n_arms, np.bool_)

    def near(self, x: Floats) -> Floats:
        """The neighbours' estimate of every arm."""
        return np.zeros(len(self.everyone)) if self.local is None else self.local.values(x)

    def choose(self, x: Floats) -> int:
        rates = self.rate.rates(self.statistics.counts, self.statistics.means)
        values = self.linear.values(x) + self.near(x)
        return int(self.linear.add_widths(values, x, rates, self.everyone, True).argmax())

    def learn(self, x: Floats, arm: int, reward: float) -> None:
        if self.local is None:
            self.linear.learn(x, arm, reward)
        else:
            Hybrid(self.linear, self.local).learn(x, arm, reward)
        self.statistics.learn(arm, reward)


def simulation(check: TheoryCheck, policy: PolicySpec, seed: int) -> dict[str, Any]:
    """One run on a linear problem, and how far each statement of the paper was kept in it.

    Contexts and parameters have unit length, and the noise is uniform within sigma, as
    Theorem 1 supposes. beta is that of the last round, the largest: it favours the paper.
    """
    generator = np.random.default_rng([seed, check.n_arms])
    truth = sphere(generator, (check.n_arms, check.n_features))
    model = Model(check, policy)
    ledger = Ledger(check, truth)
    for _ in range(check.rounds):
        x = sphere(generator, (1, check.n_features))
        noise = generator.uniform(-SIGMA, SIGMA)
        arm = model.choose(x)
        near = model.near(x)
        means = (truth @ x[0]) + (near if check.rewards == "paper" else 0.0)
        width = float(model.linear.widths(x)[arm])
        reach = 0.0 if model.local is None else model.local.reach(x, arm)
        reward = float(means[arm] + noise)
        miss = abs(float((model.linear.weights[arm] - truth[arm]) @ x[0]))
        ledger.note(float(means.max() - means[arm]), width, reach, miss, reward)
        model.learn(x, arm, reward)
        ledger.learned(x[0], arm, reach, width, model.linear.weights[arm])
    return ledger.found()


class Ledger:
    """Records the quantities that the statements are about, round by round."""

    def __init__(self, check: TheoryCheck, truth: Floats) -> None:
        self.check, self.truth = check, truth
        n_arms, n_features = truth.shape
        self.grams = np.tile(REG * np.eye(n_features), (n_arms, 1, 1))
        self.expansions = np.zeros(n_arms)
        self.regrets: list[float] = []
        self.widths: list[float] = []
        self.misses: list[float] = []
        self.farthest: list[float] = []
        self.spread = 0.0
        self.reward = self.largest_reward = 0.0

    def note(self, regret: float, width: float, reach: float, miss: float, reward: float) -> None:
        """A round, before it is learned."""
        self.regrets.append(regret)
        self.widths.append(width)
        self.misses.append(miss)
        self.spread += reach**2
        self.reward += reward
        self.largest_reward = max(self.largest_reward, abs(reward))

    def learned(self, x: Floats, arm: int, reach: float, width: float, weights: Floats) -> None:
        """What the arm knows now: its S, and how far its weights are from the truth in it."""
        gamma = self.check.gamma
        self.grams[arm] += np.outer(x, x) + gamma * reach**2 * np.eye(len(x))
        self.expansions[arm] += math.log(1.0 + width**2 + gamma * reach**2)
        off = weights - self.truth[arm]
        self.farthest.append(float(off @ self.grams[arm] @ off))

    def found(self) -> dict[str, Any]:
        """Each statement's measured side over the printed one: it is kept where at most 1."""
        rounds, n_features = self.check.size
        regrets, widths = np.array(self.regrets), np.array(self.widths)
        beta = theory.beta(rounds, n_features, **LIMITS, spread=self.spread)
        bound = theory.regret_bound(rounds, n_features, **LIMITS, spread=self.spread)
        potential = n_features * math.log(1.0 + (rounds + self.spread) / (n_features * REG))
        gains = np.linalg.slogdet(self.grams)[1] - n_features * math.log(REG)
        narrow = 2.0 * np.minimum(math.sqrt(beta) * widths, 1.0)
        at = np.unique(np.logspace(1, math.log10(rounds), 60).astype(int))
        total = regrets.cumsum()
        return {
            "reward": self.reward,
            "regret": float(total[-1]),
            "at": at.tolist(),
            "regrets": total[at - 1].tolist(),
            "largest_reward": self.largest_reward,
            "spread": self.spread,
            "ball": max(self.farthest) / beta,
            "width": float(np.mean(np.array(self.misses) > math.sqrt(beta) * widths)),
            "optimism": float(np.mean(regrets > narrow)),
            "squares": float(regrets @ regrets) * rounds / bound**2,
            "bound": float(total[-1]) / bound,
            "plain_bound": float(total[-1]) / theory.regret_bound(rounds, n_features, **LIMITS),
            "determinant": float(np.abs(self.expansions - gains).max()),
            "potential": float(gains.max()) / potential,
            "slope": growth(at, total[at - 1]),
            "claimed_slope": growth(at, np.sqrt(at * np.log(at))),
            "limit": bound,
        }


def growth(at: Any, totals: Floats) -> float:
    """The slope of log totals over log rounds, in the last two of the decades."""
    late = at >= at[-1] / 100
    return float(np.polyfit(np.log(at[late]), np.log(np.maximum(totals[late], 1e-12)), 1)[0])


def attention(check: TheoryCheck, policy: PolicySpec, seed: int) -> dict[str, Any]:
    """Theorem 2's derivative against the policy's own `TemporalAttention`, at random places.

    `fixed`: the sum of rewards and g held as they are, as the paper does. `own`: g moves with
    the arm's own mean, as it does by its definition. `rising`: how often the rate rises with N,
    rewards being of either sign, as the paper's bound on them allows.
    """
    generator = np.random.default_rng(seed)
    fixed, own, rising = [], [], 0
    for _ in range(1000):
        pulls, kappa = generator.uniform(1, 1000), generator.uniform()
        total, other = pulls * generator.uniform(-1, 1), generator.uniform(-1, 1)
        g = (total / pulls + other) / 2.0
        analytic = theory.attention_slope(pulls, total, g, kappa=kappa)
        rate = TemporalAttention(1.0, kappa)
        step = 1e-4 * pulls
        ends = []
        for held in (True, False):
            rates = []
            for N in (pulls + step, pulls - step):  # noqa: N806
                mean = total / N
                rest = 2.0 * g - mean if held else other
                rates.append(float(rate.rates(np.array([N, 1.0]), np.array([mean, rest]))[0]))
            ends.append((rates[0] - rates[1]) / (2.0 * step))
        size = abs(analytic) + 1e-12
        fixed.append(abs(ends[0] - analytic) / size)
        own.append(abs(ends[1] - analytic) / size)
        rising += analytic > 0.0
    return {"fixed": max(fixed), "own": float(np.median(own)), "rising": rising / 1000}


CHECKS: dict[str, Callable[..., dict[str, Any]]] = {
    "simulation": simulation,
    "attention": attention,
}
