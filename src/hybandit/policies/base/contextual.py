"""Policies of fixed arms that look at contexts."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from hybandit.errors import InvalidInput, Unquoted
from hybandit.kernels import selection
from hybandit.policies.base.arms import ArmPolicy
from hybandit.policies.base.scale_warning import WATCHED, ScaleWatch
from hybandit.state import LARGEST_INPUT, Array, Floats, Integers
from hybandit.validation import checks
from hybandit.validation.settings import ABSENT, setting, size

FLOAT64 = np.dtype(np.float64)


class ContextualPolicy(ArmPolicy):
    """A policy of arms that looks at contexts of `n_features` numbers.

    A policy that does not scale columns itself (the setting `scale`) warns once, by
    `hybandit.ScaleWarning`, if the columns of the first hundred contexts differ much in size.
    """

    n_features: int = setting(
        default=ABSENT, kw_only=False, rule=size(1), doc="length of a context"
    )

    def _least_numbers(self) -> int:
        return self.n_arms + self.n_features

    def _prepare(self) -> None:
        super()._prepare()
        auto = self.scale == "auto"
        self._watch = None if auto else ScaleWatch(self.name, self.n_features)

    @property
    def scale(self) -> str:
        """Contexts as they come; policies that may scale them declare this as a setting."""
        return "off"

    def _look_at(self, contexts: Floats) -> None:
        if self._watch is None:
            return
        watch = self._watch
        if watch.count == WATCHED - 1:
            self._watch = None
        # The warning points to the caller of `learn`.
        watch.see(contexts, stacklevel=5)

    def _follow(self, live: Integers) -> None:
        super()._follow(live)
        self._context_shapes = (self.n_features,), (self.n_arms, self.n_features)

    def _checked_contexts(self, context: npt.ArrayLike | None) -> Floats:
        # Kernels are compiled for writable arrays, although they do not write to these.
        if type(context) is np.ndarray and context.dtype is FLOAT64 and context.flags.carray:
            array: Array = context
        else:
            array = checks.as_floats(checks.numbers_in("context", context))
        if array.shape == (1, self.n_features):
            array = array[0]
        if array.shape not in self._context_shapes:
            rule = f"of shape ({self.n_features},) or ({self.n_arms}, {self.n_features})"
            raise InvalidInput("context", rule, Unquoted(f"shape {array.shape}"))
        if array.ndim == 1:
            contexts = array[None]
        else:
            contexts = array if self._complete else array[self._live_arms]
        if not selection.all_within(contexts, LARGEST_INPUT):
            checks.refuse_entry("context", array)
        return contexts

    def _checked_rows(self, contexts: Any, count: int | None = None) -> Floats:
        array = checks.numbers_in("contexts", contexts)
        if array.shape[1:] not in self._context_shapes:
            rule = f"of shape (n, {self.n_features}) or (n, {self.n_arms}, {self.n_features})"
            raise InvalidInput("contexts", rule, Unquoted(f"shape {array.shape}"))
        if array.ndim == 3 and not self._complete:
            array = array[:, self._live_arms]
        rows = checks.within("contexts", array)
        return rows[:, None] if rows.ndim == 2 else rows
