"""The setting by which a policy adapts to rewards that change."""

from __future__ import annotations

from hybandit.estimators import ArmStatistics
from hybandit.policies.base.contextual import ContextualPolicy
from hybandit.validation.settings import Rule, either, inside, nothing, setting


def fading() -> Rule:
    """The rule for `forget`. Smaller values than 0.001 would overflow."""
    return either(inside(1e-3, 1), nothing())


class ForgetSettings(ContextualPolicy):
    """Declares `forget`: at every observation the past of two arms is weighted by this factor.

    They are the arm played and one other in turn (`hybandit.estimators.Fading`). Off by
    default; 0.998 follows an abrupt change and costs little where nothing changes.
    """

    forget: float | None = setting(
        default=None,
        rule=fading(),
        doc="what the past counts; 0.998 if rewards change",
    )

    def _new_statistics(self) -> ArmStatistics:
        return ArmStatistics(self._n_live, forget=self.forget)
