"""What the paper says of the news log beside its numbers, and what is concluded from ours."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import numpy as np

from hybandit.experiments.experiment import Findings
from hybandit.experiments.specs import PolicySpec
from hybandit.paper.experiments.news_models import (
    ALPHAS,
    ARM,
    CONTEXTS,
    MATCHES,
    OURS,
    OVERHEARD,
    PAPERS,
    READINGS,
    VANILLA,
    NewsModel,
    at_rate,
    models,
    papers,
    printed_clicks,
    printed_models,
)
from hybandit.paper.experiments.standings import told_against
from hybandit.paper.judgement.judgements import Claim, Pairs, all_above, claims_more, differences
from hybandit.reports.section import Sentence

NEWS = "news"
MARKS = range(100, MATCHES + 1, 100)
_RATES = ", ".join(f"{alpha:g}" for alpha in ALPHAS)


def claims(findings: Findings) -> list[Claim]:
    """Orders of the models, by clicks and by run time."""
    models = printed_models()

    def pair(
        first: str, second: str, alpha: float, measure: str = "reward"
    ) -> tuple[dict[int, float], dict[int, float]]:
        """By seed, of the models that two printed lines are held against."""
        one, other = (at_rate(models[name], alpha) for name in (first, second))
        return findings.values(one, ARM, measure), findings.values(other, ARM, measure)

    orders: dict[str, Pairs] = {
        f"{PAPERS} earns more than LinUCB, k-NN UCB and their sum at every rate": {
            f"{rival} at {alpha:g}": pair(PAPERS, rival, alpha)
            for rival in models
            if rival != PAPERS
            for alpha in ALPHAS
        },
        "LinUCB earns more than k-NN UCB at rates 0.1 and 1, less at 10": {
            "LinUCB over k-NN UCB at 0.1": pair("LinUCB", "k-NN UCB", 0.1),
            "at 1": pair("LinUCB", "k-NN UCB", 1.0),
            "k-NN UCB over LinUCB at 10": pair("k-NN UCB", "LinUCB", 10.0),
        },
        f"{VANILLA} earns more than either part at rates 0.1 and 1, less than k-NN UCB at 10": {
            **{
                f"over {part} at {alpha:g}": pair(VANILLA, part, alpha)
                for alpha in (0.1, 1.0)
                for part in ("LinUCB", "k-NN UCB")
            },
            "k-NN UCB over it at 10": pair("k-NN UCB", VANILLA, 10.0),
        },
        f"{PAPERS} takes less time than {VANILLA} (CPU seconds saved)": {
            f"at {alpha:g}": pair(VANILLA, PAPERS, alpha, "seconds") for alpha in ALPHAS
        },
    }
    return [*claims_more(NEWS, orders), *_ahead_throughout(findings)]


def _ahead_throughout(findings: Findings) -> list[Claim]:
    """Figure 1 (b), which has no readable numbers: who leads in mean reward, on the way."""
    own, *rivals = (
        at_rate(printed_models()[name], 1.0) for name in (PAPERS, "LinUCB", "k-NN UCB", VANILLA)
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
    return [Claim(NEWS, claim, found, all_above(gaps.values()))]


def _after(findings: Findings, each: NewsModel, mark: int) -> dict[int, float]:
    """Clicks so far, by seed."""
    runs = findings.runs(each, ARM)
    return {seed: float(np.interp(mark, run.at, run.rewards)) for seed, run in runs.items()}


def conclusions(findings: Findings) -> list[Sentence]:
    """LNUCB-TA's clicks by honest replay, what the printed ones may be, ours, and who has most."""
    own = papers(1.0)
    earned = findings.spread(own, ARM, "reward")
    if earned is None or own.printed is None:
        return []
    text = (
        f"On the news log honest replay gives LNUCB-TA {earned} clicks at alpha 1 (printed "
        f"{own.printed.clicks:,})"
    )
    if near := "; ".join(_come_near(findings)):
        text += (
            f"; near the printed {_listed(printed_clicks())} at alpha {_RATES}, which probably are "
            f"one of these, come {near}"
        )
    ours = NewsModel(OURS, PolicySpec("stacked-hybrid"), "default (0.3)")
    places = {contexts: f"{contexts} contexts" for contexts in CONTEXTS}
    if beside := told_against(findings, own, ours, places, "reward", len(places)):
        text += f". StackedHybrid's clicks less LNUCB-TA's: {beside}"
    return [Sentence(f"{text}. {_most_clicks(findings)}.", "news-readings")]


def _come_near(findings: Findings) -> Iterator[str]:
    """The readings other than the paper's words, each with its clicks at every rate."""
    for reading, (contexts, make) in list(READINGS.items())[1:]:
        found = [findings.spread(make(alpha), contexts, "reward") for alpha in ALPHAS]
        clicks = [each.mean for each in found if each]
        if len(clicks) == len(ALPHAS):
            forbidden = ", which replay forbids" if contexts == OVERHEARD else ""
            yield f"{_listed(clicks)} ({reading}{forbidden})"


def _listed(clicks: Iterable[float]) -> str:
    return ", ".join(f"{each:,.0f}" for each in clicks)


def _most_clicks(findings: Findings) -> str:
    """Whoever it is, on whatever contexts, and what another rate makes of it."""
    earned = {
        (each, contexts): found
        for contexts in CONTEXTS
        for each in models()
        if (found := findings.spread(each, contexts, "reward"))
    }
    (best, contexts), clicks = max(earned.items(), key=lambda each: each[1].mean)
    others = [
        found.mean
        for (each, place), found in earned.items()
        if (each.name, place) == (best.name, contexts) and each != best
    ]
    text = f"Most clicks: {best.name} ({best.variant}) on {contexts} contexts, {clicks}"
    if others:
        text += f"; at its other rates {min(others):,.0f} to {max(others):,.0f}"
    return text
