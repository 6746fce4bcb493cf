"""The news log by replay: the paper's news table and its first figure."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from hybandit.experiments.experiment import SHAPED, Cell, Experiment, Findings, Model, Scale
from hybandit.experiments.judgements import (
    Claim,
    Verdict,
    all_above,
    claim_more,
    differences,
    ratios,
)
from hybandit.experiments.published import published
from hybandit.experiments.section import Column, Lines, Published, Section, Sentence, Table
from hybandit.experiments.specs import EnvironmentSpec, PolicySpec, Settings
from hybandit.experiments.spread import Spread, paired


@dataclass(frozen=True)
class Contexts:
    """What a policy sees of the log: a column of the table."""

    label: str
    contexts: str
    scale: str

    def __str__(self) -> str:
        return self.label

    @property
    def environment(self) -> EnvironmentSpec:
        return EnvironmentSpec("replay", {"contexts": self.contexts, "scale": self.scale})


ARM = Contexts("arm, raw", "arm", "raw")
SHARED = Contexts("shared, unit", "shared", "unit")
CONTEXTS = (ARM, SHARED, Contexts("shared, standardised", "shared", "standard"))
ALPHAS = (0.1, 1.0, 10.0)
MATCHES = 800
MARKS = range(100, MATCHES + 1, 100)
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


class Printed(NamedTuple):
    """A line of the paper's table."""

    clicks: float
    mean: float
    seconds: float


@dataclass(frozen=True)
class NewsModel(Model):
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
            model("LinUCB", "lin-ucb", alpha, alpha=alpha, ties="first"),
            *(neighbours(past, alpha) for past in NEIGHBOURS),
            model(VANILLA, "lin-knn-ucb", alpha, alpha=alpha, ties="first"),
            model(PAPERS, "lnucb-ta", alpha, alpha=alpha),
            model(OURS, "stacked-hybrid", alpha, alpha=alpha),
        ]
    return [
        *found,
        model("LinUCB", "lin-ucb", 0.01, alpha=0.01, ties="first"),
        NewsModel(OURS, PolicySpec("stacked-hybrid"), "default (0.3)"),
    ]


def neighbours_alone() -> list[NewsModel]:
    """The models that only the table of neighbours has."""
    found = [neighbours(past, theta, name) for name in KNN for theta in ALPHAS for past in PASTS]
    return [each for each in found if each not in models()]


def printed_models() -> dict[str, list[NewsModel]]:
    """Those with a line in the paper's table, by name, in its order."""
    return {
        name: [each for each in models() if each.name == name and each.printed]
        for name in published()["news"]
    }


class News(Experiment):
    """Clicks and seconds beside the printed ones, and how they add up."""

    id = "news"
    title = "News recommendation by replay"
    reasons = (
        "The paper prints one number for each model, without a spread; its deviations are over the "
        "three rates and follow. It leaves k-NN UCB's price of distance open: ours has none. Run "
        "times are held as ratios to (Lin+k-NN)-UCB's."
    )

    def cells(self, scale: Scale) -> tuple[Cell, ...]:
        runs = scale.count(full=10, quick=2)
        places = [(each, contexts) for contexts in CONTEXTS for each in models()]
        places += [(each, ARM) for each in neighbours_alone()]
        return tuple(
            Cell.of(
                each, contexts, contexts.environment, each.policy, runs=runs, seed=scale.seed
            )
            for each, contexts in places
        )  # fmt: skip

    def section(self, findings: Findings) -> Section:
        about = (
            "10,000 logged events, walked through until 800 choices equal the logged arm; other "
            f"events are neither learned nor counted. {findings.scale.count(full=10, quick=2)} "
            "seeds. Contexts: each arm's own ten integers (arm), or all hundred for every arm "
            "(shared)."
        )
        tables = [_clicks(findings), _neighbours(findings), _seconds(findings)]
        return Section(self.id, self.title, about, tables, _figures(findings))

    def verdicts(self, findings: Findings) -> list[Verdict]:
        return [
            verdict
            for name, found in printed_models().items()
            for verdict in (*_numbers(findings, found), *_deviation(findings, name, found))
        ]

    def claims(self, findings: Findings) -> list[Claim]:
        return [
            *_ahead_at_every_rate(findings),
            *_linear_or_not(findings),
            *_sum_of_both(findings),
            *_faster(findings),
            *_ahead_throughout(findings),
        ]

    def conclusions(self, findings: Findings) -> list[Sentence]:
        return list(_clicks_concluded(findings))


def _numbers(findings: Findings, found: list[NewsModel]) -> Iterator[Verdict]:
    """Clicks, the mean reward that follows from them, and the run time as a ratio."""
    for each in found:
        printed = each.printed
        assert printed is not None
        ours = findings.spread(each, ARM, "reward")
        if ours is None:
            continue
        yield Verdict.of(News.id, f"{each}: clicks", Published(printed.clicks), ours)
        share = findings.spread(each, ARM, "mean reward")
        mean = Published(printed.mean, digits=2)
        yield Verdict.of(News.id, f"{each}: mean reward", mean, share, "from clicks")
        if each.name != VANILLA:
            yield from _run_time(findings, each, printed)


