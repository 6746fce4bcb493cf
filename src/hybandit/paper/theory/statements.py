"""What the paper's theory says and assumes, and the worlds in which it is checked."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from hybandit.experiments.experiment import Row
from hybandit.experiments.runs import Run
from hybandit.experiments.specs import PolicySpec
from hybandit.paper.theory import bounds
from hybandit.paper.theory.checks import LIMITS, REG, ROUNDING, SIGMA
from hybandit.reports.section import Worded

ROUNDS, D = 20_000, 5
PROOFS_RATE = math.sqrt(bounds.beta(ROUNDS, D, **LIMITS))
PAPERS = PolicySpec("lnucb-ta", {"reg": REG})
# Rewards within -1 and 1 keep the neighbours' estimate there: this sigma covers it and the noise.
COVERING = PolicySpec("lnucb-ta", {"reg": (1.0 + SIGMA) ** 2})
LINEAR = PolicySpec("lin-ucb", {"reg": REG, "rate": "attention"})
PROOFS = PolicySpec("lin-ucb", {"reg": REG, "rate": "constant", "alpha": PROOFS_RATE})


@dataclass(frozen=True)
class World(Row):
    """Who plays, and what the rewards are made of."""

    rewards: str = "linear"
    gamma: float = 0.0

    @property
    def papers(self) -> bool:
        """Whether LNUCB-TA itself plays."""
        return self.policy.name == "lnucb-ta"


WORLDS = (
    World("neighbours off, the proof's rate", PROOFS),
    World("neighbours off, attention", LINEAR),
    World("LNUCB-TA, rewards linear", PAPERS),
    World("LNUCB-TA, rewards linear, sigma 1.1", COVERING),
    World("LNUCB-TA, rewards as in the proof", PAPERS, rewards="paper"),
)
GROWING = World("LNUCB-TA, gamma = 1", PAPERS, gamma=1.0)
MATRICES = (WORLDS[2], GROWING)


@dataclass(frozen=True)
class Premise:
    """What a statement assumes: a measure of a run, held where it is at most the limit."""

    words: str
    measure: str
    limit: float = 1.0

    def held(self, run: Run) -> bool:
        return bool(run.extra[self.measure] <= self.limit)


NOISE = Premise(
    "what rewards hold beside x'mu* and the neighbours' estimate is within sigma", "leftover",
    1.0 + 1e-9,
)  # fmt: skip
MODEL = Premise("mean rewards are x'mu* plus the neighbours' estimate", "bias", ROUNDING)
REWARDS = Premise("rewards of all arms are within -1 and 1", "largest_reward")
BALL = Premise("mu* of every arm is in its ball", "ball")
PREMISES = {NOISE: "{:.3g} sigma", MODEL: "off by {:.2g}", REWARDS: "up to {:.3g}"}


@dataclass(frozen=True)
class Statement:
    """A statement of the paper, what a run tells of it, and when it is kept.

    A statement about rounds (`of_rounds`) is restricted to the rounds in which its premises hold,
    one about runs to the runs in which they hold throughout.
    """

    name: str
    says: str
    measure: str
    words: str
    kept: Callable[[Sequence[float]], bool]
    premises: tuple[Premise, ...] = ()
    gathered: Callable[[Iterable[float]], float] = max
    worlds: tuple[World, ...] = WORLDS
    of_rounds: bool = False

    def premise_held(self, run: Run) -> bool:
        return all(premise.held(run) for premise in self.premises)

    def restricted(self, runs: Iterable[Run]) -> list[float]:
        """The measure where the premises hold."""
        if self.of_rounds:
            found = [run.extra[f"{self.measure}_there"] for run in runs]
            return [each for each in found if each is not None]
        return [run.extra[self.measure] for run in runs if self.premise_held(run)]

    def found_there(self, runs: Sequence[Run]) -> Worded | None:
        """The worst of these runs; of rounds, how many of all of them."""
        found = self.restricted(runs)
        if not found:
            return None
        if not self.of_rounds:
            return Worded(self.gathered(found), self.words)
        rounds = [each for run in runs if (each := run.extra[f"{self.measure}_rounds"])]
        broken = round(float(np.dot(found, rounds)))
        return Worded(broken, f"broken in {{:,}} of {sum(rounds):,.0f} rounds")


def none_above(limit: float) -> Callable[[Sequence[float]], bool]:
    return lambda found: max(found) <= limit


def mostly(found: Sequence[float]) -> bool:
    """In 95 % of the runs or more, which is what delta = 0.05 allows."""
    return sum(value <= 1.0 for value in found) >= 0.95 * len(found)


def mean(found: Iterable[float]) -> float:
    return float(np.mean(list(found)))


def mean_percent(found: Iterable[float]) -> float:
    """The mean of shares."""
    return 100.0 * mean(found)


STATEMENTS = (
    Statement(
        "Proposition 1", "with probability 1 - delta, the ball holds mu* of every arm, always",
        "ball", "{:.3g} squared radii", mostly, (NOISE, MODEL),
    ),
    Statement(
        "Lemma on the width", "|(mu - mu*)'x| <= sqrt(beta) w",
        "width", "broken in {:.3g} % of rounds", none_above(0.0), (BALL,), mean_percent,
        of_rounds=True,
    ),
    Statement(
        "Lemma on the normalised width", "regret_t <= 2 min(sqrt(beta) w, 1)",
        "optimism", "broken in {:.3g} % of rounds", none_above(0.0), (BALL, MODEL, REWARDS),
        mean_percent, of_rounds=True,
    ),
    Statement(
        "Proposition 2, each arm",
        "the squared regrets of an arm sum to at most 8 beta d log(...)",
        "squares", "{:.3g} of it", none_above(1.0), (BALL, MODEL, REWARDS),
    ),
    Statement(
        "Proposition 2, the sum over arms",
        "the regret of all arms is at most sqrt(T times the squared regrets of one arm), here of "
        "the arm with the most",
        "step", "{:.3g} of it", none_above(1.0), (BALL, MODEL, REWARDS),
    ),
    Statement(
        "Theorem 1's bound",
        "with probability 1 - delta, regret is at most sqrt(8 T beta d log(...))",
        "bound", "{:.3g} of it", mostly, (NOISE, MODEL, REWARDS),
    ),
    Statement(
        "Lemma on determinants", "log det S grows by the sum of log(1 + w^2 + gamma u^2)",
        "determinant", "off by {:.2g}", none_above(1e-6), worlds=MATRICES,
    ),
    Statement(
        "Lemma on the potential", "log det S grows by at most d log(...)",
        "potential", "{:.3g} of it", none_above(1.0), worlds=MATRICES,
    ),
)  # fmt: skip
SLOPE = Statement(
    "Theorem 1's slope", "regret grows as sqrt(T log T) at most: log-log, by 0.5 and the logarithm",
    "slope", "{:.2f} at most", none_above(0.0), (NOISE, MODEL, REWARDS),
)  # fmt: skip
# Variants of our own: the paper does not state them.
OURS = (
    Statement(
        "Proposition 2's bound for one arm, held against the squared regrets of all arms", "",
        "all_squares", "{:.3g} of it", none_above(1.0),
    ),
    Statement(
        "Theorem 1's bound without the neighbours' term", "",
        "plain_bound", "{:.3g} of it", mostly,
    ),
    Statement(
        "Theorem 1's bound is below 2T, the most that rewards within -1 and 1 allow", "",
        "of_most", "{:.3g} of it", none_above(1.0),
    ),
)  # fmt: skip
