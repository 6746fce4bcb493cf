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

from hybandit.environments.play import seconds_since
from hybandit.environments.synthetic import sphere
from hybandit.errors import InvalidInput
from hybandit.estimators import AdaptiveKNN, ArmStatistics, Hybrid, Ridge
from hybandit.experiments.runs import Run
from hybandit.experiments.specs import PolicySpec
from hybandit.experiments.task_environment import TaskEnvironment
from hybandit.exploration import Constant, TemporalAttention
from hybandit.paper.theory import bounds
from hybandit.state import Flags, Floats

SIGMA, DELTA = 0.1, 0.05
W = 1.0
LIMITS = {"sigma": SIGMA, "W": W, "B": 1.0, "delta": DELTA}
REG = SIGMA**2 / W**2
REWARDS = ("linear", "paper")
PLACES = 1000
# How much a mean may be off by rounding.
ROUNDING = 1e-9


@dataclass(frozen=True)
class TheoryCheck(TaskEnvironment):
    """One of CHECKS, with its sizes.

    `rewards` is ``linear``, the mean of an arm x'mu, or ``paper``, the model of the paper's
    proofs: x'mu plus what the policy's own neighbours say at that moment. `gamma` is how much
    of the squared distance of neighbours S gains, as the determinant lemma has it. The paper's
    sigma follows from the policy's ridge, lambda = sigma^2 / W^2.
    """

    check: str
    n_features: int = 5
    rounds: int = 1
    n_arms: int = 5
    rewards: str = "linear"
    gamma: float = 0.0

    results_version: ClassVar[int] = 1

    def __post_init__(self) -> None:
        if self.rewards not in REWARDS:
            raise InvalidInput("rewards", f"one of {', '.join(REWARDS)}", self.rewards)

    @property
    def size(self) -> tuple[int, int]:
        return self.rounds, self.n_features

    def run(self, policy: PolicySpec, seed: int) -> Run:
        start = time.process_time()
        found = CHECKS[self.check](self, policy, seed)
        return Run(
            rounds=self.rounds,
            reward=found.pop("reward", 0.0),
            regret=found.pop("regret", None),
            seconds=seconds_since(start),
            at=found.pop("at", []),
            regrets=found.pop("regrets", []),
            extra=found,
        )


class Model:
    """The parts of LNUCB-TA, or of LinUCB where the neighbours are off, laid open."""

    def __init__(self, check: TheoryCheck, policy: PolicySpec) -> None:
        settings: dict[str, Any] = {"alpha": 1.0, "kappa": 0.5, "rate": "attention", "reg": REG}
        settings |= policy.settings
        n_arms, n_features = check.n_arms, check.n_features
        self.linear = Ridge(n_arms, n_features, reg=settings["reg"], gamma=check.gamma)
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


@dataclass(frozen=True)
class Round:
    """What a round shows before it is learned.

    `miss` is how wrong the linear estimate is, `largest` the largest size of any arm's reward,
    `leftover` that of what any arm's reward holds beside x'mu and the neighbours' estimate: the
    paper's xi. `bias` is the largest size of its mean, which the paper's model has as zero.
    """

    arm: int
    regret: float
    width: float
    reach: float
    miss: float
    reward: float
    largest: float
    leftover: float
    bias: float


def simulation(check: TheoryCheck, policy: PolicySpec, seed: int) -> dict[str, Any]:
    """One run on a linear problem, and how far each statement of the paper was kept in it.

    Contexts have unit length and the noise is uniform within SIGMA. Parameters are of length
    1 - SIGMA: linear rewards are then within -1 and 1, as the paper assumes.
    """
    generator = np.random.default_rng([seed, check.n_arms])
    truth = (1.0 - SIGMA) * sphere(generator, (check.n_arms, check.n_features))
    model = Model(check, policy)
    ledger = Ledger(check, truth, model.linear.reg)
    for _ in range(check.rounds):
        x = sphere(generator, (1, check.n_features))
        noise = generator.uniform(-SIGMA, SIGMA)
        played = play(check, model, truth, x, noise)
        model.learn(x, played.arm, played.reward)
        ledger.note(played, x[0], model.linear.weights[played.arm])
    return ledger.found()


