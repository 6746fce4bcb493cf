"""Which settings of the grids suit each data set: on seeds that are not reported."""

from __future__ import annotations

import statistics

from hybandit.experiments.experiment import Cell, Effort, Findings
from hybandit.experiments.specs import EnvironmentSpec, PolicySpec, Settings
from hybandit.paper.disclosure import disclosure_table
from hybandit.paper.experiment import PaperExperiment
from hybandit.paper.experiments.regret import PLACES, Place
from hybandit.paper.players.grids import GRIDS, grid, tuned
from hybandit.reports.section import Column, ReportTable, Section
from hybandit.reports.spread import Spread

# Far from the seeds of any reported run.
FIRST_SEED = 100_000
# Twenty settings of minutes each: these run their defaults.
TOO_SLOW = {("mnist", "neural-ucb"), ("mnist", "neural-ts")}
# Its default is the one that this search finds best for all.
KERNEL = PolicySpec("kernel-ucb")
LENGTH = "5 runs of 2,000 rounds (networks 3, MNIST 3 of 1,000)"


class Tuning(PaperExperiment):
    """A search whose result `regret` runs on other seeds."""

    id = "tuning"
    title = "Settings, searched on separate seeds"
    quick_compares = False

    def _cells(self, effort: Effort) -> tuple[Cell, ...]:
        cells = []
        for place in PLACES:
            large = place.data == "mnist"
            rounds = 200 if effort.quick else 1000 if large else 2000
            settings = {"data": place.data, "encoding": place.encoding, "rounds": rounds}
            environment = EnvironmentSpec("classification", settings)
            cells += [
                Cell.of(spec, place, environment, spec, _seeds(effort, spec, large=large))
                for policy in GRIDS
                if (place.data, policy.name) not in TOO_SLOW
                for spec in grid(policy)
            ]
        return tuple(cells)

    def section(self, findings: Findings) -> Section:
        quick = findings.effort.quick
        length = "a run of 200 rounds" if quick else LENGTH
        about = (
            f"The paper's grids, and lam and points for kernel policies that learn on: {length} "
            f"on seeds from {FIRST_SEED:,}. The lowest mean regret is picked and stands in "
            "tuned_settings.json, in the package. On MNIST NeuralUCB and NeuralTS run defaults."
        )
        best = best_settings(findings)
        rows = [
            [_wrapping(policy.label), *(_shown(best.get((place, policy))) for place in PLACES)]
            for policy in GRIDS
        ]
        columns = [Column("policy"), *(Column(str(place)) for place in PLACES)]
        table = ReportTable("tuning", "Picked settings", columns, rows)
        differing = [
            f"{policy} on {place}"
            for (place, policy), settings in best.items()
            if settings != tuned(place.data, place.encoding, policy)
        ]
        notes = []
        if one := one_for_all(findings, KERNEL):
            notes.append(
                f"One setting of {KERNEL.label} for all: {_shown(one[0])}, on average "
                f"{one[1]:.2f} times the least regret."
            )
        if differing and not quick:
            told = (
                f"{differing[0]} and {len(differing) - 1} more" if differing[1:] else differing[0]
            )
            notes.append(f"This search found others for {told}.")
        return Section(self.id, self.title, about, [table, disclosure_table()], notes=notes)


def _seeds(effort: Effort, spec: PolicySpec, *, large: bool) -> range:
    """Few runs would hide that a setting now and then settles on one arm for good."""
    few = large or spec.name.startswith("neural")
    return effort.seeds(full=3 if few else 5, quick=1, first=FIRST_SEED)


def best_settings(findings: Findings) -> dict[tuple[Place, PolicySpec], Settings]:
    """By place and policy, what of its grid has the lowest mean regret; finished cells only."""
    searched = {spec: policy for policy in GRIDS for spec in grid(policy)}
    found: dict[tuple[Place, PolicySpec], tuple[float, Settings]] = {}
    for cell in findings.cells:
        values = findings.values(cell.row, cell.column, "regret").values()
        if len(values) < len(cell.tasks):
            continue
        assert isinstance(cell.column, Place)
        policy = searched[cell.policy]
        key = (cell.column, policy)
        mean = Spread.of(list(values)).mean
        if key not in found or mean < found[key][0]:
            settings = {name: cell.policy.settings[name] for name in GRIDS[policy]}
            found[key] = (mean, settings)
    return {key: settings for key, (_, settings) in found.items()}


def one_for_all(findings: Findings, policy: PolicySpec) -> tuple[Settings, float] | None:
    """Of a policy's grid what comes nearest to the best of each place, and how near on average.

    Over the places where every setting has runs: the mean of the regret over the least one.
    """
    wanted, ratios = grid(policy), []
    for place in PLACES:
        runs = [findings.spread(spec, place, "regret") for spec in wanted]
        means = [found.mean for found in runs if found]
        if len(means) == len(wanted):
            ratios.append([mean / min(means) for mean in means])
    if not ratios:
        return None
    means = [statistics.mean(each) for each in zip(*ratios, strict=True)]
    best = wanted[means.index(min(means))]
    return {name: best.settings[name] for name in GRIDS[policy]}, min(means)


def _wrapping(label: str) -> str:
    """With spaces, so that a narrow column can show it in several lines."""
    return label.replace(",", ", ")


def _shown(settings: Settings | None) -> str | None:
    if settings is None:
        return None
    return ", ".join(f"{name} {value:g}" for name, value in settings.items())
