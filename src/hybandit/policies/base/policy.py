"""The base of all policies: name, settings, randomness, lock, draws and files.

Public methods check their input and call private methods that compute. A refused call
leaves the policy unchanged.
"""

from __future__ import annotations

import inspect
import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from copy import copy, deepcopy
from dataclasses import field
from threading import RLock
from typing import Any, ClassVar, Self, dataclass_transform

import numpy as np
from numba.core.errors import TypingError

from hybandit._version import __version__
from hybandit.errors import HybanditError, ModelFileError, PolicyError, UnknownName
from hybandit.kernels import selection
from hybandit.notebook import card
from hybandit.policies.base import files, probability, registry
from hybandit.state import Array, Flags, Floats, Stateful
from hybandit.validation import checks
from hybandit.validation.settings import (
    Rule,
    call_of,
    check_settings,
    configure,
    setting,
    settings_of,
    unbuilt,
)

# The errors that building a policy from a file's settings and arrays may raise.
UNUSABLE = (HybanditError, KeyError, TypeError, ValueError, ArithmeticError, MemoryError)
# Bytes that a number takes in a model file at least, and bytes that a file may fall short of it.
FEWEST_BYTES, SPARE_BYTES = 4, 2**22


@dataclass_transform(kw_only_default=True, eq_default=False, field_specifiers=(setting, field))
class Policy(Stateful):
    """Base of `ArmPolicy` and `ItemPolicy`; a policy of your own extends one of these.

    A subclass with a `name` is registered. It declares its settings as annotated attributes
    made by `setting`, which become its constructor, and builds its parts in `_start`.

    Any number of threads may call the public methods: they run one at a time
    (docs/threads.md).

    `results_version` is raised when the decisions of a policy change: stored runs of another
    version are kept but not used.
    """

    name: ClassVar[str] = ""
    results_version: ClassVar[int] = 1
    rewards: ClassVar[Rule] = checks.ANY_REWARD
    # The method that returns the scores, and what has a score: messages name them.
    _scoring: ClassVar[tuple[str, str]]

    # Settings of every policy, which each kind declares.
    ties: str
    seed: int | None
    explore: float | str

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        configure(cls)
        _check_arrays(cls)
        _check_methods(cls)
        _add_parts_of_kind(cls)
        if registry.has_own_name(cls):
            registry.register(cls)

    def __post_init__(self) -> None:
        check_settings(self)
        self._check_together()
        self._lock = RLock()
        self._generator = np.random.default_rng(self.seed)
        self._prepare()
        self._start()
        self._check_parts()

    def __repr__(self) -> str:
        return call_of(self)

    def _repr_html_(self) -> str:
        facts = [(entry.name, repr(getattr(self, entry.name))) for entry in settings_of(self)]
        heads, rows = self._learned()
        return card(f"{type(self).__name__}, {self.name}", facts, heads=heads, rows=rows)

    def __getstate__(self) -> dict[str, Any]:
        """A deep copy of everything except the lock, for `copy` and `pickle`."""
        with self._lock:
            return deepcopy({k: v for k, v in self.__dict__.items() if k != "_lock"})

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state, _lock=RLock())

    def save(self, path: str | os.PathLike[str], *, notes: Mapping[str, Any] | None = None) -> None:
        """Write the whole policy, generator included, to one .npz file.

        Other threads may choose and learn while a copy is written. `notes`, anything that JSON
        can hold, are written too; `load` ignores them.
        """
        file, kind = checks.path(path), type(self)
        registry.check_own_name(kind)
        with self._lock:
            drawn = self._generator.bit_generator.state
            settings = {entry.name: getattr(self, entry.name) for entry in settings_of(self)}
            settings = deepcopy(settings)
            arrays = {name: array.copy() for name, array in self.state().items()}
        manifest = {
            "policy": self.name,
            "class": registry.reference_of(kind),
            "settings": settings,
            "generator": drawn,
            "hybandit": __version__,
            **({"notes": dict(notes)} if notes else {}),
        }
        files.write(file, manifest, arrays)

    def restore(self, arrays: dict[str, Array]) -> None:
        """Load the arrays that `state` of an equal policy returned: all of them, or none."""
        given = checks.arrays(arrays)
        with self._lock:
            restored = copy(self)
            restored._restore(given)
            restored._lock = self._lock
            vars(self).update(vars(restored))

    @property
    def generator_state(self) -> Mapping[str, Any]:
        """The state of the random generator as plain numbers; `state` does not include it."""
        with self._lock:
            return self._generator.bit_generator.state

    @generator_state.setter
    def generator_state(self, state: Mapping[str, Any]) -> None:
        with self._lock:
            self._generator.bit_generator.state = state

    def _learned(self) -> tuple[Sequence[str], list[Sequence[object]]]:
        """Heads and rows of a table of what was learned, for notebooks."""
        return [], []

    # What a policy is made of

    def _check_together(self) -> None:
        """Check rules that involve several settings. Overrides must call the base's."""

    def _prepare(self) -> None:
        """Build what all policies of a kind have, before `_start`."""

    def _start(self) -> None:
        """Build the parts. The settings have been checked; nothing has been learned."""

    def _check_parts(self) -> None:
        """Refuse arrays among the parts, and parts among the arrays."""
        own = type(self).__name__
        for name in self._arrays:
            if not isinstance(getattr(self, name, None), np.ndarray):
                rule = "a NumPy array after _start; parts that are saved belong in _children"
                raise PolicyError(f"{own}._arrays: {name!r} must be {rule}")
        for name, part in self._named_parts():
            if not hasattr(part, "state"):
                rule = "a part, such as Ridge; arrays belong in _arrays"
                raise PolicyError(f"{own}._children: {name!r} must be {rule}")

    def _least_numbers(self) -> int:
        """At least how many numbers a policy with these settings stores; it is not built yet."""
        raise NotImplementedError

    @classmethod
    def _built(cls, settings: dict[str, Any], file: files.ModelFile) -> Self:
        """A policy with these settings, if the file is large enough to hold one."""
        if not unbuilt(cls, settings)._fits(file):
            raise ModelFileError("its settings ask for more than it holds")
        return cls(**settings)

    def _fits(self, file: files.ModelFile) -> bool:
        """Whether a file may hold a policy with these settings, which is not built yet."""
        return FEWEST_BYTES * self._least_numbers() <= file.bytes + SPARE_BYTES

    def _restore(self, arrays: dict[str, Array]) -> None:
        """Load the arrays, and refuse those that do not belong together."""
        super().restore(arrays)

    # How it draws

    def _explored(self, scores: Floats, allowed: Flags) -> float:
        """The probability of a uniform choice, whatever the scores."""
        return float(self.explore)

    def _check_scores(self, scores: Floats, count: int) -> None:
        """Refuse what are no scores, where none of them is picked, which refuses them too."""
        if not _are_numbers(scores, count) or np.isnan(scores).any():
            raise self._faulty(scores, count)

    def _faulty(self, scores: Any, count: int) -> PolicyError:
        """The error for scores that are of another form, or hold NaN."""
        method, scored = self._scoring
        if not isinstance(scores, np.ndarray):
            found = f"a {type(scores).__name__}"
        elif not _are_numbers(scores, count):
            found = f"an array of shape {scores.shape} and type {scores.dtype}"
        else:
            place = int(np.isnan(scores).argmax())
            found = f"nan for {scored} {self._number_at(place)}"
        rule = f"an array of {count} numbers, one for each {scored}"
        return PolicyError(f"{type(self).__name__}.{method} must return {rule}; got {found}")

    def _lacking(self, method: str, does: str) -> PolicyError:
        """The error for a method that a policy must have and does not."""
        takes = ", ".join(inspect.signature(getattr(self, method)).parameters)
        return PolicyError(f"{type(self).__name__} needs a method {method}({takes}), which {does}")

    def _number_at(self, place: int) -> int:
        """The public number of what stands at this place among the scores."""
        return place

    def _pick(self, scores: Floats, allowed: Flags) -> int:
        """A uniform choice with the probability that `_explored` gives, else the largest score."""
        try:
            best, ties = selection.largest(scores, allowed)
        except TypingError:
            ties = 0
        if not ties or scores.ndim > 1:
            raise self._faulty(scores, len(allowed))
        explored = self._explored(scores, allowed)
        if explored and self._generator.random() < explored:
            return int(self._generator.choice(np.flatnonzero(allowed)))
        if ties > 1 and self.ties == "random":
            tied = np.flatnonzero(allowed & (scores == scores[best]))
            best = int(tied[self._generator.integers(ties)])
        return best

    def _mixture(self, greedy: Floats, scores: Floats, allowed: Flags) -> Floats:
        """The probabilities of the choice, where `greedy` are those of having the largest score."""
        explored = self._explored(scores, allowed)
        if not explored:
            return greedy
        mixed: Floats = (1.0 - explored) * greedy + explored * allowed / allowed.sum()
        return mixed

    def _of_largest(self, scores: Floats, allowed: Flags) -> Floats:
        return probability.of_largest_score(scores, allowed, self.ties)


