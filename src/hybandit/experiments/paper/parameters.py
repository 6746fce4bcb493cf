"""Nine models, six settings each: the paper's parameter table."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from hybandit.experiments.experiment import Cell, Experiment, Findings, Scale
from hybandit.experiments.judgements import (
    CANNOT_TELL,
    NOT_REPRODUCED,
    REPRODUCED,
    Verdict,
    Word,
    percent,
    ratios,
)
from hybandit.experiments.paper.news import ARM, HELD, MATCHES, NEIGHBOURS
from hybandit.experiments.published import published
from hybandit.experiments.section import Bars, Column, Gain, Published, Section, Sentence, Table
from hybandit.experiments.specs import PolicySpec
from hybandit.experiments.spread import Spread, paired

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
    """A k-NN model, with each of NEIGHBOURS."""
    return {
        f"{name}, {past}": variants(policy, "theta", SIX, **fixed)
        for past, fixed in NEIGHBOURS.items()
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
    "LinUCB": variants("lin-ucb", "alpha", FINE, ties="first"),
    "UCB": variants("ucb", "rho", SIX),
    PAPERS: variants("lnucb-ta", "alpha", FINE),
}


@dataclass(frozen=True)
class Best:
    """A model at the setting with the largest mean reward."""

    policy: PolicySpec
    rewards: dict[int, float]

    @property
    def spread(self) -> Spread:
        return Spread.of(list(self.rewards.values()))


class BestSettings(Experiment):
    """Models at several settings each, on the news log: what these two experiments share."""

    models: Variants
    about: str

    def cells(self, scale: Scale) -> tuple[Cell, ...]:
        runs = scale.count(full=10, quick=2)
        return tuple(
            Cell.of(
                name,
                policy,
                ARM.environment,
                policy,
                runs=1 if policy.settings.get("ties") == "first" else runs,
                seed=scale.seed,
            )
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
        """The percentages printed for a model, which follow from clicks."""

    def gain_verdict(
        self, number: str, printed: float, better: Best | None, plain: Best | None
    ) -> list[Verdict]:
        """How much more one earns than the other, in percent, beside what is printed."""
        if better is None or plain is None:
            return []
        ours = percent(ratios(better.rewards, plain.rewards))
        return [Verdict.of(self.id, number, Published(printed, digits=2), ours, "from clicks")]

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

    def described(self, findings: Findings) -> str:
        runs = findings.scale.count(full=10, quick=2)
        return f"{self.about} {runs} seeds where the policy draws."

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
        "LinTS and the k-NN models leave details open; ours are in their documentation. The k-NN "
        "models are held with neighbours from the arm's own past, as the paper's appendix "
        "enumerates them, k up to 5 and no price on distance. With all arms' past an arm is often "
        "unknown among the five nearest, scores infinity and is played."
    )

    def gains(self, findings: Findings, model: str, found: Best) -> list[Verdict]:
        printed = published()[self.id][model]["gain"]
        if printed is None:
            return []
        best = self.best(findings, PAPERS)
        return self.gain_verdict(f"{PAPERS}'s gain over {model}, in %", printed, best, found)

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

    def section(self, findings: Findings) -> Section:
        best = {model: self.best(findings, model) for model in self.models}
        rows: list[list[Any]] = []
        for model, found in best.items():
            printed = printed_of(model)
            gained = None if model == PAPERS else gain(best[PAPERS], found)
            mean = found.spread.mean / MATCHES if found else None
            told = [printed.get("setting"), printed.get("clicks")]
            rows.append([model, *entries(found), mean, gained, *told])
        table = Table(
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
        return Section(
            self.id, self.title, self.described(findings), [table], [self.bars(findings)]
        )


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
    fixed = ("ties", "max_k", "among", "phi")
    values = [value for key, value in policy.settings.items() if key not in fixed]
    return ", ".join(f"{value:g}" for value in values)


def entries(found: Best | None) -> list[Any]:
    """The best setting and its clicks."""
    return [None, None] if found is None else [shown(found.policy), found.spread]
