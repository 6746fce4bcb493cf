"""Training after every round, or every fifty: what the cheaper schedule costs in regret."""

from __future__ import annotations

from hybandit.experiments.experiment import Cell, Effort, Findings, Row, table_of
from hybandit.experiments.specs import EnvironmentSpec, PolicySpec, Settings
from hybandit.paper.experiment import PaperExperiment
from hybandit.paper.judgement.judgements import ratios
from hybandit.reports.section import Column, Section
from hybandit.reports.spread import Spread

DATA = {"Magic": "magic", "Mushroom": "mushroom"}
ROUNDS = 1000, 200
SCHEDULES: dict[str, Settings] = {
    "published": {"schedule": "published"},
    "fast": {"schedule": "fast"},
    "fast, step 0.01, no momentum": {"learning_rate": 0.01, "momentum": 0.0},
}
NAMES = {"NeuralUCB": "neural-ucb", "NeuralTS": "neural-ts"}
MODELS = tuple(
    Row(name, PolicySpec(policy, settings), variant)
    for name, policy in NAMES.items()
    for variant, settings in SCHEDULES.items()
)


class Schedules(PaperExperiment):
    """The same networks under three schedules."""

    id = "schedules"
    title = "What training less often costs"

    def _cells(self, effort: Effort) -> tuple[Cell, ...]:
        settings = {"encoding": "ordinal", "rounds": effort.rounds(*ROUNDS)}
        environments = {
            title: EnvironmentSpec("classification", {"data": data, **settings})
            for title, data in DATA.items()
        }
        return tuple(
            model.cell(title, environment, effort.seeds(full=5, quick=1))
            for title, environment in environments.items()
            for model in MODELS
        )

    def section(self, findings: Findings) -> Section:
        effort = findings.effort
        about = (
            f"The same networks, {effort.rounds(*ROUNDS):,} rounds, ordinal encoding, "
            f"{effort.count(full=5, quick=1)} shuffles. published: 100 "
            "steps of 0.01 on everything after every round. fast: 100 steps of 0.05 on batches, "
            "every 50 rounds."
        )
        columns = {}
        for title in DATA:
            columns[Column(f"{title}, regret", Spread)] = findings.of(title, "regret")
            seconds = Column("seconds", Spread, name=f"{title}, seconds")
            columns[seconds] = findings.of(title, "seconds")
        title = "Regret and run time: mean ± sd"
        table = table_of("schedules", title, "policy, schedule", MODELS, columns)
        notes = [note for name in NAMES if (note := _cost(findings, name))]
        return Section(self.id, self.title, about, [table], notes=notes)


def _cost(findings: Findings, name: str) -> str | None:
    """What the fast schedule saves in time, and what it costs in regret."""
    published, fast, *_ = (model for model in MODELS if model.name == name)
    told = []
    for title in DATA:
        times = ratios(*(findings.values(each, title, "seconds") for each in (fast, published)))
        gap = findings.difference(fast, published, title, "regret")
        if times and gap:
            regret = gap.in_words()
            told.append(f"{regret} regret in {times.mean:.2f} of the time on {title}")
    return f"{name}, fast against published: {'; '.join(told)}." if told else None
