"""The news log by replay: the paper's news table and its first figure."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

from hybandit.experiments.experiment import SHAPED, Cell, Experiment, Findings, Model, Scale
from hybandit.experiments.judgements import Claim, Verdict, ratios
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
OURS = "StackedHybrid"
PAPERS = "LNUCB-TA"
VANILLA = "(Lin+k-NN)-UCB"
# Whose past k-NN UCB looks through: the arm's own, as the paper's appendix enumerates, or that
# of all arms, as Reeve, Mellor and Brown do. Distance costs nothing: raw integers have no unit.
NEIGHBOURS: dict[str, Settings] = {
    "own past, phi 0": {"among": "arm", "phi": 0.0, "max_k": 5},
    "all past, phi 0": {"among": "all", "phi": 0.0, "max_k": 5},
}
HELD, *_ = NEIGHBOURS


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

    @property
    def draws(self) -> bool:
        """The log has one order: with first ties nothing is left to chance."""
        return self.policy.settings.get("ties") != "first"


def model(name: str, policy: str, rate: float, **settings: Any) -> NewsModel:
    return NewsModel(name, PolicySpec(policy, settings), f"{rate:g}", rate)


def neighbours(past: str, theta: float) -> NewsModel:
    """k-NN UCB with one of NEIGHBOURS."""
    policy = PolicySpec("knn-ucb", {"theta": theta, **NEIGHBOURS[past]})
    return NewsModel("k-NN UCB", policy, f"{past}, {theta:g}", theta, held=past == HELD)


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
        "The paper prints one number for each model, without a spread. Its deviation of the mean "
        "reward is that over the three rates, printed three times, and counts once. k-NN UCB "
        "leaves the price of distance open: ours has none. Run times are held as ratios to "
        "(Lin+k-NN)-UCB's, whose own seconds are the unit."
    )

    def cells(self, scale: Scale) -> tuple[Cell, ...]:
        runs = scale.count(full=10, quick=2)
        return tuple(
            Cell.of(
                each,
                contexts,
                contexts.environment,
                each.policy,
                runs=runs if each.draws else 1,
                seed=scale.seed,
            )
            for contexts in CONTEXTS
            for each in models()
        )

    def section(self, findings: Findings) -> Section:
        about = (
            "10,000 logged events, walked through until 800 choices equal the logged arm; other "
            f"events are neither learned nor counted. {findings.scale.count(full=10, quick=2)} "
            "seeds where the policy draws. Contexts: each arm's own ten integers (arm), or all "
            "hundred for every arm (shared)."
        )
        notes = []
        best = findings.spread(model(PAPERS, "lnucb-ta", 1.0, alpha=1.0), ARM, "reward")
        if best:
            notes = [
                f"LNUCB-TA at alpha 1: {best} here, 752 printed. Proper replay neither learns from "
                "unmatched events nor counts them.",
                *_beside_neighbours(findings),
            ]
        tables = [_clicks(findings), _seconds(findings)]
        return Section(self.id, self.title, about, tables, _figures(findings), notes)

    def verdicts(self, findings: Findings) -> list[Verdict]:
        return [
            verdict
            for name, found in printed_models().items()
            for verdict in (*_numbers(findings, found), *_deviation(findings, name, found))
        ]

    def claims(self, findings: Findings) -> list[Claim]:
        held = printed_models()
        if not all(findings.runs(each, ARM) for found in held.values() for each in found):
            return []
        return [_ahead_at_every_rate(findings, held), _ahead_throughout(findings, held)]

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
        yield Verdict.of(News.id, f"{name}: sd of the mean reward over rates", printed, ours)


def _mean(findings: Findings, each: NewsModel) -> float:
    found = findings.spread(each, ARM, "reward")
    assert found is not None
    return found.mean


def _ahead_at_every_rate(findings: Findings, held: dict[str, list[NewsModel]]) -> Claim:
    leaders = {
        f"{alpha:g}": max(
            (each for found in held.values() for each in found if each.alpha == alpha),
            key=lambda each: _mean(findings, each),
        ).name
        for alpha in ALPHAS
    }
    told = ", ".join(f"{name} at {alpha}" for alpha, name in leaders.items())
    claim = "LNUCB-TA earns more than LinUCB, k-NN UCB and their sum at every rate"
    return Claim(News.id, claim, f"most clicks: {told}", set(leaders.values()) == {PAPERS})


def _ahead_throughout(findings: Findings, held: dict[str, list[NewsModel]]) -> Claim:
    """Figure 1 (b), which has no readable numbers: who leads in mean reward, match by match."""
    at_one = [each for found in held.values() for each in found if each.alpha == 1.0]
    lines = {line.label: line for line in findings.lines(ARM, at_one, "mean rewards")}
    own = lines.pop(str(next(each for each in at_one if each.name == PAPERS)))
    points = range(min(len(line.y) for line in [own, *lines.values()]))
    ahead = sum(all(own.y[n] >= line.y[n] for line in lines.values()) for n in points)
    found = f"ahead at {ahead / len(points):.0%} of the points of the curve, alpha 1"
    claim = "Figure of mean rewards: LNUCB-TA leads throughout"
    return Claim(News.id, claim, found, ahead == len(points))


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
    yield Sentence(f"{text}.", "news")


def _beside_neighbours(findings: Findings) -> Iterator[str]:
    """LNUCB-TA against k-NN UCB, neither handicapped by the unit of distance."""
    plain, hybrid = neighbours(HELD, 1.0), model(PAPERS, "lnucb-ta", 1.0, alpha=1.0)
    earned = findings.spread(plain, ARM, "reward")
    gap = paired(*(findings.values(each, ARM, "reward") for each in (hybrid, plain)))
    if earned and gap and plain.printed:
        told = gap.in_words()
        yield (
            f"k-NN UCB, for which the paper prints {plain.printed.clicks:,} clicks, earns {earned} "
            f"where distance costs nothing; LNUCB-TA earns {told} than it."
        )


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
        note="Published numbers are for arm contexts. One run where nothing is left to chance. "
        "k-NN UCB: k up to 5, neighbours from the arm's own past or from all arms', phi the price "
        f"of distance. {SHAPED}",
    )


def _seconds(findings: Findings) -> Table:
    return Table(
        "news-seconds",
        "Seconds for 800 matches, arm contexts",
        [Column("model, alpha"), Column("ours", Spread), Column("published", float)],
        [
            [str(each), findings.spread(each, ARM, "seconds"), each.printed.seconds]
            for each in models()
            if each.printed
        ],
        note="The published times are of another machine; every event counts, matched or not.",
    )
