"""Nine models, six settings each: the paper's parameter table."""

from __future__ import annotations

import statistics
from abc import abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from hybandit.experiments.experiment import Cell, Effort, Findings
from hybandit.experiments.specs import PolicySpec
from hybandit.paper.experiment import PaperExperiment
from hybandit.paper.experiments.news_models import (
    ARM,
    HELD,
    MATCHES,
    OPEN_DISTANCE,
    PASTS,
    PROBABLY,
)
from hybandit.paper.judgement.judgements import (
    CANNOT_TELL,
    NOT_REPRODUCED,
    REPRODUCED,
    Claim,
    Verdict,
    Word,
    claim_more,
    claim_within,
    percent,
    ratios,
)
from hybandit.paper.judgement.published import PrintedGain, gain_over, published
from hybandit.paper.judgement.values import Gain, Published
from hybandit.reports.section import Bars, Column, ReportTable, Section, Sentence
from hybandit.reports.spread import Spread, paired

SIX = (0.1, 0.5, 1.0, 2.0, 5.0, 10.0)
FINE = (0.01, 0.05, 0.1, 0.5, 1.0, 10.0)
PAIRS = ((1, 1), (2, 2), (0.5, 0.5), (3, 1), (1, 3), (4, 4))
EPSILONS = (0.01, 0.05, 0.1, 0.2, 0.25, 0.5)
# A model's name, and the policy at each of its settings.
Variants = dict[str, list[PolicySpec]]
PAPERS = "LNUCB-TA"
PICKED = (
    "Each model's best setting is picked on the very runs that are reported, as the paper does; "
    "that flatters every row alike."
)


def variants(policy: str, setting: str, values: Sequence[float], **fixed: Any) -> list[PolicySpec]:
    """One policy at several values of one setting."""
    return [PolicySpec(policy, {setting: value, **fixed}) for value in values]


def pairs(policy: str) -> list[PolicySpec]:
    """One policy at several priors."""
    return [PolicySpec(policy, {"a": a, "b": b}) for a, b in PAIRS]


def neighbours(name: str, policy: str) -> Variants:
    """A k-NN model, with each of PASTS: whose past it looks through, and at what price."""
    return {
        f"{name}, {past}": variants(policy, "theta", SIX, **fixed) for past, fixed in PASTS.items()
    }


def row_of(printed: str) -> str:
    """The row that a model of the paper is held against."""
    return f"{printed}, {HELD}" if printed.startswith("k-NN") else printed


MODELS: Variants = {
    "BetaThompson": pairs("beta-thompson"),
    "EpsilonGreedy": variants("epsilon-greedy", "epsilon", EPSILONS),
    "KL-UCB": variants("kl-ucb", "c", SIX),
    **neighbours("k-NN KL-UCB", "knn-kl-ucb"),
    **neighbours("k-NN UCB", "knn-ucb"),
    "LinTS": variants("lin-ts", "v", SIX),
    "LinUCB": variants("lin-ucb", "alpha", FINE),
    "UCB": variants("ucb", "rho", SIX),
    PAPERS: variants("lnucb-ta", "alpha", FINE),
}


# "Independent", "stable": within this share of the mean that others are compared with.
STABLE = 0.1


@dataclass(frozen=True)
class Best:
    """A model at the setting with the largest mean reward."""

    policy: PolicySpec
    rewards: dict[int, float]

    @property
    def spread(self) -> Spread:
        return Spread.of(list(self.rewards.values()))


