"""The news log by replay: the paper's news table and its first figure."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, ClassVar

from hybandit.experiments.experiment import Cell, Effort, Findings
from hybandit.paper.disclosure import STACKED_HYBRID
from hybandit.paper.experiment import PaperExperiment
from hybandit.paper.experiments import news_claims
from hybandit.paper.experiments.news_models import (
    ALPHAS,
    ARM,
    CONTEXTS,
    HELD,
    KNN,
    OPEN_DISTANCE,
    OVERHEARD,
    PAPERS,
    PASTS,
    PROBABLY,
    READINGS,
    SHARED,
    VANILLA,
    Contexts,
    NewsModel,
    Printed,
    at_rate,
    models,
    neighbours,
    neighbours_alone,
    papers,
    printed_clicks,
    printed_models,
)
from hybandit.paper.judgement.judgements import Claim, Verdict, ratios
from hybandit.paper.judgement.published import published
from hybandit.paper.judgement.values import Published
from hybandit.reports.section import Column, Lines, ReportTable, Section, Sentence
from hybandit.reports.spread import Spread

TRIED = (
    "Tried once, not by this command: 1,632 readings of raw arm contexts that learn from matches "
    "only; the best has 670 at alpha 1."
)


class News(PaperExperiment):
    """Clicks and seconds beside the printed ones, and how they add up."""

    id = news_claims.NEWS
    title = "News recommendation by replay"
    reasons = (
        "The paper prints one number for each model, without a spread; its deviations are over the "
        "three rates and follow. It leaves k-NN UCB's price of distance open: ours has none. Run "
        "times are held as ratios to (Lin+k-NN)-UCB's."
    )

    explanations: ClassVar[Mapping[str, str]] = {
        "run time": "other code on another machine; the paper's search scans a list",
        "k-NN UCB, ": OPEN_DISTANCE,
        PAPERS: PROBABLY,
    }

    def _cells(self, effort: Effort) -> tuple[Cell, ...]:
        places = [(each, contexts) for contexts in CONTEXTS for each in models()]
        places += [(each, ARM) for each in neighbours_alone()]
        places += [
            (make(alpha), contexts)
            for contexts, make in READINGS.values()
            if make != papers
            for alpha in ALPHAS
        ]
        return tuple(
            each.cell(contexts, contexts.environment, _seeds(effort, each, contexts))
            for each, contexts in places
        )

    def section(self, findings: Findings) -> Section:
        more = len(_seeds(findings.effort, papers(1.0), SHARED))
        about = (
            "10,000 logged events, walked through until 800 choices equal the logged arm; other "
            f"events are neither learned nor counted. {findings.effort.count()} "
            f"seeds (LNUCB-TA, {SHARED}: {more}). Contexts: "
            "each arm's own ten integers (arm), or all hundred (shared). Ties are broken at "
            "random, for all."
        )
        tables = [_clicks(findings), _readings(findings), _neighbours(findings), _seconds(findings)]
        return Section(self.id, self.title, about, tables, _figures(findings))

    def verdicts(self, findings: Findings) -> list[Verdict]:
        return [
            verdict
            for name, found in printed_models().items()
            for verdict in (*_numbers(findings, found), *_deviation(findings, name, found))
        ]

    def claims(self, findings: Findings) -> list[Claim]:
        return news_claims.claims(findings)

    def conclusions(self, findings: Findings) -> list[Sentence]:
        return news_claims.conclusions(findings)


def _seeds(effort: Effort, each: NewsModel, contexts: Contexts) -> range:
    if contexts == OVERHEARD:
        return range(effort.seed, effort.seed + 1)
    return effort.seeds(full=20 if (each.name, contexts) == (PAPERS, SHARED) else 10)


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
    # The plain sum of both estimates, at the same rate.
    reference = at_rate(printed_models()[VANILLA], each.alpha)
    theirs = reference.printed
    assert theirs is not None
    ours = ratios(*(findings.values(one, ARM, "seconds") for one in (each, reference)))
    if ours:
        ratio = Published(printed.seconds / theirs.seconds, digits=3)
        yield Verdict.of(News.id, f"{each}: run time over {VANILLA}'s", ratio, ours)


def _deviation(findings: Findings, name: str, found: list[NewsModel]) -> Iterator[Verdict]:
    """Over the rates, at equal seeds."""
    means = [findings.values(each, ARM, "mean reward") for each in found]
    seeds = set.intersection(*(set(each) for each in means)) if means else set()
    if seeds:
        ours = Spread.of([Spread.of([each[seed] for each in means]).sd for seed in sorted(seeds)])
        printed = Published(published()["news deviations"][name], digits=2)
        number = f"{name}: sd of the mean reward over rates"
        yield Verdict.of(News.id, number, printed, ours, "from clicks")


def _figures(findings: Findings) -> list[Lines]:
    at_one = [each for each in models() if each.alpha in (1.0, None)]
    panels = {ARM: "arm contexts, raw", SHARED: "shared, unit length"}

    measures = {"cumulative": "rewards", "mean": "mean rewards"}
    return [
        Lines(
            f"news-{kind}",
            f"{kind.capitalize()} reward by matches, alpha 1.",
            findings.panels(panels, at_one, measure),
            "match",
            f"{kind} reward",
        )
        for kind, measure in measures.items()
    ]


def _clicks(findings: Findings) -> ReportTable:
    rows: list[list[Any]] = []
    for each in models():
        arm, *shared = (findings.spread(each, contexts, "reward") for contexts in CONTEXTS)
        rows.append([str(each), arm, each.printed.clicks if each.printed else None, *shared])
    return ReportTable(
        "news",
        "Clicks in 800 matches: mean ± sd over seeds",
        [
            Column("model, alpha"),
            Column(str(ARM), Spread),
            Column("published", float),
            *(Column(str(contexts), Spread) for contexts in CONTEXTS[1:]),
        ],
        rows,
        note="Published numbers are for arm contexts. k-NN UCB: k up to 5, phi the price of "
        f"distance. {STACKED_HYBRID}",
    )


def _readings(findings: Findings) -> ReportTable:
    rows: list[list[Any]] = [
        [reading, *(findings.spread(make(alpha), contexts, "reward") for alpha in ALPHAS)]
        for reading, (contexts, make) in READINGS.items()
    ]
    rows.append(["printed", *(Spread.of([clicks]) for clicks in printed_clicks())])
    return ReportTable(
        "news-readings",
        "LNUCB-TA's printed clicks, and readings that come near them",
        [Column("reading"), *(Column(f"alpha {alpha:g}", Spread) for alpha in ALPHAS)],
        rows,
        note="The last uses rewards of choices that were not made, which replay forbids; its ties "
        f"go to the lowest arm, so it has one run. {TRIED}",
    )


def _neighbours(findings: Findings) -> ReportTable:
    rows: list[list[Any]] = []
    for name in KNN:
        for theta in ALPHAS:
            line = [findings.spread(neighbours(past, theta, name), ARM, "reward") for past in PASTS]
            printed = neighbours(HELD, theta, name).printed
            rows.append([f"{name}, {theta:g}", *line, printed.clicks if printed else None])
    return ReportTable(
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


def _seconds(findings: Findings) -> ReportTable:
    return ReportTable(
        "news-seconds",
        "CPU seconds for 800 matches, arm contexts",
        [Column("model, alpha"), Column("ours", Spread), Column("published", float)],
        [
            [str(each), findings.spread(each, ARM, "seconds"), each.printed.seconds]
            for each in models()
            if each.printed
        ],
        note="Seconds of the process; the published ones are of another machine. Every event "
        "counts, matched or not.",
    )
