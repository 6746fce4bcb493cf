"""Data sets that no work here was shaped on, with seeds that were never used: not in the paper."""

from __future__ import annotations

from hybandit.experiments.experiment import (
    Cell,
    Effort,
    Findings,
    Row,
    differences_table,
    spreads_table,
)
from hybandit.experiments.specs import EnvironmentSpec, PolicySpec
from hybandit.paper.experiment import PaperExperiment
from hybandit.paper.experiments.headline import (
    LEARNING,
    MODELS,
    NEURAL,
    OURS,
    PAPERS,
    SHOWN,
)
from hybandit.paper.experiments.standings import (
    Standing,
    standings,
    standings_table,
    told,
    told_against,
)
from hybandit.reports.section import Lines, Section, Sentence

DATA = {
    "Image segments": "segments",
    "Phishing": "phishing",
    "Bananas": "bananas",
    "Solar flares": "flares",
}
# Seeds that no earlier run had.
FIRST_SEED = 5_000
# The policies of the table of regrets, and all others, as they are.
POLICIES = MODELS + tuple(
    Row(name, PolicySpec(policy))
    for name, policy in {
        "k-NN UCB": "knn-ucb",
        "k-NN KL-UCB": "knn-kl-ucb",
        "LinThompsonUCB": "lin-thompson-ucb",
        "enhanced epsilon-greedy": "enhanced-epsilon-greedy",
        "enhanced Beta Thompson": "enhanced-beta-thompson",
        "enhanced LinTS": "enhanced-lin-ts",
        "epsilon-greedy": "epsilon-greedy",
        "UCB": "ucb",
        "KL-UCB": "kl-ucb",
        "Beta Thompson": "beta-thompson",
    }.items()
)
# Every other policy on every data set, against ours.
COMPARISONS = (len(POLICIES) - 1) * len(DATA)


class Fresh(PaperExperiment):
    """Every policy with fixed arms where nothing could be chosen by looking."""

    id = "fresh"
    title = "Fresh data sets, fresh seeds"

    def _cells(self, effort: Effort) -> tuple[Cell, ...]:
        cells = []
        for title, data in DATA.items():
            settings = {"data": data, "encoding": "standard"}
            environment = EnvironmentSpec(
                "classification", settings | ({"rounds": 500} if effort.quick else {})
            )
            for model in POLICIES:
                few = model in (*NEURAL, LEARNING)
                runs = (10, 1) if few else (20, 2)
                seeds = effort.seeds(full=runs[0], quick=runs[1], first=FIRST_SEED)
                cells.append(model.cell(title, environment, seeds))
        return tuple(cells)

    def section(self, findings: Findings) -> Section:
        about = (
            "Every policy with fixed arms at its defaults, on four public data sets that no "
            f"earlier work here used, seeds from {FIRST_SEED:,}. Standard encoding, the whole "
            "table, 20 shuffles (networks and KernelUCB, learning on, 10)."
        )
        tables = [
            standings_table("fresh-standings", OURS, _standings(findings), COMPARISONS),
            spreads_table(findings, "fresh", "Regret: mean ± sd", "regret"),
            differences_table(
                findings,
                "fresh-differences",
                reference=OURS,
                measure="regret",
                comparisons=COMPARISONS,
            ),
        ]
        picture = Lines(
            "fresh",
            "Cumulative regret; mean over runs, bands are one sd.",
            findings.panels(findings.columns, SHOWN, "regrets"),
            "round",
            "cumulative regret",
        )
        return Section(self.id, self.title, about, tables, [picture])

    def conclusions(self, findings: Findings) -> list[Sentence]:
        """Who is best on each data set, and how ours does beside it and against the paper's.

        Wins over weak policies are not added up.
        """
        found = _standings(findings)
        against = told_against(findings, OURS, PAPERS, findings.columns)
        if not found or not against:
            return []
        text = (
            f"On {len(DATA)} data sets and seeds that shaped nothing, StackedHybrid {told(found)}; "
            f"LNUCB-TA's regret less ours: {against}."
        )
        return [Sentence(text, "fresh-standings")]


def _standings(findings: Findings) -> list[Standing]:
    rivals = [model for model in POLICIES if model != OURS]
    return standings(findings, OURS, rivals, findings.columns, COMPARISONS)
