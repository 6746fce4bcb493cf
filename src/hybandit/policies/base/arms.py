"""Policies that choose one of several fixed arms."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any, ClassVar, Self

import numpy as np
import numpy.typing as npt

from hybandit.errors import InvalidInput, ModelFileError, Unquoted
from hybandit.estimators.statistics import ArmStatistics
from hybandit.policies.base import settings
from hybandit.policies.base.arm_names import ArmNames, names
from hybandit.policies.base.decision import Decision
from hybandit.policies.base.files import ModelFile
from hybandit.policies.base.policy import Policy
from hybandit.state import (
    Array,
    Flags,
    Floats,
    Integers,
    Part,
    check_limits,
    fitting,
    row_of,
    with_row,
    without_row,
)
from hybandit.validation import checks
from hybandit.validation.settings import ABSENT, between, either, nothing, setting, size, unbuilt

NO_CONTEXT = np.empty((1, 0))
Arm = int | str
Eligible = npt.ArrayLike | Collection[str]


class ArmPolicy(Policy):
    """Chooses one of `n_arms` arms and learns from the reward.

    A subclass scores the arms in `_scores` and learns in `_learn`. The arms may have names,
    ``arms=["a", "b"]`` in place of `n_arms`: `choose` gives a number all the same, and `learn`,
    `retire_arm` and `eligible` take numbers or names.

    Internally only arms that are not retired exist, in slots 0, 1, and so on: private methods
    take and return slots, `_n_live` counts them, and `_live_arms` holds their numbers.
    """

    ties: str = settings.ties()
    seed: int | None = settings.seed()
    n_arms: int = setting(
        default=ABSENT, kw_only=False, rule=size(1), doc="number of arms, if they have no names"
    )
    arms: Sequence[str] | None = setting(
        default=None, rule=either(names(), nothing()), doc="names of the arms"
    )
    explore: float = setting(
        default=0.0, rule=between(0, 1), doc="how often to play a uniform arm; 0.05 makes good logs"
    )

    _scoring: ClassVar[tuple[str, str]] = ("_scores", "arm")
    _arrays: ClassVar[tuple[str, ...]] = ("_live_arms", "_late_rewards")
    _ranges: ClassVar[dict[str, tuple[float, float]]] = {"_late_rewards": (0, np.inf)}
    _children: ClassVar[tuple[str, ...]] = ("statistics",)

    def __post_init__(self) -> None:
        if self.arms is not None:
            self.arms = [checks.text(name) for name in checks.sequence("arms", self.arms)]
            if self.n_arms is ABSENT:
                self.n_arms = len(self.arms)
        super().__post_init__()

    def _prepare(self) -> None:
        self._follow(np.arange(self.n_arms))
        self._late_rewards = np.zeros(1, np.int64)
        self._names = ArmNames(self.arms)
        self.statistics = ArmStatistics(self._n_live, forget=self.forget)

    # The verbs

    def choose(
        self, context: npt.ArrayLike | None = None, *, eligible: Eligible | None = None
    ) -> int:
        """The arm to play, by its number.

        Parameters
        ----------
        context
            ``(n_features,)`` for all arms, or ``(n_arms, n_features)``, one row each, by number.
            A policy without contexts ignores it.
        eligible
            A mask of the arms that may be chosen now, or their names. Default: all that are
            not retired.
        """
        with self._lock:
            contexts = self._checked_contexts(context)
            allowed = self._everyone if eligible is None else self._checked_mask(eligible)
            slot = self._pick(self._scores(contexts, allowed, exact=False), allowed)
            return slot if self._complete else int(self._live_arms[slot])

    def decide(
        self, context: npt.ArrayLike | None = None, *, eligible: Eligible | None = None
    ) -> Decision:
        """As `choose`, with the scores and the exact probability of every arm."""
        return self._decided(context, eligible, exact=True)

    def _decided(
        self, context: npt.ArrayLike | None, eligible: Eligible | None, *, exact: bool
    ) -> Decision:
        """Unless `exact`, an arm that cannot win may have any score below the best."""
        with self._lock:
            contexts = self._checked_contexts(context)
            allowed = self._everyone if eligible is None else self._checked_mask(eligible)
            scores = self._scores(contexts, allowed, exact or not self._largest_wins)
            # Picked first, since that refuses faulty scores.
            arm = int(self._live_arms[self._pick(scores, allowed)])
            greedy = self._probabilities(contexts, scores, allowed)
            probabilities = self._mixture(greedy, scores, allowed)
            chances = self._by_number(probabilities, 0.0)
            return Decision(arm, chances, self._by_number(scores, -np.inf), self.arms)

    def probabilities(
        self, context: npt.ArrayLike | None = None, *, eligible: Eligible | None = None
    ) -> Floats:
        """The exact probability of every arm, as in `decide`, without a choice.

        Nothing changes: what is drawn on the way is drawn again by the next choice.
        """
        with self._lock:
            before = self.generator_state
            try:
                return self._decided(context, eligible, exact=False).probabilities
            finally:
                self.generator_state = before

    def probabilities_many(self, contexts: npt.ArrayLike) -> Floats:
        """As `probabilities` for each of many contexts: (n, n_arms), often faster."""
        with self._lock:
            rows = self._checked_rows(contexts)
            before = self.generator_state
            try:
                return self._by_number(self._probabilities_many(rows), 0.0)
            finally:
                self.generator_state = before

    def learn(self, context: npt.ArrayLike | None, arm: Arm, reward: float) -> None:
        """Learn the reward of an arm, given by number or name, that was played on this context.

        Pass the same context as to `choose`. A policy without contexts takes None. The reward
        of an arm that has been retired in the meantime is only counted, in `late_rewards`.
        """
        with self._lock:
            contexts = self._checked_contexts(context)
            number = self._names.arm(arm, self.n_arms)
            value = checks.reward(reward, self.rewards)
            self._learn_live(contexts, number, value)

    def choose_many(
        self,
        contexts: npt.ArrayLike,
        *,
        eligible: Eligible | Sequence[Collection[str]] | None = None,
    ) -> Integers:
        """The arm for each of many contexts; nothing is learned in between.

        `contexts` is ``(n, n_features)`` or ``(n, n_arms, n_features)``, `eligible` as in
        `choose`, one for all or one for each. Gives the same as `choose` one by one, often faster.
        A policy without contexts takes anything of length n.
        """
        with self._lock:
            rows = self._checked_rows(contexts)
            allowed = self._checked_masks(eligible, len(rows))
            return self._live_arms[self._choose_many(rows, allowed)]

    def score_many(self, contexts: npt.ArrayLike) -> Floats:
        """The scores that `decide` would give for each of many contexts: (n, n_arms)."""
        with self._lock:
            return self._by_number(self._score_many(self._checked_rows(contexts)), -np.inf)

    def learn_many(
        self,
        contexts: npt.ArrayLike | None,
        arms: npt.ArrayLike | Sequence[Arm],
        rewards: npt.ArrayLike,
    ) -> None:
        """As `learn` one by one, but if any is refused, none is learned."""
        with self._lock:
            given = checks.sequence("arms", arms)
            numbers = [self._names.arm(arm, self.n_arms) for arm in given]
            values = [
                checks.reward(reward, self.rewards)
                for reward in checks.sequence("rewards", rewards)
            ]
            rows = self._checked_rows(contexts, len(numbers))
            checks.as_many("rewards", values, len(numbers), "arms")
            checks.as_many("contexts", rows, len(numbers), "arms")
            for row, arm, reward in zip(rows, numbers, values, strict=True):
                self._learn_live(row, arm, reward)

    def add_arm(self, name: str | None = None) -> int:
        """Add an arm that was never played; returns its number. Named arms need a name."""
        with self._lock:
            self._names.check_new(name)
            self._add_arm()
            self.statistics.add_arm()
            live = with_row(self._live_arms, self.n_arms)
            if name is not None:
                self.arms = [*(self.arms or ()), str(name)]
                self._names.numbers[str(name)] = self.n_arms
            self.n_arms += 1
            self._follow(live)
            return self.n_arms - 1

    def retire_arm(self, arm: Arm) -> None:
        """Never choose this arm again, nor learn from it: its later rewards are only counted.

        The memory for what was learned of it is freed. The other arms keep their numbers:
        masks, per-arm contexts and probabilities still have a place for every arm.
        """
        with self._lock:
            slot = self._slot_of(self._names.arm(arm, self.n_arms))
            if slot is None:
                raise InvalidInput("arm", "an arm that is not retired", arm)
            if self._n_live == 1:
                raise InvalidInput("arm", "other than the last active arm, which must stay", arm)
            self._drop(slot)

    def remove_arm(self, arm: Arm) -> None:
        """Remove an arm with its number: the numbers of later arms fall by one.

        For callers that give arms away again and again, whose numbers `retire_arm` would use up.
        """
        with self._lock:
            number = self._names.arm(arm, self.n_arms)
            if self._slot_of(number) is not None:
                self.retire_arm(number)
            self.n_arms -= 1
            if self.arms is not None:
                self.arms = [*self.arms[:number], *self.arms[number + 1 :]]
                self._names = ArmNames(self.arms)
            self._follow(self._live_arms - (self._live_arms > number))

    @property
    def active(self) -> Flags:
        """Which arms are not retired."""
        return self._by_number(self._everyone, False)

    @property
    def late_rewards(self) -> int:
        """How many rewards arrived for arms after they were retired."""
        return int(self._late_rewards[0])

    # What a policy is made of

    def _learned(self) -> tuple[Sequence[str], list[Sequence[object]]]:
        with self._lock:
            learned = zip(
                self._live_arms.tolist(),
                self.statistics.counts.tolist(),
                self.statistics.means.tolist(),
                strict=True,
            )
            names = range(self.n_arms) if self.arms is None else self.arms
            rows: list[Sequence[object]] = [
                (names[arm], f"{count:,.10g}", f"{mean:.4g}" if count else "-")
                for arm, count, mean in learned
            ]
        return ["arm", "learned", "mean reward"], rows

    def _check_together(self) -> None:
        if self.arms is not None:
            checks.as_many("arms", self.arms, self.n_arms, "arms of `n_arms`")

    @property
    def forget(self) -> float | None:
        """What the past counts; policies that can forget declare this as a setting."""
        return None

    def _least_numbers(self) -> int:
        return self.n_arms

    @classmethod
    def _built(cls, settings: dict[str, Any], file: ModelFile) -> Self:
        """Build only the parts of live arms, however many arms there were."""
        whole = unbuilt(cls, settings)
        whole._check_together()
        live = _checked_live(file.some("_live_arms"), whole.n_arms)
        policy = super()._built({**settings, "n_arms": len(live), "arms": None}, file)
        policy.n_arms, policy.arms = whole.n_arms, whole.arms
        policy._names = ArmNames(policy.arms)
        policy._follow(live)
        return policy

    def _restore(self, arrays: dict[str, Array]) -> None:
        live = _checked_live(arrays, self.n_arms)
        for slot in np.flatnonzero(~np.isin(self._live_arms, live))[::-1].tolist():
            self._drop(slot)
        super()._restore(arrays)
        self._follow(self._live_arms)
        if self.rewards.limits is not None:
            # None may be outside the range that `learn` takes.
            for path, kept in self.state().items():
                if path == "statistics/means" or path.endswith("/rewards"):
                    check_limits("rewards", kept, self.rewards.limits)

    def _add_arm(self) -> None:
        """Add an arm to every part and to the policy's own arrays."""
        for part in self._arm_parts():
            part.add_arm()

    def _drop_arm(self, arm: int) -> None:
        """Remove the arm in this slot; the slots of later arms decrease by one."""
        for part in self._arm_parts():
            part.drop_arm(arm)

    def _arm_parts(self) -> list[Part]:
        """Those that a policy adds to `statistics`."""
        return [part for part in super()._arm_parts() if part is not self.statistics]

    def _scores(self, contexts: Floats, allowed: Flags, exact: bool) -> Floats:
        """The scores of the arms; `contexts` is (1, d) for all arms or (n_arms, d).

        Unless `exact`, an arm that cannot win may have any score below the best.
        """
        raise self._lacking("_scores", "returns an array with the score of each arm")

    def _look_at(self, contexts: Floats) -> None:
        """Look at a context that is about to be learned."""

    def _learn(self, contexts: Floats, arm: int, reward: float) -> None:
        """Learn a reward; `statistics` do not include it yet."""

    def _learn_live(self, contexts: Floats, number: int, reward: float) -> None:
        self._look_at(contexts)
        slot = number if self._complete else self._slot_of(number)
        if slot is None:
            self._late_rewards += 1
            return
        self._learn(contexts, slot, reward)
        self.statistics.update(slot, reward)

    def _probabilities(self, contexts: Floats, scores: Floats, allowed: Flags) -> Floats:
        """How likely each arm is to have the largest score, given what `_scores` returned."""
        return self._of_largest(scores, allowed)

    @property
    def _largest_wins(self) -> bool:
        """Whether the probabilities take no more than the largest score and those equal to it."""
        return type(self)._probabilities is ArmPolicy._probabilities

    def _choose_many(self, rows: Sequence[Floats] | Floats, allowed: Flags) -> Integers:
        """`allowed` has one mask for all rows or one for each."""
        arms = np.empty(len(rows), np.int64)
        for number, row in enumerate(rows):
            mask = row_of(allowed, number)
            arms[number] = self._pick(self._scores(row, mask, exact=False), mask)
        return arms

    def _probabilities_many(self, rows: Sequence[Floats] | Floats) -> Floats:
        found = np.empty((len(rows), self._n_live))
        for number, row in enumerate(rows):
            # Without contexts all rows are the same.
            if number and row is NO_CONTEXT:
                found[number:] = found[0]
                break
            found[number] = self._probabilities_of(row)
        return found

    def _probabilities_of(self, contexts: Floats) -> Floats:
        scores = self._scores(contexts, self._everyone, exact=not self._largest_wins)
        self._check_scores(scores, self._n_live)
        greedy = self._probabilities(contexts, scores, self._everyone)
        return self._mixture(greedy, scores, self._everyone)

    def _score_many(self, rows: Sequence[Floats] | Floats) -> Floats:
        scores = [self._scores(row, self._everyone, exact=True) for row in rows]
        for each in scores:
            self._check_scores(each, self._n_live)
        return np.array(scores).reshape(len(rows), self._n_live)

    # Numbers and slots

    @property
    def _n_live(self) -> int:
        """How many arms are not retired."""
        return len(self._live_arms)

    def _follow(self, live: Integers) -> None:
        """Make these the live arms, by number, in this order."""
        self._live_arms = live
        self._everyone = np.ones(len(live), bool)
        self._complete = len(live) == self.n_arms

    def _drop(self, slot: int) -> None:
        self._drop_arm(slot)
        self.statistics.drop_arm(slot)
        self._follow(without_row(self._live_arms, slot))

    def _number_at(self, place: int) -> int:
        return int(self._live_arms[place])

    def _slot_of(self, number: int) -> int | None:
        """The slot of an arm; None if it is retired."""
        slot = int(self._live_arms.searchsorted(number))
        return slot if slot < self._n_live and self._live_arms[slot] == number else None

    def _by_number(self, found: Array, retired: float) -> Array:
        """Spread values by slot, along the last axis, over the numbers of all arms."""
        spread = np.full((*found.shape[:-1], self.n_arms), retired, found.dtype)
        spread[..., self._live_arms] = found
        return spread

    # Checks

    def _checked_contexts(self, context: npt.ArrayLike | None) -> Floats:
        """A policy without contexts ignores the context."""
        return NO_CONTEXT

    def _checked_rows(self, contexts: Any, count: int | None = None) -> Sequence[Floats] | Floats:
        """`count` is the number of rows where `contexts` may be None."""
        if contexts is not None or count is None:
            count = len(checks.sequence("contexts", contexts))
        return [NO_CONTEXT] * count

    def _checked_mask(self, eligible: Any) -> Flags:
        allowed: Flags = self._names.mask(eligible, self.n_arms)[self._live_arms]
        if not allowed.any():
            raise InvalidInput("eligible", "true for at least one arm not retired", eligible)
        return allowed

    def _checked_masks(self, eligible: Any, count: int) -> Flags:
        if eligible is None:
            return self._everyone[None]
        each = checks.nested(eligible)
        if each is None:
            return self._checked_mask(eligible)[None]
        if len(each) != count:
            rule = f"one mask, or one for each of {count}"
            raise InvalidInput("eligible", rule, Unquoted(f"{len(each)} masks"))
        checked = [self._checked_mask(mask) for mask in each]
        return np.array(checked, bool).reshape(count, self._n_live)


def _checked_live(arrays: dict[str, Array], n_arms: int) -> Integers:
    """The numbers of saved live arms: at least one, in order."""
    live = fitting("_live_arms", arrays, np.int64, (None,), (0, n_arms - 1))
    if not live.size or not (np.diff(live) > 0).all():
        raise ModelFileError("all arms are retired, or the live ones are not in order")
    return live