def _run_time(findings: Findings, each: NewsModel, printed: Printed) -> Iterator[Verdict]:
    reference = _vanilla(each)
    theirs = reference.printed
    assert theirs is not None
    ours = ratios(*(findings.values(one, ARM, "seconds") for one in (each, reference)))
    if ours:
        ratio = Published(printed.seconds / theirs.seconds, digits=3)
        yield Verdict.of(News.id, f"{each}: run time over {VANILLA}'s", ratio, ours)


def _vanilla(each: NewsModel) -> NewsModel:
    """The plain sum of both estimates, at the same rate."""
    return next(one for one in printed_models()[VANILLA] if one.alpha == each.alpha)


def _deviation(findings: Findings, name: str, found: list[NewsModel]) -> Iterator[Verdict]:
    """Over the rates, at equal seeds."""
    means = [findings.values(each, ARM, "mean reward") for each in found]
    seeds = set.intersection(*(set(each) for each in means)) if means else set()
    if seeds:
        ours = Spread.of([Spread.of([each[seed] for each in means]).sd for seed in sorted(seeds)])
        printed = Published(published()["news deviations"][name], digits=2)
        number = f"{name}: sd of the mean reward over rates"
        yield Verdict.of(News.id, number, printed, ours, "from clicks")


def _pair(
    findings: Findings, first: str, second: str, alpha: float, measure: str = "reward"
) -> tuple[dict[int, float], dict[int, float]]:
    """By seed, of the models that two printed lines are held against."""
    one, other = (
        next(each for each in printed_models()[name] if each.alpha == alpha)
        for name in (first, second)
    )
    return findings.values(one, ARM, measure), findings.values(other, ARM, measure)


def _ahead_at_every_rate(findings: Findings) -> list[Claim]:
    pairs = {
        f"{rival} at {alpha:g}": _pair(findings, PAPERS, rival, alpha)
        for rival in printed_models()
        if rival != PAPERS
        for alpha in ALPHAS
    }
    claim = f"{PAPERS} earns more than LinUCB, k-NN UCB and their sum at every rate"
    return claim_more(News.id, claim, pairs)


def _linear_or_not(findings: Findings) -> list[Claim]:
    pairs = {
        "LinUCB over k-NN UCB at 0.1": _pair(findings, "LinUCB", "k-NN UCB", 0.1),
        "at 1": _pair(findings, "LinUCB", "k-NN UCB", 1.0),
        "k-NN UCB over LinUCB at 10": _pair(findings, "k-NN UCB", "LinUCB", 10.0),
    }
    claim = "LinUCB earns more than k-NN UCB at rates 0.1 and 1, less at 10"
    return claim_more(News.id, claim, pairs)


def _sum_of_both(findings: Findings) -> list[Claim]:
    """The plain sum of both estimates against each alone."""
    pairs = {
        f"over {part} at {alpha:g}": _pair(findings, VANILLA, part, alpha)
        for alpha in (0.1, 1.0)
        for part in ("LinUCB", "k-NN UCB")
    }
    pairs["k-NN UCB over it at 10"] = _pair(findings, "k-NN UCB", VANILLA, 10.0)
    claim = f"{VANILLA} earns more than either part at rates 0.1 and 1, less than k-NN UCB at 10"
    return claim_more(News.id, claim, pairs)


def _faster(findings: Findings) -> list[Claim]:
    pairs = {
        f"at {alpha:g}": _pair(findings, VANILLA, PAPERS, alpha, "seconds") for alpha in ALPHAS
    }
    claim = f"{PAPERS} takes less time than {VANILLA} (CPU seconds saved)"
    return claim_more(News.id, claim, pairs)


def _ahead_throughout(findings: Findings) -> list[Claim]:
    """Figure 1 (b), which has no readable numbers: who leads in mean reward, on the way."""
    own, *rivals = (
        next(each for each in printed_models()[name] if each.alpha == 1.0)
        for name in (PAPERS, "LinUCB", "k-NN UCB", VANILLA)
    )
    pairs = {
        f"{rival} after {mark}": (_after(findings, own, mark), _after(findings, rival, mark))
        for rival in rivals
        for mark in MARKS
    }
    gaps = differences(pairs)
    if not gaps:
        return []
    ahead = sum(gap.low > 0.0 for gap in gaps.values())
    behind = sum(gap.high < 0.0 for gap in gaps.values())
    found = (
        f"of {len(gaps)} comparisons, every 100 matches with {len(rivals)} models at alpha 1, "
        f"ahead beyond chance in {ahead} and behind in {behind}"
    )
    claim = f"Figure of mean rewards: {PAPERS} leads throughout"
    return [Claim(News.id, claim, found, all_above(gaps.values()))]