def play(check: TheoryCheck, model: Model, truth: Floats, x: Floats, noise: float) -> Round:
    arm, near, linear = model.choose(x), model.near(x), truth @ x[0]
    means = linear + near if check.rewards == "paper" else linear
    rewards = means + noise
    return Round(
        arm=arm,
        regret=float(means.max() - means[arm]),
        width=float(model.linear.widths(x)[arm]),
        reach=0.0 if model.local is None else model.local.reach(x, arm),
        miss=abs(float((model.linear.weights[arm] - truth[arm]) @ x[0])),
        reward=float(rewards[arm]),
        largest=float(np.abs(rewards).max()),
        leftover=float(np.abs(rewards - linear - near).max()),
        bias=float(np.abs(means - linear - near).max()),
    )


class Ledger:
    """Records the quantities that the statements are about, round by round.

    beta is that of the last round, the largest: it favours the paper.
    """

    def __init__(self, check: TheoryCheck, truth: Floats, reg: float) -> None:
        self.check, self.truth, self.reg = check, truth, reg
        self.limits = LIMITS | {"sigma": W * math.sqrt(reg)}
        n_arms, n_features = truth.shape
        self.grams = np.tile(reg * np.eye(n_features), (n_arms, 1, 1))
        self.expansions = np.zeros(n_arms)
        self.squares = np.zeros(n_arms)
        self.rounds: list[Round] = []
        # How far the weights of each arm are from the truth, squared and as S measures it; and
        # the farthest of all arms before each round, and after the last.
        self.off = reg * (truth**2).sum(axis=1)
        self.farthest = [float(self.off.max())]

    def note(self, played: Round, x: Floats, weights: Floats) -> None:
        """A round, and the weights of its arm after it."""
        self.rounds.append(played)
        arm, grown = played.arm, self.check.gamma * played.reach**2
        self.squares[arm] += played.regret**2
        self.grams[arm] += np.outer(x, x) + grown * np.eye(len(x))
        self.expansions[arm] += math.log(1.0 + played.width**2 + grown)
        off = weights - self.truth[arm]
        self.off[arm] = off @ self.grams[arm] @ off
        self.farthest.append(float(self.off.max()))

    def found(self) -> dict[str, Any]:
        """What the statements need; where it is a ratio, they are kept if it is at most 1."""
        spread = self._spread()
        rounds, n_features = self.check.size
        beta = bounds.beta(rounds, n_features, **self.limits, spread=spread)
        total = self._each("regret").cumsum()
        at = np.unique(np.logspace(1, math.log10(rounds), 60).astype(int))
        return {
            "reward": float(self._each("reward").sum()),
            "regret": float(total[-1]),
            "at": at.tolist(),
            "regrets": total[at - 1].tolist(),
            "slope": growth(at, total[at - 1]),
            "claimed_slope": growth(at, np.sqrt(at * np.log(at))),
            "spread": spread,
            "largest_reward": float(self._each("largest").max()),
            "leftover": float(self._each("leftover").max()) / self.limits["sigma"],
            "bias": float(self._each("bias").max()),
            "ball": max(self.farthest) / beta,
            **self._lemmas_on_widths(beta),
            **self._bounds(float(total[-1]), spread),
            **self._lemmas_on_determinants(spread),
        }

    def _spread(self) -> float:
        """Plays of each arm times its largest squared distance, as the paper's text suggests."""
        farthest: dict[int, list[float]] = {}
        for played in self.rounds:
            farthest.setdefault(played.arm, []).append(played.reach**2)
        return sum(len(found) * max(found) for found in farthest.values())

    def _lemmas_on_widths(self, beta: float) -> dict[str, float | None]:
        """The share of rounds that break them: of all, and of those in which premises hold.

        The number of these rounds stands beside it.
        """
        reach = math.sqrt(beta) * self._each("width")
        narrow = self._each("miss") > reach
        optimism = self._each("regret") > 2.0 * np.minimum(reach, 1.0)
        inside = np.array(self.farthest[:-1]) <= beta
        unbiased = self._each("bias") <= ROUNDING
        bounded = inside & unbiased & (self._each("largest") <= 1.0)
        return {
            "width": float(narrow.mean()),
            "width_there": share(narrow, inside),
            "width_rounds": int(inside.sum()),
            "optimism": float(optimism.mean()),
            "optimism_there": share(optimism, bounded),
            "optimism_rounds": int(bounded.sum()),
        }

    def _bounds(self, total: float, spread: float) -> dict[str, float]:
        """Regret and squared regret over their bounds: those of Proposition 2."""
        rounds, n_features = self.check.size
        bound = bounds.regret_bound(rounds, n_features, **self.limits, spread=spread)
        most = float(self.squares.max())
        return {
            "limit": bound,
            "bound": total / bound,
            "squares": most * rounds / bound**2,
            "all_squares": float(self.squares.sum()) * rounds / bound**2,
            "step": total / math.sqrt(rounds * most) if most else 0.0,
            "plain_bound": total / bounds.regret_bound(rounds, n_features, **self.limits),
            "of_most": bound / (2.0 * rounds),
        }

    def _lemmas_on_determinants(self, spread: float) -> dict[str, float]:
        rounds, n_features = self.check.size
        gains = np.linalg.slogdet(self.grams)[1] - n_features * math.log(self.reg)
        potential = n_features * math.log(1.0 + (rounds + spread) / (n_features * self.reg))
        return {
            "determinant": float(np.abs(self.expansions - gains).max()),
            "potential": float(gains.max()) / potential,
        }

    def _each(self, name: str) -> Floats:
        return np.array([getattr(played, name) for played in self.rounds])


