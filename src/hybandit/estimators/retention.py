"""Which observations a memory keeps."""

from __future__ import annotations

from collections import deque

import numpy as np

from hybandit.errors import InvalidInput, ModelFileError
from hybandit.estimators.limits import Limit
from hybandit.state import COUNTS, Array, Integers, fitting


class Retention:
    """Decides which observation an arm removes for a new one, and which are too old.

    Parameters
    ----------
    limit
        How many observations of each arm to keep. None for all.
    horizon
        An observation is removed after its arm has aged this many times. None for never.
    generator
        The source of a reservoir's draws, one for each observation of a full arm.
    """

    def __init__(
        self, limit: Limit | None, horizon: int | None, generator: np.random.Generator
    ) -> None:
        if limit and limit.kind == "reservoir" and horizon is not None:
            raise InvalidInput("memory", "window(M) or None where the past fades", limit.text)
        self.limit = limit
        self.horizon = horizon
        # The most that an arm can have. None where nothing is ever removed.
        bounds = [bound for bound in (limit and limit.entries, horizon) if bound]
        self.most = min(bounds, default=None)
        self._generator = generator
        # For each arm: its slots, oldest first; how many observations came; how often it aged.
        self._held: list[deque[int]] = []
        self._seen: list[int] = []
        self._ages: list[int] = []
        # For each slot: how often its arm had aged when the observation came.
        self._stamps: dict[int, int] = {}

    def makes_room(self, arm: int) -> tuple[bool, int | None]:
        """Whether the arm takes one more, and the slot, if any, that is cleared for it."""
        if self.most is None:
            return True, None
        self._know(arm)
        self._seen[arm] += 1
        held, limit = self._held[arm], self.limit
        if limit is None or len(held) < limit.entries:
            return True, None
        place = 0
        if limit.kind == "reservoir":
            place = int(self._generator.integers(self._seen[arm]))
            if place >= limit.entries:
                return False, None
        slot = held[place]
        del held[place]
        return True, slot

    def keep(self, arm: int, slot: int) -> None:
        """Note that the newest observation of the arm is in this slot."""
        if self.most is None:
            return
        self._held[arm].append(slot)
        if self.horizon is not None:
            self._stamps[slot] = self._ages[arm]

    def age(self, arm: int) -> int | None:
        """Make an arm one step older; returns the slot of the observation to remove, if any."""
        if self.horizon is None:
            return None
        self._know(arm)
        self._ages[arm] += 1
        held = self._held[arm]
        if held and self._ages[arm] - self._stamps[held[0]] >= self.horizon:
            return held.popleft()
        return None

    def state(self, slots: Integers) -> dict[str, Array]:
        """The state that does not follow from the observations, whose `slots` are oldest first."""
        stamps = [self._stamps[slot] for slot in slots.tolist()] if self.horizon else []
        return {
            "seen": np.array(self._seen, np.int64),
            "ages": np.array(self._ages, np.int64),
            "stamps": np.array(stamps, np.int64),
        }

    def restore(self, arrays: dict[str, Array], owners: Integers) -> None:
        """Load what `state` returned; the observations' slots are 0, 1, and so on."""
        size = len(owners) if self.horizon else 0
        self._seen = fitting("seen", arrays, np.int64, (None,), COUNTS).tolist()
        self._ages = fitting("ages", arrays, np.int64, (len(self._seen),), COUNTS).tolist()
        self._stamps = dict(
            enumerate(fitting("stamps", arrays, np.int64, (size,), COUNTS).tolist())
        )
        self._held = [deque() for _ in self._seen]
        for slot, arm in enumerate(owners.tolist() if self.most is not None else ()):
            held = self._held[arm] if 0 <= arm < len(self._held) else None
            if held is None or len(held) == min(self._seen[arm], self.most or 0):
                raise ModelFileError(f"there are too many entries of arm {arm}")
            held.append(slot)

    def check_arms(self, n_arms: int) -> None:
        if len(self._seen) > n_arms:
            raise ModelFileError(f"there are entries of arms beyond the {n_arms}")

    def _know(self, arm: int) -> None:
        """Start the records of an arm, and of those before it."""
        while arm >= len(self._held):
            self._held.append(deque())
            self._seen.append(0)
            self._ages.append(0)
