"""What reproduces and what does not: every number, word and claim of the paper."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import astuple

from hybandit.experiments.experiment import Effort, Findings
from hybandit.experiments.runs import Run
from hybandit.paper.experiment import PaperExperiment
from hybandit.paper.judgement.attributes import attribute_words
from hybandit.paper.judgement.judgements import (
    CANNOT_TELL,
    NO_DATA,
    NOT_REPRODUCED,
    PRINTED_RUNS,
    REPRODUCED,
    Claim,
    Verdict,
    Word,
)
from hybandit.paper.judgement.published import contradictions
from hybandit.paper.judgement.values import Published
from hybandit.reports.section import Column, ReportTable, Section, Sentence, texts
from hybandit.reports.spread import Spread

ID = "verdicts"
OUTCOMES = (REPRODUCED, NOT_REPRODUCED, CANNOT_TELL, NO_DATA)
RULE = (
    "By the 95 % interval of the difference, both spreads weighed (the paper's over "
    f"{PRINTED_RUNS} runs). Reproduced: it lies within 5 % of the printed number or its rounding, "
    "or holds zero and reaches less far. Cannot tell: it holds zero and is wider."
)
NUMBERS = [
    *texts("experiment", "number"),
    Column("published", Published),
    Column("ours", Spread),
]
QUICK = "Runs of fewer rounds (--quick) are mostly held against nothing."


class Judged:
    """The comparison of finished runs with the paper."""

    def __init__(
        self, experiments: Sequence[PaperExperiment], effort: Effort, results: dict[str, Run]
    ) -> None:
        self.experiments, self.effort, self.results = experiments, effort, results
        self.verdicts: list[Verdict] = []
        self.words: list[Word] = []
        self.claims: list[Claim] = []
        for experiment in experiments:
            if experiment.quick_compares or not effort.quick:
                found = self.findings(experiment)
                self.verdicts += experiment.verdicts(found)
                self.words += experiment.words(found)
                self.claims += experiment.claims(found)

    def findings(self, experiment: PaperExperiment) -> Findings:
        return experiment.findings(self.effort, self.results)

    @property
    def counts(self) -> Counter[str]:
        """Outcomes of the numbers that stand for themselves."""
        return Counter(each.outcome for each in self.verdicts if not each.follows)

    @property
    def missing(self) -> tuple[int, int]:
        """How many runs are not there yet, of how many."""
        tasks = {task.key for each in self.experiments for task in each.tasks(self.effort)}
        return len(tasks - self.results.keys()), len(tasks)


def verdicts_section(judged: Judged) -> Section:
    """A line for every printed number, word and claim that can be held against the runs."""
    notes = [f"{each.id}: {each.reasons}" for each in judged.experiments if each.reasons]
    return Section(
        ID,
        "Every printed number",
        "",
        [_summary(judged), _missed(judged), _claims(judged.claims)],
        notes=[*notes, *([QUICK] if judged.effort.quick else [])],
        details=[
            _against_itself(),
            _settings(judged.words),
            _attributes(attribute_words()),
            _numbers(judged.verdicts),
        ],
    )


def conclusions_section(judged: Judged) -> Section:
    """The first page: a sentence for each finding, made of the runs, with its table."""
    found = [
        sentence
        for experiment in judged.experiments
        for sentence in experiment.conclusions(judged.findings(experiment))
    ]
    missing, whole = judged.missing
    about = "Every sentence is made from runs in the store, and leads to its table."
    if missing:
        about = f"NOT FINISHED: {missing:,} of {whole:,} runs are still missing. {about}"
    return Section(
        "conclusions", "Conclusions", about, sentences=[*_counted(judged), *found]
    )  # fmt: skip


def _counted(judged: Judged) -> list[Sentence]:
    counts = judged.counts
    told = counts.total() - counts[NO_DATA]
    if not told:
        return []
    text = (
        f"Of {told} printed numbers that can be held against runs here, {counts[REPRODUCED]} "
        f"reproduce, {counts[NOT_REPRODUCED]} do not, and for {counts[CANNOT_TELL]} nobody can "
        f"tell; for {counts[NO_DATA]} more the data are not public."
    )
    return [Sentence(text, "verdicts-summary")]


def _summary(judged: Judged) -> ReportTable:
    """How many of each outcome, by experiment."""
    own = [each for each in judged.verdicts if not each.follows]
    names = list(dict.fromkeys(each.experiment for each in judged.verdicts))
    rows = [_counts_row(name, [each for each in own if each.experiment == name]) for name in names]
    return ReportTable(
        "verdicts-summary",
        f"{len(own)} printed numbers, and {len(judged.verdicts) - len(own)} that follow from them",
        [Column("experiment"), *(Column(each, int) for each in OUTCOMES)],
        [*rows, _counts_row("all", own)],
        note=RULE,
    )


def _counts_row(name: str, verdicts: Sequence[Verdict]) -> list[str | float]:
    counts = Counter(each.outcome for each in verdicts)
    return [name, *(counts[outcome] for outcome in OUTCOMES)]


def _claims(claims: Sequence[Claim]) -> ReportTable:
    return ReportTable(
        "claims",
        "Claims without printed numbers",
        texts("experiment", "claim", "found", "holds"),
        [[each.experiment, each.claim, each.found, each.answer] for each in claims],
        note="Intervals: 95 %, at equal seeds, all of a claim together.",
    )


def _against_itself() -> ReportTable:
    return ReportTable(
        "contradictions",
        "The paper against itself",
        texts("what", "in one place", "in another"),
        [list(each) for each in contradictions()],
    )


def _missed(judged: Judged) -> ReportTable:
    """Every number that counts and does not reproduce, with the best explanation found."""
    explained = {each.id: each.explanation for each in judged.experiments}
    missed = [
        each for each in judged.verdicts if each.outcome == NOT_REPRODUCED and not each.follows
    ]
    return ReportTable(
        "verdicts-missed",
        f"{len(missed)} printed numbers that do not reproduce",
        [*NUMBERS, Column("best explanation found")],
        [
            [each.experiment, each.number, each.published, each.ours,
             explained[each.experiment](each)]
            for each in missed
        ],
    )  # fmt: skip


WORDS = texts("experiment", "what", "published", "ours", "outcome")


def _settings(words: Sequence[Word]) -> ReportTable:
    counts = Counter(each.outcome for each in words)
    return ReportTable(
        "verdicts-words",
        f"{counts[REPRODUCED]} of {len(words)} printed best settings reproduced, "
        f"{counts[NOT_REPRODUCED]} not, {counts[CANNOT_TELL]} that nobody can tell",
        WORDS,
        [list(astuple(each)) for each in words],
        note="Cannot tell: our best is another, and earns no more beyond chance.",
    )


def _attributes(words: Sequence[Word]) -> ReportTable:
    """No finding: our policies were built by that table."""
    same = sum(each.outcome == REPRODUCED for each in words)
    return ReportTable(
        "attributes",
        f"The paper's table about its own models: {same} of {len(words)} entries as here",
        WORDS,
        [list(astuple(each)) for each in words],
        note="Our policies were built by it: this counts as no reproduction.",
    )


def _numbers(verdicts: Sequence[Verdict]) -> ReportTable:
    return ReportTable(
        "verdicts",
        f"{len(verdicts)} lines, one for each printed number",
        [*NUMBERS, *texts("outcome", "follows")],
        [
            [each.experiment, each.number, each.published, each.ours, each.outcome, each.follows]
            for each in verdicts
        ],
    )
