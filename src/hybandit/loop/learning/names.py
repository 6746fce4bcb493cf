"""Actions without features: each name is an arm of a policy."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Sequence

import numpy as np

from hybandit.errors import ModelFileError
from hybandit.loop.newcomers import EVERYONE, NEWCOMERS, bounded
from hybandit.loop.policy import HeldPolicy
from hybandit.policies import ArmPolicy
from hybandit.state import COUNTS, Array, Flags, Floats, fitting, packed_list, unpacked_list

# How many names can have arms at the same time.
MOST = 64
# A name loses its arm to another after this many rewards of other names.
IDLE = 10_000
# An arm that is never learned; it stands for names without an arm.
NOBODY = 0


class NamedArms(HeldPolicy):
    """The table of names, and the policy whose arms they are.

    A name gets an arm when it is first learned, if one is free (`takes`); until then it is
    valued as an arm that nothing is known of. Which names have arms is a function of what was
    learned, in its order.

    Parameters
    ----------
    make
        Makes the policy, with so many arms.
    most, idle
        How many names can have arms, and after how many rewards of others a name may lose its.

    Examples
    --------
    >>> from hybandit import LinUCB
    >>> names = NamedArms(lambda n_arms: LinUCB(n_arms, 1, seed=0))
    >>> for _ in range(20):
    ...     names.learn(np.ones(1), "good", 1.0)
    ...     names.learn(np.ones(1), "bad", 0.0)
    >>> names.probabilities(np.ones(1), ["bad", "good"]), names.known()
    (array([0., 1.]), ['good', 'bad'])
    """

    policy: ArmPolicy

    def __init__(
        self, make: Callable[[int], ArmPolicy], *, most: int = MOST, idle: int = IDLE
    ) -> None:
        self._make = make
        self._most, self._idle = most, idle
        self.policy = make(1)
        self.learned = 0
        # The arm of each name and the time when it was last learned, the oldest first.
        self._arms: OrderedDict[str, tuple[int, int]] = OrderedDict()

    def known(self) -> list[str]:
        """The names that have arms, the one learned longest ago first."""
        return list(self._arms)

    def takes(self, name: str) -> bool:
        """Whether a name has an arm, or would get one if it were learned now."""
        return name in self._arms or len(self._arms) < self._most or self._one_is_idle()

    def probabilities(
        self,
        context: Floats,
        names: Sequence[str],
        newcomers: float = NEWCOMERS,
        judged: Flags = EVERYONE,
    ) -> Floats:
        """How likely each name is chosen; a newcomer gets at most `newcomers` (`bounded`).

        These are the names without an arm, and those that are not `judged`. Names without an arm
        are equally likely, each as if it alone had the arm never learned.
        """
        arms = np.array([self._arms[name][0] if name in self._arms else NOBODY for name in names])

        def among(offered: Flags) -> Floats:
            eligible = np.zeros(self.policy.n_arms, bool)
            eligible[arms[offered]] = True
            chances: Floats = self.policy.probabilities(context, eligible=eligible)[arms]
            if np.count_nonzero(arms[offered] == NOBODY) > 1:
                # Divided by the largest first, so that equal chances stay equal to the last digit.
                chances /= chances.max()
                chances /= chances.sum()
            return chances

        known = (arms != NOBODY) & judged
        chances = among(np.ones(len(names), bool))
        return bounded(chances, among, known, newcomers, remembered=len(self._arms))

    def values(self, context: Floats, names: Sequence[str]) -> Floats:
        """What the policy thinks of each name."""
        before = self.policy.generator_state
        try:
            scores = self.policy.score_many(context[None])[0]
        finally:
            self.policy.generator_state = before
        arms = [self._arms[name][0] if name in self._arms else NOBODY for name in names]
        values: Floats = scores[arms]
        return values

    def learn(self, context: Floats, name: str, reward: float) -> None:
        """Learn a reward, unless the name has no arm and cannot get one."""
        if not self.takes(name):
            return
        self.learned += 1
        arm = self._arms[name][0] if name in self._arms else self._new_arm()
        self._arms[name] = arm, self.learned
        self._arms.move_to_end(name)
        self.policy.learn(context, arm, self.taken(reward))

    def state(self) -> dict[str, Array]:
        """The arrays, with the names in the order in which they would lose their arms."""
        kept = list(self._arms.values())
        return {
            **super().state(),
            "names": packed_list(self._arms),
            "arms": np.array([arm for arm, _ in kept], np.int64),
            "last": np.array([moment for _, moment in kept], np.int64),
            "learned": np.array([self.learned]),
        }

    def restore(self, arrays: dict[str, Array]) -> None:
        names = unpacked_list("names", arrays, (str,))
        count = len(names)
        arms = fitting("arms", arrays, np.int64, (count,), (1, count)).tolist()
        last = fitting("last", arrays, np.int64, (count,), COUNTS).tolist()
        if not len(set(arms)) == count <= self._most:
            raise ModelFileError(f"the model file has an arm twice, or over {self._most} names")
        self.policy = self._make(count + 1)
        super().restore(arrays)
        self.learned = int(fitting("learned", arrays, np.int64, (1,), COUNTS)[0])
        self._arms = OrderedDict(zip(names, zip(arms, last, strict=True), strict=True))

    def _one_is_idle(self) -> bool:
        """Whether the name that was learned longest ago may lose its arm."""
        _, last = next(iter(self._arms.values()))
        return self.learned - last > self._idle

    def _new_arm(self) -> int:
        if len(self._arms) == self._most:
            _, (gone, _) = self._arms.popitem(last=False)
            self.policy.remove_arm(gone)
            for name, (arm, moment) in self._arms.items():
                self._arms[name] = arm - (arm > gone), moment
        return self.policy.add_arm()
