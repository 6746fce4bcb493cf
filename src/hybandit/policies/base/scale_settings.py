"""The setting that brings contexts to about unit length."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable

from hybandit.estimators.context_scale import ContextScale
from hybandit.policies.base.contextual import ContextualPolicy
from hybandit.state import Floats, row_of
from hybandit.validation.settings import one_of, setting


class ScaleSettings(ContextualPolicy):
    """Declares `scale`: contexts as they come, or standardised unless about unit length.

    With ``"auto"`` a `ContextScale` observes the contexts of the played arms. When it changes,
    after 2, 4, 8, ... 1,024 of them, the model is rebuilt from its memory as if all contexts
    had had the new scale; where the memory is bounded, from what it retains.
    """

    scale: str = setting(
        default="off",
        rule=one_of("auto", "off"),
        doc="contexts standardised unless about unit length, or as they come",
    )

    def _scales_contexts(self) -> bool:
        return self.scale == "auto"

    def _new_scale(self) -> ContextScale | None:
        return ContextScale(self.n_features) if self.scale == "auto" else None

    def _start(self) -> None:
        super()._start()
        self._scale = self._new_scale()

    def _scaled(self, contexts: Floats) -> Floats:
        """Contexts as the model sees them."""
        return contexts if self._scale is None else self._scale.scaled(contexts)

    def _observe(self, contexts: Floats, arm: int) -> None:
        """Pass an unscaled context, which the model has learned, to the scale."""
        moved = None if self._scale is None else self._scale.observe(row_of(contexts, arm))
        if moved is not None:
            self._move(moved)

    @abstractmethod
    def _move(self, moved: Callable[[Floats], Floats]) -> None:
        """Rebuild the model; `moved` maps its contexts to the new scale."""
