"""Who is best in each column of a table, and how one of ours stands beside it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from hybandit.experiments.experiment import Findings, Row
from hybandit.reports.section import Column, ReportTable, texts
from hybandit.reports.spread import Difference, Spread

LEAST, LEVEL, BEHIND = "least", "within chance of the best", "behind"
# So many places where ours is behind are told in a sentence; the table has all.
MOST = 3


@dataclass(frozen=True)
class Standing:
    """The regret of one of ours in a column, and of the best of all others there.

    `gap` is how much more that rival has; its interval is widened for every comparison that was
    made to find it, so a rival that is best by chance among many is not called better.
    """

    title: str
    rival: Row
    theirs: Spread
    ours: Spread
    gap: Difference

    @property
    def outcome(self) -> str:
        if self.gap.low > 0.0:
            return LEAST
        return BEHIND if self.gap.high < 0.0 else LEVEL

    def __str__(self) -> str:
        return f"{self.title} ({self.rival}, {self.gap.in_words()})"


def standings(
    findings: Findings,
    own: Row,
    rivals: Sequence[Row],
    columns: Mapping[Any, str],
    comparisons: int,
) -> list[Standing]:
    """By column with any runs of both, titled as `columns` says."""
    found = []
    for column, title in columns.items():
        ours = findings.spread(own, column, "regret")
        known = [
            Standing(title, rival, theirs, ours, gap)
            for rival in rivals
            if (theirs := findings.spread(rival, column, "regret"))
            and (gap := findings.difference(rival, own, column, "regret", comparisons))
            and ours
        ]
        if known:
            found.append(min(known, key=lambda each: each.theirs.mean))
    return found


def told(found: Iterable[Standing]) -> str:
    """All of them, by outcome; who is best where it is not ours, and where behind by how much."""
    by_outcome: dict[str, list[Standing]] = {LEAST: [], LEVEL: [], BEHIND: []}
    for each in found:
        by_outcome[each.outcome].append(each)
    least, level, behind = by_outcome.values()
    parts = []
    if least:
        parts.append(
            f"has the least regret beyond chance on {', '.join(each.title for each in least)}"
        )
    if level:
        parts.append(f"is {LEVEL} on {', '.join(f'{each.title} ({each.rival})' for each in level)}")
    more = f" and {len(behind) - MOST} more" if behind[MOST:] else ""
    lost = "; ".join(map(str, behind[:MOST])) + more
    return ", ".join([*parts, f"is {BEHIND} on {lost or 'none'}"])


def told_against(
    findings: Findings,
    own: Row,
    rival: Row,
    columns: Mapping[Any, str],
    measure: str = "regret",
    comparisons: int = 1,
) -> str:
    """How much more of it a rival has than one of ours, column by column; "" without runs."""
    return ", ".join(
        f"{gap.mean:+,.0f} on {title}{'' if gap.low * gap.high > 0.0 else ' (may be chance)'}"
        for column, title in columns.items()
        if (gap := findings.difference(rival, own, column, measure, comparisons))
    )


def standings_table(
    name: str, own: Row, found: Iterable[Standing], comparisons: int, told: str = ""
) -> ReportTable:
    """A line for each; `told` is added to the note."""
    return ReportTable(
        name,
        f"Who else is best, and where {own} stands beside it",
        [
            *texts("data", "best of the others"),
            Column("its regret", Spread),
            Column(str(own), Spread),
            Column("more than ours", Difference),
            Column("ours"),
        ],
        [
            [each.title, str(each.rival), each.theirs, each.ours, each.gap, each.outcome]
            for each in found
        ],
        note=f"95 % intervals at equal seeds, corrected for {comparisons} comparisons. {told}",
    )
