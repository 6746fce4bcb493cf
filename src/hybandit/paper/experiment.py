"""The base of the paper's experiments, which are held against what it prints."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from hybandit.experiments.experiment import Experiment, Findings
from hybandit.paper.judgement.judgements import Claim, Verdict, Word
from hybandit.reports.section import Sentence


class PaperExperiment(Experiment):
    """An experiment with verdicts on printed numbers; `paper.experiments` lists the instances."""

    # Why the printed numbers reproduce or do not, for the page of verdicts.
    reasons: ClassVar[str] = ""
    # The best explanation found of printed numbers that do not reproduce, by a part of their name;
    # of several that fit, the first.
    explanations: ClassVar[Mapping[str, str]] = {}
    # Whether a quick run, with fewer rounds, may be compared with printed numbers too.
    quick_compares: ClassVar[bool] = True

    def explanation(self, verdict: Verdict) -> str:
        """Why a number does not reproduce, as far as was found."""
        found = (why for part, why in self.explanations.items() if part in verdict.number)
        return next(found, "none found")

    def verdicts(self, findings: Findings) -> list[Verdict]:
        """A verdict on every printed number that the findings can be compared with."""
        return []

    def words(self, findings: Findings) -> list[Word]:
        """The same for printed words, such as a best setting."""
        return []

    def claims(self, findings: Findings) -> list[Claim]:
        """Claims of the paper without a printed number."""
        return []

    def conclusions(self, findings: Findings) -> list[Sentence]:
        """Sentences for the first page of the report, from finished runs only."""
        return []