def load(path: str | os.PathLike[str]) -> Any:
    """Load a policy that `Policy.save` wrote; it continues exactly where it was saved.

    The result has the class of the saved policy.

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
    place = checks.path(path)
    with files.reading(place) as file:
        with _loading(place):
            policy = _built(file)
        arrays = file.arrays(policy.state())
        with _loading(place):
            policy._restore(arrays)
    return policy


def _are_numbers(scores: Any, count: int) -> bool:
    """Whether it is an array of so many numbers."""
    of_form = isinstance(scores, np.ndarray) and scores.shape == (count,)
    return of_form and scores.dtype.kind in "fiub"


def _check_arrays(policy: type[Policy]) -> None:
    """Refuse a list of arrays that leaves out those of a base class."""
    for base in policy.__bases__:
        missing = [name for name in getattr(base, "_arrays", ()) if name not in policy._arrays]
        if missing:
            remedy = f"write _arrays = (*{base.__name__}._arrays, ...)"
            raise PolicyError(f"{policy.__name__}._arrays lacks {missing} of its base: {remedy}")


def _kind_of(policy: type[Policy]) -> type[Policy]:
    """The base of its kind: of arms or of items."""
    bases = (base for base in policy.__mro__ if issubclass(base, Policy))
    return next(base for base in bases if Policy in base.__bases__)


def _check_methods(policy: type[Policy]) -> None:
    """Refuse a method for scores or for learning that does not take what it is given."""
    kind = _kind_of(policy)
    for name in (kind._scoring[0], "_learn"):
        own, wanted = vars(policy).get(name), inspect.signature(getattr(kind, name)).parameters
        if not inspect.isfunction(own):
            continue
        taken, by_name = inspect.signature(own), {"exact"} & set(wanted)
        try:
            taken.bind(*[None] * (len(wanted) - len(by_name)), **dict.fromkeys(by_name))
        except TypeError as error:
            rule, found = f"({', '.join(wanted)})", f"({', '.join(taken.parameters)})"
            raise PolicyError(
                f"{policy.__name__}.{name} must take {rule}; it takes {found}"
            ) from error


def _add_parts_of_kind(policy: type[Policy]) -> None:
    """Begin its parts with those that policies of its kind, arms or items, have."""
    kind = _kind_of(policy)
    policy._children = tuple(dict.fromkeys((*kind._children, *policy._children)))


@contextmanager
def _loading(path: os.PathLike[str]) -> Iterator[None]:
    try:
        yield
    except UNUSABLE as error:
        raise ModelFileError(f"{path} cannot be loaded: {error}") from error


def _built(file: files.ModelFile) -> Policy:
    """The policy of a file's manifest."""
    name, made_as = file.manifest["policy"], str(file.manifest["class"])
    kind = registry.defined_policy(name)
    if kind is None:
        # A file must not import modules by itself.
        module, _, own = made_as.partition(":")
        remedy = f"its policy is {own} of the module {module!r}: import that first"
        raise UnknownName(remedy if own else f"no policy is called {name!r}")
    policy: Policy = kind._built(file.manifest["settings"], file)
    policy._generator.bit_generator.state = file.manifest["generator"]
    return policy
