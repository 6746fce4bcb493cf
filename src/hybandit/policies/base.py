"""What every policy shares: the verbs, the checks, the arms, and its life on disk.

Public methods check their input and call private ones that compute. A refused call
leaves the policy exactly as it was.
"""

from __future__ import annotations

import numbers
import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from copy import copy, deepcopy
from pathlib import Path
from threading import RLock
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from hybandit._version import __version__
from hybandit.errors import HybanditError, InvalidInput, ModelFileError, Unquoted
from hybandit.estimators.statistics import ArmStatistics
from hybandit.kernels import selection
from hybandit.policies import files, probability, registry
from hybandit.policies.decision import Decision
from hybandit.policies.settings import (
    Configurable,
    Rule,
    check_settings,
    either,
    is_whole,
    nothing,
    one_of,
    setting,
    settings_of,
    unbuilt,
    whole,
)
from hybandit.state import Array, Flags, Floats, Integers, Stateful, row_of, with_row

FLOAT64 = np.dtype(np.float64)
# Squares and products of larger numbers would leave the range of float64.
LARGEST_INPUT = 1e100
ANY_REWARD = Rule(
    f"a finite number of at most {LARGEST_INPUT:g} in size",
    lambda value: abs(value) <= LARGEST_INPUT,
)
# What building a policy from a file's settings and arrays may raise.
UNUSABLE = (HybanditError, KeyError, TypeError, ValueError, ArithmeticError, MemoryError)
# What a number takes in a model file at least, and what a file may lack of what is built.
FEWEST_BYTES, SPARE_BYTES = 4, 2**22
UNIT_REWARD = Rule("a number from 0 to 1", lambda value: 0.0 <= value <= 1.0)


