"""What shaped what: the one place from which every note and every page takes it."""

from __future__ import annotations

from dataclasses import dataclass

from hybandit.reports.section import Column, ReportTable


@dataclass(frozen=True)
class Shaped:
    """A design or a setting, what people looked at when they picked it, and at which seeds.

    `in_view` is what was measured beside, and may have weighed on a choice.
    """

    what: str
    looked_at: str
    seeds: str
    in_view: str = ""

    def __str__(self) -> str:
        return f"{self.what}: shaped on {self.looked_at}, {self.seeds}."


STACKED_HYBRID = Shaped(
    "StackedHybrid",
    "digits, Magic, Mushroom, Adult and plain noise",
    "partly on reported seeds",
    "MNIST, the news log, rare rewards",
)
FORGETTING = Shaped("forget", "the worlds of drift", "on reported seeds")
ITEM_HYBRID = Shaped(
    "ItemHybrid",
    "the worlds of items here, plain revenue and the news log",
    "at seeds that are not reported",
)
RIVALS = Shaped(
    "settings of kernel and neural rivals",
    "2,000 rounds of each data set and encoding (MNIST: 1,000)",
    "from seed 100,000, none of them reported",
)
READING = Shaped(
    "the reading of LNUCB-TA's printed regrets",
    "the printed values themselves",
    "on reported seeds",
)
ALL = (STACKED_HYBRID, FORGETTING, ITEM_HYBRID, RIVALS, READING)
# On these no design and no setting was picked.
NOTHING = "Image segments, Phishing, Bananas, Solar flares, prices and donations shaped nothing."


def disclosure_table() -> ReportTable:
    """All of it, for the report."""
    return ReportTable(
        "disclosure",
        "What was shaped on what",
        [Column("what"), Column("looked at"), Column("in view"), Column("seeds")],
        [[each.what, each.looked_at, each.in_view, each.seeds] for each in ALL],
        note=NOTHING,
    )