class BestSettings(PaperExperiment):
    """Models at several settings each, on the news log: what these two experiments share."""

    explanations: ClassVar[Mapping[str, str]] = {
        "in %": "follows from clicks that do not reproduce",
        "Enhanced": "the paper prints no formula for the enhanced models",
        "LNUCB-TA": PROBABLY,
        "k-NN": OPEN_DISTANCE,
        "LinTS": "the paper leaves the prior open",
        "best clicks": "one number without a spread, the best of six settings in print",
    }
    models: Variants
    about: str

    def _cells(self, effort: Effort) -> tuple[Cell, ...]:
        return tuple(
            Cell.of(name, policy, ARM.environment, policy, effort.seeds())
            for name, policies in self.models.items()
            for policy in policies
        )

    def best(self, findings: Findings, model: str) -> Best | None:
        """None while nothing of the model has finished."""
        found = [
            Best(policy, rewards)
            for policy in self.models[model]
            if (rewards := findings.values(model, policy, "reward"))
        ]
        return max(found, key=lambda best: best.spread.mean, default=None)

    def verdicts(self, findings: Findings) -> list[Verdict]:
        lines = []
        for model, printed in published()[self.id].items():
            found = self.best(findings, row_of(model))
            if found is None:
                continue
            shares = Spread.of([reward / MATCHES for reward in found.rewards.values()])
            mean = Published(printed["mean"], digits=2)
            lines += [
                Verdict.of(self.id, f"{model}: best clicks", Published(printed["clicks"]),
                           found.spread),
                Verdict.of(self.id, f"{model}: best mean reward", mean, shares, "from clicks"),
                *self.gains(findings, model, found),
            ]  # fmt: skip
        return lines

    @abstractmethod
    def gains(self, findings: Findings, model: str, found: Best) -> list[Verdict]:
        """The percentages printed for a model."""

    def gain_verdict(
        self, number: str, gain: PrintedGain, better: Best | None, plain: Best | None
    ) -> list[Verdict]:
        """How much more one earns than the other, in percent, beside what is printed."""
        if better is None or plain is None:
            return []
        ours = percent(ratios(better.rewards, plain.rewards))
        if not gain.follows:
            number = f"{number} (printed clicks give {gain.from_clicks:.2f})"
        return [Verdict.of(self.id, number, Published(gain.printed, digits=2), ours, gain.follows)]

    def ahead(self, findings: Findings, claim: str, rivals: Mapping[str, str]) -> list[Claim]:
        """The claim that a model earns more than its rival, both at their best."""
        best = {model: self.best(findings, model) for pair in rivals.items() for model in pair}
        known = {model: found.rewards for model, found in best.items() if found}
        if len(known) < len(best):
            return []
        pairs = {f"{one} over {other}": (known[one], known[other]) for other, one in rivals.items()}
        return claim_more(self.id, claim, pairs)

    def words(self, findings: Findings) -> list[Word]:
        """Which setting is best, if the runs can tell."""
        lines = []
        for model, printed in published()[self.id].items():
            found = self.best(findings, row_of(model))
            if found is not None:
                outcome = self._same_setting(findings, row_of(model), printed["setting"], found)
                ours = shown(found.policy)
                what = f"{model}: best setting"
                lines.append(Word(self.id, what, printed["setting"], ours, outcome))
        return lines

    def _same_setting(self, findings: Findings, model: str, printed: str, found: Best) -> str:
        """Cannot tell: ours is another, and earns no more than the printed one beyond chance."""
        if shown(found.policy) == printed:
            return REPRODUCED
        theirs = next(each for each in self.models[model] if shown(each) == printed)
        gap = paired(found.rewards, findings.values(model, theirs, "reward"))
        return CANNOT_TELL if gap and gap.low <= 0.0 else NOT_REPRODUCED

    @abstractmethod
    def table(self, findings: Findings) -> ReportTable:
        """Every model at its best setting."""

    def section(self, findings: Findings) -> Section:
        about = f"{self.about} {findings.effort.count()} seeds."
        return Section(self.id, self.title, about, [self.table(findings)], [self.bars(findings)])

    def bars(self, findings: Findings) -> Bars:
        """One panel for each model, one bar for each setting."""
        panels = {
            model: [
                (shown(policy), spread)
                for policy in policies
                if (spread := findings.spread(model, policy, "reward"))
            ]
            for model, policies in self.models.items()
        }
        caption = "Clicks in 800 matches at each setting; lines are one sd over seeds."
        return Bars(self.id, caption, panels, "clicks", MATCHES)