def _after(findings: Findings, each: NewsModel, mark: int) -> dict[int, float]:
    """Clicks so far, by seed."""
    runs = findings.runs(each, ARM)
    return {seed: float(np.interp(mark, run.at, run.rewards)) for seed, run in runs.items()}


def _clicks_concluded(findings: Findings) -> Iterator[Sentence]:
    """LNUCB-TA's clicks beside the printed ones, and ours where all features are shared."""
    papers = model(PAPERS, "lnucb-ta", 1.0, alpha=1.0)
    ours = NewsModel(OURS, PolicySpec("stacked-hybrid"), "default (0.3)")
    earned = findings.spread(papers, ARM, "reward")
    if earned is None or papers.printed is None:
        return
    printed = papers.printed.clicks
    side = "fewer" if earned.mean < printed else "more"
    text = (
        f"On the news log LNUCB-TA earns {earned} clicks in 800 matches at alpha 1, "
        f"{abs(printed - earned.mean):,.0f} {side} than the {printed:,} printed"
    )
    values = [findings.values(each, SHARED, "reward") for each in (ours, papers)]
    gap = paired(*values)
    if gap:
        told = gap.in_words()
        text += f"; with all features shared StackedHybrid earns {told} than it"
    for most in _most_clicks(findings):
        text += f". {most.removesuffix('.')}"
    yield Sentence(f"{text}.", "news")


def _most_clicks(findings: Findings) -> Iterator[str]:
    """Whoever it is, on whatever contexts, and what another rate makes of it."""
    earned = {
        (each, contexts): found
        for contexts in CONTEXTS
        for each in models()
        if (found := findings.spread(each, contexts, "reward"))
    }
    if not earned:
        return
    (best, contexts), clicks = max(earned.items(), key=lambda each: each[1].mean)
    others = [
        found.mean
        for (each, place), found in earned.items()
        if (each.name, place) == (best.name, contexts) and each != best
    ]
    text = f"Most clicks of all: {best.name} ({best.variant}) on {contexts} contexts, {clicks}"
    if others:
        text += f"; at its other rates there it earns {min(others):,.0f} to {max(others):,.0f}"
    yield f"{text}."


def _figures(findings: Findings) -> list[Lines]:
    at_one = [each for each in models() if each.alpha in (1.0, None)]
    panels = {ARM: "arm contexts, raw", SHARED: "shared, unit length"}

    def lines(name: str, caption: str, measure: str, y_label: str) -> Lines:
        curves = {
            title: found
            for contexts, title in panels.items()
            if (found := findings.lines(contexts, at_one, measure))
        }
        return Lines(name, caption, curves, "match", y_label)

    return [
        lines(
            "news-cumulative",
            "Cumulative reward by matches, alpha 1.",
            "rewards",
            "cumulative reward",
        ),
        lines("news-mean", "Mean reward by matches, alpha 1.", "mean rewards", "mean reward"),
    ]


def _clicks(findings: Findings) -> Table:
    rows: list[list[Any]] = []
    for each in models():
        arm, *shared = (findings.spread(each, contexts, "reward") for contexts in CONTEXTS)
        rows.append([str(each), arm, each.printed.clicks if each.printed else None, *shared])
    return Table(
        "news",
        "Clicks in 800 matches: mean ± sd over seeds",
        [
            Column("model, alpha"),
            Column(str(ARM), Spread),
            Column("published", float),
            *(Column(str(contexts), Spread) for contexts in CONTEXTS[1:]),
        ],
        rows,
        note="Published numbers are for arm contexts. k-NN UCB: k up to 5, neighbours from the "
        f"arm's own past or from all arms', phi the price of distance. {SHAPED}",
    )


def _neighbours(findings: Findings) -> Table:
    rows: list[list[Any]] = []
    for name in KNN:
        for theta in ALPHAS:
            line = [findings.spread(neighbours(past, theta, name), ARM, "reward") for past in PASTS]
            printed = neighbours(HELD, theta, name).printed
            rows.append([f"{name}, {theta:g}", *line, printed.clicks if printed else None])
    return Table(
        "news-neighbours",
        "k-NN models by whose past they look through and the price of distance, arm contexts",
        [
            Column("model, theta"),
            *(Column(past, Spread) for past in PASTS),
            Column("published", float),
        ],
        rows,
        note="Clicks in 800 matches, k up to 5. The default, phi 1, is in typical distances; held "
        f"elsewhere: {HELD}.",
    )


def _seconds(findings: Findings) -> Table:
    return Table(
        "news-seconds",
        "CPU seconds for 800 matches, arm contexts",
        [Column("model, alpha"), Column("ours", Spread), Column("published", float)],
        [
            [str(each), findings.spread(each, ARM, "seconds"), each.printed.seconds]
            for each in models()
            if each.printed
        ],
        note="Seconds that the process computed, whatever else the machine did; the published "
        "times are of another one. Every event counts, matched or not.",
    )
