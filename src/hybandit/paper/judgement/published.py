"""The paper's printed values, from the one file that has them, and where they disagree."""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import cache
from importlib.resources import files
from statistics import mean, stdev
from typing import Any, NamedTuple

OWN = "LNUCB-TA"
# What two printed digits leave open.
ROUNDING = 0.0051


@cache
def published() -> dict[str, Any]:
    """By experiment."""
    text = files("hybandit.paper.judgement").joinpath("published.json").read_text()
    values: dict[str, Any] = json.loads(text)
    return values


class Contradiction(NamedTuple):
    """A number that the paper has twice: what it is of, and the two."""

    what: str
    here: str
    there: str


def contradictions() -> Iterator[Contradiction]:
    """Where the paper's printed numbers contradict each other, or its words."""
    news, best = published()["news"], published()["parameters"]
    for name, rate in (("k-NN UCB", "10"), (OWN, "1")):
        yield Contradiction(
            f"clicks of {name} at {rate}",
            f"{news[name][rate][0]}, table of news",
            f"{best[name]['clicks']}, table of parameters",
        )
    means = [share for _, share, _ in news["LinUCB"].values()]
    ablation = published()["ablation"]["a"]
    yield Contradiction(
        "LinUCB's mean reward over rates",
        f"{mean(means):.2f} ± {stdev(means):.2f}, from the table of news",
        f"{ablation['mean']:.2f} ± {ablation['sd']:.2f}, ablation",
    )
    regrets = {name: row["Adult"][0] for name, row in published()["regret"].items()}
    second = sorted(regrets, key=lambda name: regrets[name])[1]
    yield Contradiction(
        "next best on Adult",
        f"{second} with {regrets[second]:,.1f}, table of regrets",
        f"KernelUCB with {regrets['KernelUCB']:,.1f}, the text about it",
    )
    for pair, gain in gains().items():
        if not gain.follows:
            found = f"{gain.from_clicks:.2f}, from printed clicks"
            yield Contradiction(f"gain of {pair}, in %", found, f"{gain.printed:.2f}, as printed")


class PrintedGain(NamedTuple):
    """A printed gain in %, the same from the printed clicks, and what it follows from, if any."""

    printed: float
    from_clicks: float
    follows: str


def gains() -> dict[str, PrintedGain]:
    """All that are printed, by pair of models."""
    found = {
        f"{OWN} over {name}": gain_over(name) for name in published()["parameters"] if name != OWN
    }
    for name in published()["enhanced"]:
        base, own = enhanced_gains(name)
        found |= {f"{name} over its base": base, f"{name} over {OWN}": own}
    return found


def gain_over(model: str) -> PrintedGain:
    """LNUCB-TA's over a model of the table of parameters."""
    table = published()["parameters"]
    return printed_gain(table[model]["gain"], table[OWN]["clicks"], table[model]["clicks"])


def enhanced_gains(model: str) -> tuple[PrintedGain, PrintedGain]:
    """An enhanced model's: over its base, and over LNUCB-TA."""
    row, table = published()["enhanced"][model], published()["parameters"]
    base = table[model.removeprefix("Enhanced")]
    return (
        printed_gain(row["over base"], row["clicks"], base["clicks"]),
        printed_gain(row["to LNUCB-TA"], row["clicks"], table[OWN]["clicks"]),
    )


def printed_gain(printed: float, more: int, less: int) -> PrintedGain:
    """Some follow from the clicks that the news table has for LNUCB-TA, one fewer."""
    own, other = published()["parameters"][OWN]["clicks"], published()["news"][OWN]["1"][0]
    found = 100.0 * (more / less - 1.0)
    more, less = (other if each == own else each for each in (more, less))
    follows = ""
    if abs(found - printed) < ROUNDING:
        follows = "from clicks"
    elif abs(100.0 * (more / less - 1.0) - printed) < ROUNDING:
        follows = "from the news table's clicks"
    return PrintedGain(printed, found, follows)
