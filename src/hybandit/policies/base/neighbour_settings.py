"""The settings of the adaptive neighbours, shared by every policy that has them."""

from __future__ import annotations

from hybandit.errors import InvalidInput
from hybandit.estimators import AdaptiveKNN
from hybandit.policies.base.memory_settings import MemorySettings
from hybandit.validation.settings import one_of, setting, whole


class NeighbourSettings(MemorySettings):
    """Declares k_min, k_max, weights and rounding, and builds the part they describe."""

    k_min: int = setting(default=1, rule=whole(1), doc="neighbours when rewards do not vary")
    k_max: int = setting(default=5, rule=whole(1), doc="neighbours when their variance is 1")
    weights: str = setting(
        default="uniform", rule=one_of("uniform", "distance"), doc="how neighbours weigh"
    )
    rounding: str = setting(
        default="floor", rule=one_of("floor", "nearest", "ceil"), doc="how k is rounded"
    )

    def _check_together(self) -> None:
        super()._check_together()
        if self.k_min > self.k_max:
            raise InvalidInput("k_min", f"at most k_max, which is {self.k_max}", self.k_min)

    def _neighbours(self, forget: float | None = None) -> AdaptiveKNN:
        return AdaptiveKNN(
            self._n_live,
            self.n_features,
            k_min=self.k_min,
            k_max=self.k_max,
            weights=self.weights,
            rounding=self.rounding,
            limit=self._memory_limit(),
            generator=self._generator,
            forget=forget,
        )