class Parameters(BestSettings):
    """The best of six settings of each model."""

    id = "parameters"
    title = "Nine models, six settings each"
    about = "The news log by replay, arm contexts, raw integers, 800 matches."
    models = MODELS
    reasons = (
        "The k-NN models have neighbours from the arm's own past, as the paper's appendix has "
        "them, k up to 5 and no price on distance. Gains that do not follow from printed clicks "
        "count."
    )

    def gains(self, findings: Findings, model: str, found: Best) -> list[Verdict]:
        if model == PAPERS:
            return []
        best, printed = self.best(findings, PAPERS), gain_over(model)
        return self.gain_verdict(f"{PAPERS}'s gain over {model}, in %", printed, best, found)

    def claims(self, findings: Findings) -> list[Claim]:
        rivals = [model for model in self.models if model != PAPERS]
        claim = f"{PAPERS} earns more than every other model, each at its best setting"
        return [
            *self.ahead(findings, claim, dict.fromkeys(rivals, PAPERS)),
            *_steadier(findings, rivals),
            *_independent_of_alpha(findings),
        ]

    def conclusions(self, findings: Findings) -> list[Sentence]:
        """The rival that comes nearest to LNUCB-TA, or passes it, each at its best setting."""
        found = {name: best for name in self.models if (best := self.best(findings, name))}
        if PAPERS not in found or len(found) < 2:
            return []
        own = found.pop(PAPERS)
        name, rival = max(found.items(), key=lambda each: each[1].spread.mean)
        gap = own.spread.mean - rival.spread.mean
        told = f"{abs(gap):,.0f} {'more' if gap >= 0.0 else 'less'}"
        clicks = paired(own.rewards, rival.rewards)
        if clicks:
            told = clicks.in_words()
        text = (
            f"Each model at its best setting on the news log, LNUCB-TA earns {own.spread} clicks "
            f"and {name}, the best of the {len(found)} others, {rival.spread}; LNUCB-TA's are "
            f"{told}."
        )
        return [Sentence(text, "parameters")]

    def table(self, findings: Findings) -> ReportTable:
        best = {model: self.best(findings, model) for model in self.models}
        rows: list[list[Any]] = []
        for model, found in best.items():
            printed = printed_of(model)
            gained = None if model == PAPERS else gain(best[PAPERS], found)
            mean = found.spread.mean / MATCHES if found else None
            told = [printed.get("setting"), printed.get("clicks")]
            rows.append([model, *entries(found), mean, gained, *told])
        return ReportTable(
            "parameters",
            "Best of six settings: clicks in 800 matches",
            [
                Column("model"),
                Column("best"),
                Column("clicks", Spread),
                Column("mean reward", float, ".2f"),
                Column("LNUCB-TA's gain, in clicks [95 %]", Gain, name="LNUCB-TA's gain"),
                Column("published best"),
                Column("clicks", float, name="published clicks"),
            ],
            rows,
            note=PICKED,
        )


def _steadier(findings: Findings, rivals: Sequence[str]) -> list[Claim]:
    """By the sd of clicks over the six settings, at equal seeds."""
    own = _over_settings(findings, PAPERS)
    pairs = {f"{rival}'s less its own:": (_over_settings(findings, rival), own) for rival in rivals}
    claim = f"{PAPERS} depends less on its setting (sd of clicks over six) than every other model"
    return claim_more(Parameters.id, claim, pairs)


def _over_settings(findings: Findings, model: str) -> dict[int, float]:
    """The sd of a model's clicks over its settings, by seed."""
    by_setting = [findings.values(model, policy, "reward") for policy in MODELS[model]]
    seeds = sorted(set.intersection(*(set(each) for each in by_setting)))
    return {seed: statistics.stdev(each[seed] for each in by_setting) for seed in seeds}


def _independent_of_alpha(findings: Findings) -> list[Claim]:
    """LNUCB-TA at every other alpha against alpha 1, the printed best."""
    at = {shown(policy): findings.values(PAPERS, policy, "reward") for policy in MODELS[PAPERS]}
    reference = at.pop("1")
    if not reference:
        return []
    mean = statistics.mean(reference.values())
    claim = f"{PAPERS} earns alike at every alpha (within {STABLE:.0%} of its {mean:,.0f} at 1)"
    pairs = {f"at {alpha}": (rewards, reference) for alpha, rewards in at.items()}
    return claim_within(Parameters.id, claim, pairs, STABLE * mean)


def printed_of(row: str) -> dict[str, Any]:
    """What the paper prints of the model of a row; nothing for rows it has not."""
    table: dict[str, dict[str, Any]] = published()["parameters"]
    return next((printed for model, printed in table.items() if row_of(model) == row), {})


def gain(better: Best | None, plain: Best | None) -> Gain | None:
    """In percent, and in clicks at equal seeds with a 95 % interval where both have seeds."""
    if better is None or plain is None:
        return None
    percent = 100 * (better.spread.mean / plain.spread.mean - 1)
    clicks = paired(better.rewards, plain.rewards)
    return Gain(percent, **vars(clicks)) if clicks else Gain(percent)


def shown(policy: PolicySpec) -> str:
    """The settings that vary."""
    fixed = ("max_k", "among", "phi")
    values = [value for key, value in policy.settings.items() if key not in fixed]
    return ", ".join(f"{value:g}" for value in values)


def entries(found: Best | None) -> list[Any]:
    """The best setting and its clicks."""
    return [None, None] if found is None else [shown(found.policy), found.spread]