class Policy(Stateful, Configurable):
    """Chooses one of `n_arms` arms and learns from the reward.

    A subclass with a `name` enters the registry. It declares its settings as annotated
    attributes made by `setting`, builds its parts in `_start`, scores the arms in
    `_scores` and learns in `_learn`.

    Any number of threads may call the public methods: they run one at a time
    (docs/threads.md).

    `results_version` is raised when the decisions of a policy change: stored runs of another
    version are kept and not used.
    """

    name: ClassVar[str] = ""
    results_version: ClassVar[int] = 1
    contextual: ClassVar[bool] = False
    rewards: ClassVar[Rule] = ANY_REWARD

    n_arms: int = setting(kw_only=False, rule=whole(1), doc="number of arms")
    ties: str = setting(
        default="random", rule=one_of("random", "first"), doc="which of equal scores wins"
    )
    seed: int | None = setting(
        default=None, rule=either(whole(0), nothing()), doc="seed of all its randomness"
    )

    _arrays: ClassVar[tuple[str, ...]] = ("_active",)
    _children: ClassVar[tuple[str, ...]] = ("statistics",)

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        if "name" in cls.__dict__:
            registry.register(cls)

    def __post_init__(self) -> None:
        check_settings(self)
        self._check_together()
        self._lock = RLock()
        self._generator = np.random.default_rng(self.seed)
        self._active = np.ones(self.n_arms, bool)
        self.statistics = self._new_statistics()
        self._resize()
        self._start()

    def __getstate__(self) -> dict[str, Any]:
        """What `copy` and `pickle` take: all but the lock, of one moment, shared with nobody."""
        with self._lock:
            return deepcopy({k: v for k, v in self.__dict__.items() if k != "_lock"})

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state, _lock=RLock())

    # The verbs

    def choose(self, context: npt.ArrayLike | None = None, *, eligible: Any = None) -> int:
        """The arm to play.

        Parameters
        ----------
        context
            ``(n_features,)`` for all arms, or ``(n_arms, n_features)``, one row each.
            A policy without contexts ignores it.
        eligible
            A mask of the arms that may be chosen now. Default: all that are not retired.
        """
        with self._lock:
            contexts = self._checked_contexts(context)
            allowed = self._active if eligible is None else self._checked_mask(eligible)
            return self._pick(self._scores(contexts, allowed, False), allowed)

    def decide(self, context: npt.ArrayLike | None = None, *, eligible: Any = None) -> Decision:
        """As `choose`, with the scores and the true probability of every arm."""
        with self._lock:
            contexts = self._checked_contexts(context)
            allowed = self._active if eligible is None else self._checked_mask(eligible)
            scores = self._scores(contexts, allowed, exact=True)
            probabilities = self._probabilities(contexts, scores, allowed)
            arm = self._pick(scores, allowed)
            return Decision(arm, probabilities, np.where(self._active, scores, -np.inf))

    def learn(self, context: npt.ArrayLike | None, arm: int, reward: float) -> None:
        """Take in the reward of an arm that was played on this context.

        Pass the context as it was chosen on. A policy without contexts takes None.
        """
        with self._lock:
            contexts = self._checked_contexts(context)
            arm = self._checked_arm(arm)
            reward = self._checked_reward(reward)
            self._learn(contexts, arm, reward)
            self.statistics.learn(arm, reward)

    def choose_many(self, contexts: npt.ArrayLike, *, eligible: Any = None) -> Integers:
        """The arm for each of many contexts, none of them learned in between.

        `contexts` is ``(n, n_features)`` or ``(n, n_arms, n_features)``, `eligible` one
        mask for all or ``(n, n_arms)``. Equal to `choose` one by one, and often faster.
        A policy without contexts takes anything of length n.
        """
        with self._lock:
            rows = self._checked_rows(contexts)
            allowed = self._checked_masks(eligible, len(rows))
            return self._choose_many(rows, allowed)

    def score_many(self, contexts: npt.ArrayLike) -> Floats:
        """What `decide` would rank by, for each of many contexts: (n, n_arms).

        To choose among items rather than arms, make one arm and rank the items' contexts.
        """
        with self._lock:
            scores = self._score_many(self._checked_rows(contexts))
            return np.where(self._active, scores, -np.inf)

    def learn_many(
        self, contexts: npt.ArrayLike | None, arms: npt.ArrayLike, rewards: npt.ArrayLike
    ) -> None:
        """As `learn` one by one; if any is refused, none is learned."""
        with self._lock:
            checked = [self._checked_arm(arm) for arm in _sequence("arms", arms)]
            values = [self._checked_reward(reward) for reward in _sequence("rewards", rewards)]
            without = contexts is None and not self.contextual
            rows = self._checked_rows(checked if without else contexts)
            for parameter, given in (("rewards", values), ("contexts", rows)):
                if len(given) != len(checked):
                    raise InvalidInput(parameter, f"as many as the {len(checked)} arms", len(given))
            for row, arm, reward in zip(rows, checked, values, strict=True):
                self._learn(row, arm, reward)
                self.statistics.learn(arm, reward)

    def add_arm(self) -> int:
        """Open one more arm, never pulled; returns its number."""
        with self._lock:
            self._add_arm()
            self.statistics.add_arm()
            self._active = with_row(self._active, True)
            self.n_arms += 1
            self._resize()
            return self.n_arms - 1

    def retire_arm(self, arm: int) -> None:
        """Never choose this arm again, nor learn of it: later rewards of it are refused.

        The other arms keep their numbers.
        """
        with self._lock:
            arm = self._checked_arm(arm)
            if self._active.sum() == 1:
                raise InvalidInput("arm", "other than the last active arm, which must stay", arm)
            self._active[arm] = False

    @property
    def active(self) -> Flags:
        """Which arms are not retired."""
        return self._active.copy()

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the whole policy, generator included, to one .npz file.

        Others may choose and learn while it is being written: what goes there is a copy.
        """
        with self._lock:
            drawn = self._generator.bit_generator.state
            settings = {entry.name: getattr(self, entry.name) for entry in settings_of(self)}
            arrays = {name: array.copy() for name, array in self.state().items()}
        manifest = {
            "policy": self.name,
            "settings": settings,
            "generator": drawn,
            "hybandit": __version__,
        }
        files.write(Path(path), manifest, arrays)

    def restore(self, arrays: dict[str, Array]) -> None:
        """Take over arrays that `state` of an equal policy gave: all of them, or none."""
        with self._lock:
            restored = copy(self)
            restored._restore(arrays)
            restored._lock = self._lock
            vars(self).update(vars(restored))

    # What a policy is made of

    def _check_together(self) -> None:
        """Rules that join several settings."""

    def _new_statistics(self) -> ArmStatistics:
        """What counts the arms' rewards."""
        return ArmStatistics(self.n_arms)

    def _least_numbers(self) -> int:
        """How many numbers a policy with these settings keeps, at least. Nothing is built yet."""
        return self.n_arms

    def _resize(self) -> None:
        """Follow a change of `n_arms`."""

    def _start(self) -> None:
        """Build the parts. Settings are checked, nothing has been learned."""

    def _restore(self, arrays: dict[str, Array]) -> None:
        """Take over the arrays, and refuse what does not belong together."""
        super().restore(arrays)
        if not self._active.any():
            raise ModelFileError("the model file has no arm that is not retired")

    def _add_arm(self) -> None:
        """Give every part one more arm."""

    def _scores(self, contexts: Floats, allowed: Flags, exact: bool) -> Floats:
        """What the arms are ranked by; `contexts` is (1, d) for all arms or (n_arms, d).

        Unless `exact`, an arm that cannot win may have any score below the best.
        """
        raise NotImplementedError

    def _learn(self, contexts: Floats, arm: int, reward: float) -> None:
        """Learn, with `statistics` still as they were."""

    def _pick(self, scores: Floats, allowed: Flags) -> int:
        best, ties = selection.largest(scores, allowed)
        if ties > 1 and self.ties == "random":
            tied = np.flatnonzero(allowed & (scores == scores[best]))
            best = int(tied[self._generator.integers(ties)])
        return best

    def _probabilities(self, contexts: Floats, scores: Floats, allowed: Flags) -> Floats:
        """How likely each arm is, given what `_scores` said."""
        return probability.of_largest_score(scores, allowed, self.ties)

    def _choose_many(self, rows: Sequence[Floats] | Floats, allowed: Flags) -> Integers:
        """`allowed` has one mask for all rows or one for each."""
        arms = np.empty(len(rows), np.int64)
        for number, row in enumerate(rows):
            mask = row_of(allowed, number)
            arms[number] = self._pick(self._scores(row, mask, exact=False), mask)
        return arms

    def _score_many(self, rows: Sequence[Floats] | Floats) -> Floats:
        scores = [self._scores(row, self._active, exact=True) for row in rows]
        return np.array(scores).reshape(len(rows), self.n_arms)

    # Checks

    def _checked_contexts(self, context: npt.ArrayLike | None) -> Floats:
        """A policy without contexts has nothing to look at."""
        return _NO_CONTEXT

    def _checked_rows(self, contexts: Any) -> Sequence[Floats] | Floats:
        return [_NO_CONTEXT] * len(_sequence("contexts", contexts))

    def _checked_mask(self, eligible: Any) -> Flags:
        mask = _array(eligible)
        if mask is None or mask.dtype != np.bool_ or mask.shape != (self.n_arms,):
            rule = f"a mask of {self.n_arms} booleans, one for each arm"
            raise InvalidInput("eligible", rule, eligible)
        allowed: Flags = mask & self._active
        if not allowed.any():
            raise InvalidInput("eligible", "true for at least one arm not retired", eligible)
        return allowed

    def _checked_masks(self, eligible: Any, count: int) -> Flags:
        if eligible is None:
            return self._active[None]
        masks = _array(eligible)
        if masks is None or masks.ndim != 2:
            return self._checked_mask(eligible)[None]
        if len(masks) != count:
            raise InvalidInput("eligible", f"one mask, or one for each of {count}", masks.shape)
        checked = [self._checked_mask(mask) for mask in masks]
        return np.array(checked, bool).reshape(count, self.n_arms)

    def _checked_arm(self, arm: Any) -> int:
        number: int = arm if type(arm) is int else int(arm) if is_whole(arm) else -1
        if not 0 <= number < self.n_arms:
            raise InvalidInput("arm", f"a whole number from 0 to {self.n_arms - 1}", arm)
        if not self._active[number]:
            raise InvalidInput("arm", "an arm that is not retired", arm)
        return number

    def _checked_reward(self, reward: Any) -> float:
        value: float = reward if type(reward) is float else _real(reward)
        if not self.rewards.holds(value):
            raise InvalidInput("reward", self.rewards.text, reward)
        return value


