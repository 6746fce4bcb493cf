"""What is run on the news log: contexts, models, and the lines the paper prints of them."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, NamedTuple

from hybandit.experiments.experiment import Row
from hybandit.experiments.specs import EnvironmentSpec, PolicySpec, Settings
from hybandit.paper.judgement.published import published


@dataclass(frozen=True)
class Contexts:
    """What a policy sees of the log: a column of the table."""

    label: str
    contexts: str
    scale: str
    replay: str = "replay"

    def __str__(self) -> str:
        return self.label

    @property
    def environment(self) -> EnvironmentSpec:
        return EnvironmentSpec(self.replay, {"contexts": self.contexts, "scale": self.scale})


ARM = Contexts("arm, raw", "arm", "raw")
SHARED = Contexts("shared, unit", "shared", "unit")
CONTEXTS = (ARM, SHARED, Contexts("shared, standardised", "shared", "standard"))
# What replay forbids: learning from choices that were not made.
OVERHEARD = Contexts("arm, raw, all events overheard", "arm", "raw", "overheard-replay")
ALPHAS = (0.1, 1.0, 10.0)
MATCHES = 800
OURS = "StackedHybrid"
PAPERS = "LNUCB-TA"
VANILLA = "(Lin+k-NN)-UCB"
# Whose past k-NN UCB looks through: the arm's own, as the paper's appendix enumerates, or that
# of all arms, as Reeve, Mellor and Brown do. Distance costs nothing: the paper names no price.
NEIGHBOURS: dict[str, Settings] = {
    "own past, phi 0": {"among": "arm", "phi": 0.0, "max_k": 5},
    "all past, phi 0": {"among": "all", "phi": 0.0, "max_k": 5},
}
HELD, *_ = NEIGHBOURS
# The same with the price of distance that the policies have by default, in units of the typical
# distance, and the policies as they come.
PRICED: dict[str, Settings] = {
    "own past, phi 1": {"among": "arm", "phi": 1.0, "max_k": 5},
    "all past, phi 1": {"among": "all", "phi": 1.0, "max_k": 5},
    "default: all past, phi 1, any k": {},
}
PASTS = NEIGHBOURS | PRICED
KNN = {"k-NN UCB": "knn-ucb", "k-NN KL-UCB": "knn-kl-ucb"}


# Why printed clicks of models do not reproduce, as far as was found.
OPEN_DISTANCE = "the paper leaves k and the price of distance open: see the table of neighbours"
PROBABLY = "probably learned from choices that were not made: see the table of readings"


class Printed(NamedTuple):
    """A line of the paper's table."""

    clicks: float
    mean: float
    seconds: float


@dataclass(frozen=True)
class NewsModel(Row):
    """With the exploration rate it runs at, None for a policy's own default.

    `held`: whether it is the one that the paper's line is held against.
    """

    alpha: float | None = None
    held: bool = True

    @property
    def printed(self) -> Printed | None:
        found = published()["news"].get(self.name, {}).get(f"{self.alpha or 0:g}")
        return Printed(*found) if found and self.held else None


def model(name: str, policy: str, rate: float, **settings: Any) -> NewsModel:
    return NewsModel(name, PolicySpec(policy, settings), f"{rate:g}", rate)


def neighbours(past: str, theta: float, name: str = "k-NN UCB") -> NewsModel:
    """A model of KNN with one of PASTS."""
    policy = PolicySpec(KNN[name], {"theta": theta, **PASTS[past]})
    return NewsModel(name, policy, f"{past}, {theta:g}", theta, held=past == HELD)


def models() -> list[NewsModel]:
    """The models of the paper's table at its exploration rates, and our own."""
    found = []
    for alpha in ALPHAS:
        found += [
            model("LinUCB", "lin-ucb", alpha, alpha=alpha),
            *(neighbours(past, alpha) for past in NEIGHBOURS),
            model(VANILLA, "lin-knn-ucb", alpha, alpha=alpha),
            papers(alpha),
            model(OURS, "stacked-hybrid", alpha, alpha=alpha),
        ]
    return [
        *found,
        model("LinUCB", "lin-ucb", 0.01, alpha=0.01),
        NewsModel(OURS, PolicySpec("stacked-hybrid"), "default (0.3)"),
    ]


def papers(alpha: float) -> NewsModel:
    """LNUCB-TA as it is."""
    return model(PAPERS, "lnucb-ta", alpha, alpha=alpha)


def attending_to_all(alpha: float) -> NewsModel:
    """LNUCB-TA with global attention alone, none of it local."""
    policy = PolicySpec("lnucb-ta", {"alpha": alpha, "kappa": 1.0})
    return NewsModel(PAPERS, policy, f"kappa 1, {alpha:g}", alpha, held=False)


def overhearing(alpha: float) -> NewsModel:
    """LNUCB-TA for OVERHEARD contexts: ties go to the lowest arm, so nothing is left to chance."""
    policy = PolicySpec("reference-lnucb-ta", {"alpha": alpha})
    return NewsModel(PAPERS, policy, f"{alpha:g}", alpha, held=False)


# How the printed clicks of LNUCB-TA may have come about, by name.
READINGS: dict[str, tuple[Contexts, Callable[[float], NewsModel]]] = {
    "arm contexts, honest replay, as the paper says": (ARM, papers),
    "shared unit contexts, honest replay": (SHARED, papers),
    "shared unit contexts, kappa 1, honest replay": (SHARED, attending_to_all),
    "arm contexts, neighbours and counts learn from every logged event": (OVERHEARD, overhearing),
}


def neighbours_alone() -> list[NewsModel]:
    """The models that only the table of neighbours has."""
    found = [neighbours(past, theta, name) for name in KNN for theta in ALPHAS for past in PASTS]
    return [each for each in found if each not in models()]


def at_rate(models: Iterable[NewsModel], alpha: float | None) -> NewsModel:
    return next(each for each in models if each.alpha == alpha)


def printed_clicks() -> list[float]:
    """LNUCB-TA's, at each rate."""
    return [each.printed.clicks for each in printed_models()[PAPERS] if each.printed]


def printed_models() -> dict[str, list[NewsModel]]:
    """Those with a line in the paper's table, by name, in its order."""
    return {
        name: [each for each in models() if each.name == name and each.printed]
        for name in published()["news"]
    }
