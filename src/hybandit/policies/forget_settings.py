"""The setting by which a policy follows a world that changes."""

from __future__ import annotations

from hybandit.estimators import ArmStatistics
from hybandit.policies.contextual import ContextualPolicy
from hybandit.policies.settings import either, inside, nothing, setting


class ForgetSettings(ContextualPolicy):
    """Declares `forget`: at every observation the past of two arms counts that much less.

    They are the arm played and one other in turn (`hybandit.estimators.Fading`). Off by
    default; 0.998 follows an abrupt change and costs little where nothing changes.
    """

    forget: float | None = setting(
        default=None,
        rule=either(inside(0, 1), nothing()),
        doc="what the past counts; 0.998 if rewards change",
    )

    def _new_statistics(self) -> ArmStatistics:
        return ArmStatistics(self._n_live, forget=self.forget)
