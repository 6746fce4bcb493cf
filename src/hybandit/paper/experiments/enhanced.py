"""Three models and the same with neighbours and attention."""

from __future__ import annotations

from typing import Any

from hybandit.experiments.experiment import Findings
from hybandit.paper.experiments.parameters import (
    EPSILONS,
    MODELS,
    PAPERS,
    PICKED,
    SIX,
    Best,
    BestSettings,
    Variants,
    entries,
    gain,
    pairs,
    variants,
)
from hybandit.paper.judgement.judgements import Claim, Verdict
from hybandit.paper.judgement.published import enhanced_gains, published
from hybandit.paper.judgement.values import Gain
from hybandit.reports.section import Column, ReportTable
from hybandit.reports.spread import Spread

ENHANCED: Variants = {
    "EnhancedBetaThompson": pairs("enhanced-beta-thompson"),
    "EnhancedEpsilonGreedy": variants("enhanced-epsilon-greedy", "epsilon", EPSILONS),
    "EnhancedLinTS": variants("enhanced-lin-ts", "v", SIX),
}
BASES = {
    "BetaThompson": "EnhancedBetaThompson",
    "EpsilonGreedy": "EnhancedEpsilonGreedy",
    "LinTS": "EnhancedLinTS",
}


class Enhanced(BestSettings):
    """Base and enhanced, each at its best setting."""

    id = "enhanced"
    title = "Enhanced models and their bases"
    about = (
        "The news log by replay, arm contexts, raw integers, 800 matches. The paper gives only the "
        "attention score for the enhanced models; the formulas are ours."
    )
    # LNUCB-TA's runs are those of the table before.
    models = {name: MODELS[name] for name in BASES} | ENHANCED | {PAPERS: MODELS[PAPERS]}

    def gains(self, findings: Findings, model: str, found: Best) -> list[Verdict]:
        base = next(name for name, enhanced in BASES.items() if enhanced == model)
        over_base, to_papers = enhanced_gains(model)
        return [
            *self.gain_verdict(f"{model}: gain over {base}, in %", over_base, found,
                               self.best(findings, base)),
            *self.gain_verdict(f"{model}: more than {PAPERS}, in %", to_papers, found,
                               self.best(findings, PAPERS)),
        ]  # fmt: skip

    def claims(self, findings: Findings) -> list[Claim]:
        return [
            *self.ahead(findings, "Every enhanced model earns more than its base", BASES),
            *self.ahead(findings, f"{PAPERS} earns more than every enhanced model",
                        dict.fromkeys(ENHANCED, PAPERS)),
        ]  # fmt: skip

    def table(self, findings: Findings) -> ReportTable:
        rows: list[list[Any]] = []
        for base, name in BASES.items():
            plain, better = (self.best(findings, each) for each in (base, name))
            printed = published()[self.id][name]
            gained = gain(better, plain)
            told = [printed["setting"], printed["clicks"]]
            rows.append([base, *entries(plain), *entries(better), gained, *told])
        return ReportTable(
            "enhanced",
            "Base and enhanced, each at its best setting: clicks in 800 matches",
            [
                Column("base"),
                Column("best"),
                Column("clicks", Spread),
                Column("enhanced best"),
                Column("clicks", Spread, name="enhanced clicks"),
                Column("gain, in clicks [95 %]", Gain, name="gain"),
                Column("published best"),
                Column("clicks", float, name="published clicks"),
            ],
            rows,
            note=PICKED,
        )