class ContextualPolicy(Policy):
    """A policy that looks at contexts of `n_features` numbers."""

    contextual: ClassVar[bool] = True

    n_features: int = setting(kw_only=False, rule=whole(1), doc="length of a context")

    def _least_numbers(self) -> int:
        return self.n_arms + self.n_features

    def _resize(self) -> None:
        self._context_shapes = (self.n_features,), (self.n_arms, self.n_features)

    def _checked_contexts(self, context: npt.ArrayLike | None) -> Floats:
        # Kernels are compiled for arrays that could be written, though they never write.
        if type(context) is np.ndarray and context.dtype is FLOAT64 and context.flags.carray:
            array: Array = context
        else:
            array = np.array(_numbers("context", context), np.float64, order="C")
        if array.shape not in self._context_shapes:
            rule = f"of shape ({self.n_features},) or ({self.n_arms}, {self.n_features})"
            raise InvalidInput("context", rule, Unquoted(f"shape {array.shape}"))
        contexts = array if array.ndim == 2 else array[None]
        if not selection.all_within(contexts, LARGEST_INPUT):
            _refuse_entry("context", contexts)
        return contexts

    def _checked_rows(self, contexts: Any) -> Floats:
        array = _numbers("contexts", contexts)
        if array.shape[1:] not in self._context_shapes:
            rule = f"of shape (n, {self.n_features}) or (n, {self.n_arms}, {self.n_features})"
            raise InvalidInput("contexts", rule, Unquoted(f"shape {array.shape}"))
        rows = np.require(array, np.float64, ["C", "W"])
        if not selection.all_within(rows.reshape(-1, self.n_features), LARGEST_INPUT):
            _refuse_entry("contexts", rows)
        return rows[:, None] if rows.ndim == 2 else rows