def share(broken: Flags, among: Flags) -> float | None:
    """The share of broken rounds among these, None if there are none."""
    return float(broken[among].mean()) if among.any() else None


def growth(at: Any, totals: Floats) -> float:
    """The slope of log totals over log rounds, in the last two of the decades."""
    late = at >= at[-1] / 100
    return float(np.polyfit(np.log(at[late]), np.log(np.maximum(totals[late], 1e-12)), 1)[0])


def attention(check: TheoryCheck, policy: PolicySpec, seed: int) -> dict[str, Any]:
    """Theorem 2's derivative against the policy's own `TemporalAttention`, at random places.

    `fixed`: the sum of rewards and g held as they are, as the paper does. `own`: g moves with
    the arm's own mean, as it does by its definition. `rising`: how often the rate rises with N,
    rewards being of either sign, as the paper's bound on them allows; `rising_positive`: rewards
    being of 0 to 1.
    """
    generator = np.random.default_rng(seed)
    either = np.array([rates_of_change(generator, -1.0) for _ in range(PLACES)])
    positive = np.array([rates_of_change(generator, 0.0) for _ in range(PLACES)])
    printed, held, moving = either.T
    size = np.abs(printed) + 1e-12
    return {
        "fixed": float((np.abs(held - printed) / size).max()),
        "own": float(np.median(np.abs(moving - printed) / size)),
        "rising": float((held > 0.0).mean()),
        "rising_positive": float((positive[:, 1] > 0.0).mean()),
    }


def rates_of_change(generator: np.random.Generator, low: float) -> tuple[float, float, float]:
    """At a random place, mean rewards of `low` to 1: the printed derivative, and two measured.

    Those are of `TemporalAttention` over pulls, with g held and with g moving, for two arms.
    """
    pulls, kappa = generator.uniform(1, 1000), generator.uniform()
    total, other = pulls * generator.uniform(low, 1), generator.uniform(low, 1)
    g = (total / pulls + other) / 2.0
    rate = TemporalAttention(1.0, kappa)

    def at(count: float, held: bool) -> float:
        mean = total / count
        rest = 2.0 * g - mean if held else other
        return float(rate.rates(np.array([count, 1.0]), np.array([mean, rest]))[0])

    step = 1e-4 * pulls
    held, moving = (
        (at(pulls + step, held) - at(pulls - step, held)) / (2.0 * step) for held in (True, False)
    )
    return bounds.attention_slope(pulls, total, g, kappa=kappa), held, moving


CHECKS: dict[str, Callable[..., dict[str, Any]]] = {
    "simulation": simulation,
    "attention": attention,
}
