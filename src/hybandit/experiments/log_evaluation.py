"""Evaluation of policies on a log: what `hybandit evaluate` runs."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from hybandit.datasets import Log, find_dataset, is_file
from hybandit.datasets.dsjson import is_dsjson
from hybandit.errors import InvalidInput, argument
from hybandit.evaluation import (
    ESTIMATORS,
    LEARN,
    ItemLog,
    ValueEstimate,
    checks,
    log_notes,
)
from hybandit.evaluation.judging import LEARN_EVERY
from hybandit.evaluation.progressive import FIRST
from hybandit.evaluation.value_estimators import DEFAULT
from hybandit.evaluation.watch import SMALL_SAMPLE, fixed_rule
from hybandit.experiments.environments import make_environment
from hybandit.experiments.experiment import Findings
from hybandit.experiments.log_players import (
    ALWAYS,
    LOGGED,
    always,
    chooses_arms,
    item_policy_of,
    policy_of,
)
from hybandit.experiments.logs import (
    DEFAULT_ESTIMATORS,
    ItemLogTask,
    JudgingTask,
    learned_from,
    read_estimates,
)
from hybandit.experiments.results import TRUSTED, value_line
from hybandit.experiments.side_by_side import SideBySide
from hybandit.experiments.specs import EnvironmentSpec, PolicySpec, Settings
from hybandit.experiments.tasks import parse_policies
from hybandit.experiments.user_files import (
    check_for_files,
    file_settings,
    may_decide,
    set_aside,
    summary,
    summary_table,
)
from hybandit.experiments.verdicts import Standing, advice, capital, unjudged, unsure, verdict
from hybandit.names import check_name
from hybandit.reports.section import Between, Column, Lines, ReportTable, Section
from hybandit.reports.spread import digits_of
from hybandit.validation.settings import one_of

DEFAULT_POLICIES = "stacked-hybrid,lnucb-ta,lin-ucb,epsilon-greedy,ucb"
DEFAULT_ITEM_POLICIES = "item-hybrid,item-hybrid:explore=gap,item-lnucb-ta,item-lin-ucb"
# For a loop that always offers the same actions, by name.
PLAIN_POLICIES = "item-hybrid,item-lnucb-ta,stacked-hybrid,lin-ucb,ucb"
# So many constant choices are shown, the best ones, and only those that this share of the events
# offered.
MOST_CONSTANTS, OFTEN = 5, 0.95
# What made the log, as a policy among the others.
THE_LOG = PolicySpec(LOGGED)
RULES = {
    "all": "all events, each after it was scored (learn all)",
    "matched": "events where they made the log's choice (learn matched)",
    "nothing": "nothing (learn nothing)",
}
# What the value of a policy means, by what it learned from.
MEANINGS = {
    "all": "The value of a policy is its mean reward per event had it decided each one after "
    "learning from all of the log's earlier choices, also those that it would not have made "
    "itself; {matched} is more cautious.",
    "matched": "The value of a policy is its mean reward per event had it decided each one after "
    "learning only from the earlier events where it made the same choice as the log; live it "
    "would learn from more.",
    "nothing": "The value of a policy is its mean reward per event had it decided instead of the "
    "log without ever learning anything.",
}


class LogEvaluation(SideBySide):
    """Every policy on the same log, once."""

    id = "evaluate"
    titled = "Policies judged by the log {}"
    # Held here for the tasks, which only name it.
    items: ItemLog | None = None

    @classmethod
    def of(
        cls,
        data: str,
        policies: str | None = None,
        *,
        items: ItemLog | None = None,
        estimators: Sequence[str] = DEFAULT_ESTIMATORS,
        learn: str = "all",
        learn_every: int = 1,
        matches: int | None = None,
        options: Settings | None = None,
    ) -> LogEvaluation:
        """Make one from the arguments of the command line; `options` are those of `open_log`.

        With `items`, these are the log, and `data` is what it is called.
        """
        of_items = items is not None or is_dsjson(data)
        plain = items is not None and items.of_arms() is not None
        default = DEFAULT_ITEM_POLICIES if of_items else DEFAULT_POLICIES
        chosen = parse_policies(policies or (PLAIN_POLICIES if plain else default))
        check_how(estimators, learn, matches, learn_every)
        how = {
            "estimators": list(estimators), "learn": learn, "learn_every": learn_every,
            "matches": matches,
        }  # fmt: skip
        name = Path(data).name
        if items is None and of_items:
            check_for_files({**(options or {}), "scaling": None}, "a .dsjson log")
            source = file_settings(data, {})
            spec = EnvironmentSpec("dsjson", {**source, **how})
        elif items is None:
            spec = EnvironmentSpec("log", {**_source(data, options or {}), **how})
        else:
            check_for_files({**(options or {}), "scaling": None})
            spec = EnvironmentSpec("item-log", {"data": name, **ItemLogTask.held(items), **how})
        for policy in chosen:
            if policy.name != ALWAYS:
                by_arms = not of_items or (plain and chooses_arms(policy))
                (policy_of if by_arms else item_policy_of)(policy, 2, 2, 0)
        evaluation = cls(name, spec, chosen)
        evaluation.items = items
        evaluation._look_at_the_log()
        constants = [always(choice) for choice in evaluation.told["constants"]]
        evaluation.policies = tuple(dict.fromkeys([THE_LOG, *constants, *chosen]))
        return evaluation

    @property
    def task(self) -> JudgingTask:
        """The log, as every policy is given it."""
        made = make_environment(self.environment)
        assert isinstance(made, JudgingTask)
        return made

    def section(self, findings: Findings) -> Section:
        """The verdict, then every policy by every estimator, the best first."""
        found: dict[PolicySpec, list[ValueEstimate]] = {}
        notes: dict[str, list[str]] = {note: [] for note in self.told["notes"]}
        for policy in self.policies:
            for run in findings.runs(policy, self.data).values():
                found[policy] = read_estimates(run.extra)
                for note in () if self.added(policy) else run.extra["notes"]:
                    notes.setdefault(note, []).append(policy.label)
        logged = found.pop(THE_LOG, None)
        if not found or logged is None:
            return Section(self.id, self.title, "No policy has been evaluated yet.")
        trusted = self._trusted()
        ranked = sorted(found, key=self.added)
        if not self._fixed:
            ranked.sort(key=lambda policy: -_by(found[policy], trusted).value)
        standing = Standing(
            {each.label: _by(found[each], trusted) for each in ranked if not self.added(each)},
            {each.label: _by(found[each], trusted) for each in ranked if each.name == ALWAYS},
            logged[0],
        )
        reading = self.told.get("reading")
        table, details = self._tables(ranked, found, logged[0])
        return Section(
            self.id,
            self.title,
            "",
            [table],
            [self._curves(ranked, found, trusted, logged[0])],
            verdict=self._verdict(standing, trusted),
            watch=[
                _attributed(note, labels, len(standing.policies)) for note, labels in notes.items()
            ],
            details=[details, *([summary_table(reading)] if reading else [])],
        )

    def _look_at_the_log(self) -> None:
        """Read the log, and keep what the report says about it."""
        task = self.task
        log, reading = task.log(), task.reading()
        lacking = log.has_propensities and not log.has_every_propensity
        if "switch" in task.estimators and lacking:
            rule = (
                "without 'switch', which needs every arm's propensity: not the logged one's alone"
            )
            raise InvalidInput("estimators", rule, task.estimators)
        self.told = {
            "rewards": DEFAULT.rewards(log.facts.rewards),
            "constants": best_constants(log),
            "fixed": fixed_rule(log),
            "deciding": may_decide(reading, log),
            "notes": [*task.notes(), *set_aside(reading), *log_notes(log)],
            "reading": None if reading is None else summary(reading),
        }

    def added(self, policy: PolicySpec) -> bool:
        """Whether nobody asked for this policy: a constant choice, or the log itself."""
        return policy == THE_LOG or policy.settings.get("choice") in self.told["constants"]

    @property
    def _fixed(self) -> list[str]:
        """What is said if a fixed rule made the log, which then ranks nothing."""
        return list(self.told.get("fixed", []))

    def _trusted(self) -> str:
        asked = self.environment.settings["estimators"]
        return next((name for name in TRUSTED if name in asked), asked[0])

    def _verdict(self, standing: Standing, trusted: str) -> str:
        """Which policy is best unless the log cannot tell, whether to switch, what that means."""
        if self._fixed:
            return f"{capital(self._fixed[0])}. {unjudged(standing.logged)}"
        rule = learned_from(trusted, self.environment.settings["learn"])
        meaning = MEANINGS[rule].format(matched=argument("learn", "matched"))
        start = unsure(standing.policies, self.told.get("deciding", []))
        return f"{start}{verdict(standing)} {advice(standing)} {meaning}"

    def _tables(
        self,
        ranked: Sequence[PolicySpec],
        found: dict[PolicySpec, list[ValueEstimate]],
        logged: ValueEstimate,
    ) -> tuple[ReportTable, ReportTable]:
        """The table of values, and the table of how reliable they are."""
        learn = self.environment.settings["learn"]
        each = [(policy.label, one) for policy in ranked for one in found[policy]]
        each.append((THE_LOG.label, logged))
        rules = {learned_from(name, learn) for name in self.environment.settings["estimators"]}
        every = self.environment.settings["learn_every"]
        batches = (
            f"They learned after every {every:,} events, as a live policy does that is taught in "
            "batches: on a short log it earns less than one that learns at once. "
            if every > 1
            else ""
        )
        note = (
            "Value: mean reward per event, with its 95 % bootstrap interval. Sample: how many "
            "events of equal weight would say as much. Weight: the largest of one event. "
            f"Policies learned from {' and '.join(RULES[rule] for rule in sorted(rules))}. "
            f"{batches}There is no regret, because nobody knows what the best choice would have "
            "paid."
        )
        digits = digits_of(one.value for _, one in each)
        values: list[list[Any]] = [
            [label, one.estimator, one.value, Between(*one.bootstrap, digits),
             one.effective_sample_size, one.largest_weight]
            for label, one in each
        ]  # fmt: skip
        columns = [
            Column("policy"),
            Column("estimator"),
            Column("value", float, f",.{digits}f"),
            Column("95 % interval", Between),
            Column("sample", float, name="effective sample"),
            Column("weight", float, ",.1f", name="largest weight"),
        ]
        details: list[list[Any]] = [
            [label, one.estimator, _rule(one, learn), Between(*one.sure, digits),
             one.rows]
            for label, one in each
        ]  # fmt: skip
        more = [
            Column("policy"),
            Column("estimator"),
            Column("learned from"),
            Column("sure interval", Between),
            Column("events", int),
        ]
        best = [one.estimator for one in found[ranked[0]]].index(self._trusted())
        title = "What each policy would have earned"
        if self._fixed:
            title = "Guesses of what each policy would have earned, in the order given"
        return (
            ReportTable(self.id, title, columns, values, note, None if self._fixed else best),
            ReportTable(f"{self.id}-details", "How far to trust it", more, details, self._sure()),
        )

    def _sure(self) -> str:
        """Which of the two intervals counts, and what the second takes for granted."""
        told = (
            f"Decide by the 95 % interval of the first table where the sample is {SMALL_SAMPLE} or "
            "more, by the sure interval where it is smaller, or if you look again as the log "
            "grows. Sure interval: 95 %, right for any number of events and at every look, by "
            "betting (of ratios, snips and replay, at one look, by empirical Bernstein), if no "
            "weight will be larger than the log's largest"
        )
        low, high = self.told.get("rewards", (0.0, 1.0))
        if (low, high) == (0.0, 1.0):
            return f"{told}; cut to 0 to 1, where all rewards lie, but not beyond the value."
        return f"{told}, and no reward beyond its own, {low:g} to {high:g}."

    def _curves(
        self,
        ranked: Sequence[PolicySpec],
        found: dict[PolicySpec, list[ValueEstimate]],
        trusted: str,
        logged: ValueEstimate,
    ) -> Lines:
        constants = [policy for policy in ranked if self.added(policy)]
        shown = [policy for policy in ranked if policy not in constants[1:]]
        lines = [value_line(policy, _by(found[policy], trusted)) for policy in shown]
        return Lines(
            "value-curves",
            f"Value by {trusted} over the events so far; dotted, what the log itself earned.",
            {f"{self.data}, {trusted}": lines},
            "event",
            "value so far",
            level=("the log itself", logged.value),
        )


def _source(data: str, options: Settings) -> Settings:
    if is_file(data):
        return file_settings(data, options)
    find_dataset(data)
    check_for_files({**options, "scaling": None})
    return {"data": data, "options": {"scaling": options.get("scaling") or "standard"}}


def check_how(
    estimators: Sequence[str], learn: str, matches: int | None, learn_every: int = 1
) -> None:
    """Check early what the walk through a log would otherwise refuse later."""
    if not estimators:
        raise InvalidInput("estimators", "at least one", estimators)
    for name in estimators:
        check_name("estimators", "estimator", name, ESTIMATORS)
    one_of(*LEARN).check("learn", learn)
    LEARN_EVERY.check("learn_every", learn_every)
    checks.matches(matches, estimators)


def best_constants(log: Log) -> list[str]:
    """The choices that alone would have paid most, of those that nearly all events offered."""
    facts = log.facts
    values = facts.by_choice()
    often = facts.chosen > 0 if facts.offered is None else facts.offered >= OFTEN * len(log)
    values = np.where(often & ~np.isnan(values), values, -np.inf)
    best = np.argsort(-values, kind="stable")[:MOST_CONSTANTS]
    names = [log.choice_names[number] for number in best.tolist() if values[number] > -np.inf]
    # What the caller put first is what a loop falls back to, and what Personalizer compared with.
    return [FIRST, *names] if log.of_items else names


def _by(estimates: Sequence[ValueEstimate], name: str) -> ValueEstimate:
    return next(each for each in estimates if each.estimator == name)


def _rule(one: ValueEstimate, learn: str) -> str:
    return learned_from(one.estimator, learn) if one.estimator in ESTIMATORS else "-"


def _attributed(note: str, labels: Sequence[str], count: int) -> str:
    """A note with the policies that it is about, unless it is about all."""
    whose = f"{', '.join(labels)}: " if labels and len(labels) < count else ""
    return f"{whose}{note}"
