"""The news log by replay: the paper's news table and its first figure."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from hybandit.experiments.experiment import Cell, Experiment, Findings, Model, Scale
from hybandit.experiments.published import published
from hybandit.experiments.section import Column, Lines, Published, Section, Table, Verdict
from hybandit.experiments.specs import EnvironmentSpec, PolicySpec
from hybandit.experiments.spread import Spread


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
OURS = "StackedHybrid"
PAPERS = "LNUCB-TA"


@dataclass(frozen=True)
class NewsModel(Model):
    """With the exploration rate it runs at, None for a policy's own default."""

    alpha: float | None = None

    @property
    def printed(self) -> tuple[float, float] | None:
        """The paper's clicks and seconds."""
        found = published()["news"].get(self.name, {}).get(f"{self.alpha or 0:g}")
        return None if found is None else (found[0], found[1])

    @property
    def draws(self) -> bool:
        """The log has one order: with first ties nothing is left to chance."""
        return self.policy.settings.get("ties") != "first"


def model(name: str, policy: str, rate: float, **settings: Any) -> NewsModel:
    return NewsModel(name, PolicySpec(policy, settings), f"{rate:g}", rate)


def models() -> list[NewsModel]:
    """The models of the paper's table at its exploration rates, and our own."""
    found = []
    for alpha in ALPHAS:
        found += [
            model("LinUCB", "lin-ucb", alpha, alpha=alpha, ties="first"),
            model("k-NN UCB", "knn-ucb", alpha, theta=alpha, max_k=5),
            model("(Lin+k-NN)-UCB", "lin-knn-ucb", alpha, alpha=alpha, ties="first"),
            model(PAPERS, "lnucb-ta", alpha, alpha=alpha),
            model(OURS, "stacked-hybrid", alpha, alpha=alpha),
        ]
    return [
        *found,
        model("LinUCB", "lin-ucb", 0.01, alpha=0.01, ties="first"),
        NewsModel(OURS, PolicySpec("stacked-hybrid"), "default (0.3)"),
    ]


class News(Experiment):
    """Clicks and seconds beside the printed ones, and how they add up."""

    id = "news"
    title = "News recommendation by replay"
    reasons = "The paper prints one number for each model, without a spread."

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
                "unmatched events nor counts them; learning from them, which the protocol forbids, "
                "is the only way we know to the printed number with arm contexts."
            ]
        tables = [_clicks(findings), _seconds(findings)]
        return Section(self.id, self.title, about, tables, _figures(findings), notes)

    def verdicts(self, findings: Findings) -> list[Verdict]:
        order = list(published()["news"])
        printed = [each for each in models() if each.printed]
        lines = []
        for each in sorted(printed, key=lambda each: order.index(each.name)):
            ours = findings.spread(each, ARM, "reward")
            if ours and each.printed:
                number = f"{each}: clicks"
                lines.append(Verdict.of(self.id, number, Published(each.printed[0]), ours))
        return lines


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
        rows.append([str(each), arm, each.printed[0] if each.printed else None, *shared])
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
        note="Published numbers are for arm contexts. One run where nothing is left to chance.",
    )


def _seconds(findings: Findings) -> Table:
    return Table(
        "news-seconds",
        "Seconds for 800 matches, arm contexts",
        [Column("model, alpha"), Column("ours", Spread), Column("published", float)],
        [
            [str(each), findings.spread(each, ARM, "seconds"), each.printed[1]]
            for each in models()
            if each.printed
        ],
        note="The published times are of another machine; every event counts, matched or not.",
    )