def load(path: str | os.PathLike[str]) -> Policy:
    """A policy as `Policy.save` wrote it: it goes on as if it had never been saved.

    Examples
    --------
    >>> import tempfile, hybandit
    >>> policy = hybandit.LinUCB(3, 2, seed=7)
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     policy.save(f"{folder}/policy.npz")
    ...     again = hybandit.load(f"{folder}/policy.npz")
    >>> again.choose([1.0, 0.0]) == policy.choose([1.0, 0.0])
    True
    """
    with files.reading(Path(path)) as file:
        with _loading(path):
            policy = _built(file)
        arrays = file.arrays(policy.state())
        with _loading(path):
            policy._restore(arrays)
    return policy


@contextmanager
def _loading(path: str | os.PathLike[str]) -> Iterator[None]:
    try:
        yield
    except UNUSABLE as error:
        raise ModelFileError(f"{path} cannot be loaded: {error}") from error


def _built(file: files.ModelFile) -> Policy:
    """The policy of a file's manifest, if the file is large enough to hold it."""
    kind = registry.find_policy(file.manifest["policy"])
    settings = file.manifest["settings"]
    plan = unbuilt(kind, settings)
    fits = FEWEST_BYTES * plan._least_numbers() <= file.bytes + SPARE_BYTES
    if not fits or file.size_of("_active") < plan.n_arms:
        raise ModelFileError("its settings ask for more than it holds")
    policy = kind(**settings)
    policy._generator.bit_generator.state = file.manifest["generator"]
    return policy


_NO_CONTEXT = np.empty((1, 0))


def _array(given: Any) -> Array | None:
    """What NumPy makes of it, or None where it is ragged."""
    try:
        return np.asarray(given)
    except ValueError:
        return None


def _real(given: Any) -> float:
    """A number as a float; NaN, which no rule takes, for anything else."""
    try:
        return float(given) if isinstance(given, (numbers.Real, np.bool_)) else np.nan
    except OverflowError:
        return np.inf


def _numbers(parameter: str, given: Any) -> Array:
    """Anything array-like that holds real numbers."""
    array = given if type(given) is np.ndarray else _array(given)
    if array is None or array.dtype.kind not in "fiub":
        raise InvalidInput(parameter, "an array of numbers", given)
    return array


def _refuse_entry(parameter: str, contexts: Floats) -> None:
    bad = ~(np.abs(contexts) <= LARGEST_INPUT)
    where = tuple(int(index) for index in np.argwhere(bad)[0])
    place = where[1:] if parameter == "context" and len(contexts) == 1 else where
    rule = f"finite numbers of at most {LARGEST_INPUT:g} in size"
    raise InvalidInput(parameter, rule, Unquoted(f"{contexts[where]} at {list(place)}"))


def _sequence(parameter: str, given: Any) -> Sequence[Any]:
    if isinstance(given, np.ndarray):
        given = given.tolist() if given.ndim == 1 else list(given)
    try:
        sequence: Sequence[Any] = list(given)
    except TypeError:
        raise InvalidInput(parameter, "a sequence", given) from None
    return sequence
