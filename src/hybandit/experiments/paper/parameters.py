"""Nine models, six settings each: the paper's parameter table."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from hybandit.experiments.experiment import Cell, Experiment, Findings, Scale
from hybandit.experiments.paper.news import ARM
from hybandit.experiments.published import published
from hybandit.experiments.section import (
    Bars,
    Column,
    Gain,
    Published,
    Section,
    Table,
    Verdict,
)
from hybandit.experiments.specs import PolicySpec
from hybandit.experiments.spread import Spread, paired

SIX = (0.1, 0.5, 1.0, 2.0, 5.0, 10.0)
FINE = (0.01, 0.05, 0.1, 0.5, 1.0, 10.0)
PAIRS = ((1, 1), (2, 2), (0.5, 0.5), (3, 1), (1, 3), (4, 4))
EPSILONS = (0.01, 0.05, 0.1, 0.2, 0.25, 0.5)
# A model's name, and the policy at each of its settings.
Variants = dict[str, list[PolicySpec]]
PAPERS = "LNUCB-TA"
MATCHES = 800
PICKED = (
    "Each model's best setting is picked on the very runs that are reported, as the paper does; "
    "that flatters every row alike."
)


def variants(policy: str, setting: str, values: Sequence[float], **fixed: Any) -> list[PolicySpec]:
    """One policy at several values of one setting."""
    return [PolicySpec(policy, {setting: value, **fixed}) for value in values]


def pairs(policy: str) -> list[PolicySpec]:
    """One policy at several priors."""
    return [PolicySpec(policy, {"a": a, "b": b}) for a, b in PAIRS]


MODELS: Variants = {
    "BetaThompson": pairs("beta-thompson"),
    "EpsilonGreedy": variants("epsilon-greedy", "epsilon", EPSILONS),
    "KL-UCB": variants("kl-ucb", "c", SIX),
    "k-NN KL-UCB": variants("knn-kl-ucb", "theta", SIX, max_k=5),
    "k-NN UCB": variants("knn-ucb", "theta", SIX, max_k=5),
    "LinTS": variants("lin-ts", "v", SIX),
    "LinUCB": variants("lin-ucb", "alpha", FINE, ties="first"),
    "UCB": variants("ucb", "rho", SIX),
    PAPERS: variants("lnucb-ta", "alpha", FINE),
}


@dataclass(frozen=True)
class Best:
    """A model at the setting with the largest mean reward."""

    policy: PolicySpec
    rewards: dict[int, float]

    @property
    def spread(self) -> Spread:
        return Spread.of(list(self.rewards.values()))


class BestSettings(Experiment):
    """Models at several settings each, on the news log: what these two experiments share."""

    models: Variants
    about: str

    def cells(self, scale: Scale) -> tuple[Cell, ...]:
        runs = scale.count(full=10, quick=2)
        return tuple(
            Cell.of(
                name,
                policy,
                ARM.environment,
                policy,
                runs=1 if policy.settings.get("ties") == "first" else runs,
                seed=scale.seed,
            )
            for name, policies in self.models.items()
            for policy in policies
        )

    def best(self, findings: Findings, model: str) -> Best | None:
        """None while nothing of the model has finished."""
        found = [
            Best(policy, rewards)
            for policy in self.models[model]
            if (rewards := findings.values(model, policy, "reward"))
        ]
        return max(found, key=lambda best: best.spread.mean, default=None)

    def verdicts(self, findings: Findings) -> list[Verdict]:
        return [
            Verdict.of(self.id, f"{model}: best clicks", Published(reward), found.spread)
            for model, (_, reward) in published()[self.id].items()
            if (found := self.best(findings, model))
        ]

    def described(self, findings: Findings) -> str:
        runs = findings.scale.count(full=10, quick=2)
        return f"{self.about} {runs} seeds where the policy draws."

    def bars(self, findings: Findings) -> Bars:
        """One panel for each model, one bar for each setting."""
        panels = {
            model: [
                (shown(policy), spread)
                for policy in policies
                if (spread := findings.spread(model, policy, "reward"))
            ]
            for model, policies in self.models.items()
        }
        caption = "Clicks in 800 matches at each setting; lines are one sd over seeds."
        return Bars(self.id, caption, panels, "clicks", MATCHES)


class Parameters(BestSettings):
    """The best of six settings of each model."""

    id = "parameters"
    title = "Nine models, six settings each"
    about = "The news log by replay, arm contexts, raw integers, 800 matches."
    models = MODELS
    reasons = (
        "LinTS, k-NN UCB and k-NN KL-UCB leave details open in the paper; ours are in "
        "their documentation. With the paper's cap of 5 on k, at least five of ten arms are "
        "unknown among the neighbours, score infinity and are played: k-NN UCB as defined is then "
        "near chance."
    )

    def section(self, findings: Findings) -> Section:
        best = {model: self.best(findings, model) for model in self.models}
        rows: list[list[Any]] = []
        for model, found in best.items():
            setting, reward = published()["parameters"][model]
            gained = None if model == PAPERS else gain(best[PAPERS], found)
            mean = found.spread.mean / MATCHES if found else None
            rows.append([model, *entries(found), mean, gained, setting, reward])
        table = Table(
            "parameters",
            "Best of six settings: clicks in 800 matches",
            [
                Column("model"),
                Column("best"),
                Column("clicks", Spread),
                Column("mean reward", float, ".2f"),
                Column("LNUCB-TA's gain, in clicks [95 %]", Gain, name="LNUCB-TA's gain"),
                Column("published best"),
                Column("clicks", float, name="published clicks"),
            ],
            rows,
            note=PICKED,
        )
        return Section(
            self.id, self.title, self.described(findings), [table], [self.bars(findings)]
        )


def gain(better: Best | None, plain: Best | None) -> Gain | None:
    """In percent, and in clicks at equal seeds with a 95 % interval where both have seeds."""
    if better is None or plain is None:
        return None
    percent = 100 * (better.spread.mean / plain.spread.mean - 1)
    clicks = paired(better.rewards, plain.rewards)
    return Gain(percent, **vars(clicks)) if clicks else Gain(percent)


def shown(policy: PolicySpec) -> str:
    """The settings that vary."""
    values = [value for key, value in policy.settings.items() if key not in ("ties", "max_k")]
    return ", ".join(f"{value:g}" for value in values)


def entries(found: Best | None) -> list[Any]:
    """The best setting and its clicks."""
    return [None, None] if found is None else [shown(found.policy), found.spread]
