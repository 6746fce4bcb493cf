"""Actions without features: each name is an arm."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence
from typing import ClassVar

import numpy as np

from hybandit.errors import ModelFileError
from hybandit.estimators import Stack
from hybandit.estimators.context_scale import ContextScale
from hybandit.estimators.index import TreeIndex, tree_from
from hybandit.estimators.limits import Limit
from hybandit.exploration import ArmErrors
from hybandit.state import COUNTS, Array, Floats, Stateful, fitting, packed_list, unpacked_list

# How many names can have arms at the same time.
MOST = 64
# A name loses its arm to another after this many rewards of other names.
IDLE = 10_000
# An arm that is never learned; it stands for names without an arm.
NOBODY = 0


class PlainActions(Stateful):
    """Scores names on a context, with the parts of `StackedHybrid`.

    A name gets an arm when it is first learned, if one is free (`takes`); until then it is
    valued as an arm that nothing is known of. Which names have arms is a function of what was
    learned, in its order. `limit` is how many contexts of each name are there to be neighbours;
    `forget` as for `Stack`.

    Examples
    --------
    >>> actions = PlainActions(n_context=1, limit=Limit("window", 500))
    >>> for _ in range(20):
    ...     actions.learn(np.ones(1), "good", 1.0)
    ...     actions.learn(np.ones(1), "bad", 0.0)
    >>> good, bad, new = actions.scores(np.ones(1), ["good", "bad", "new"])
    >>> bool(good > bad), actions.names()
    (True, ['good', 'bad'])
    """

    _children: ClassVar[tuple[str, ...]] = ("stack", "rate", "scale")

    def __init__(self, n_context: int, *, limit: Limit, forget: float | None = None) -> None:
        self.n_context = n_context
        self.limit = limit
        self.forget = forget
        self.learned = 0
        # The arm of each name and the time when it was last learned, the oldest first.
        self._arms: OrderedDict[str, tuple[int, int]] = OrderedDict()
        self._make(1)

    def names(self) -> list[str]:
        """The names that have arms, the one learned longest ago first."""
        return list(self._arms)

    def takes(self, name: str) -> bool:
        """Whether a name has an arm, or would get one if it were learned now."""
        return name in self._arms or len(self._arms) < MOST or self._is_idle()

    def scores(self, context: Floats, names: Sequence[str]) -> Floats:
        """The score of each, as `StackedHybrid` ranks its arms."""
        stack = self.stack
        arms = [self._arms.get(name, (NOBODY, 0))[0] for name in names]
        rates = self.rate.rates(stack.statistics.counts, stack.rewards.unit)
        allowed = np.zeros(len(rates), bool)
        allowed[arms] = True
        scores: Floats = stack.upper(self.scale.scaled(context[None]), rates, allowed)[arms]
        return scores

    def learn(self, context: Floats, name: str, reward: float) -> None:
        """One reward of a name that `takes` says yes to."""
        self.learned += 1
        arm = self._arms[name][0] if name in self._arms else self._open()
        self._arms[name] = arm, self.learned
        self._arms.move_to_end(name)
        _, error = self.stack.learn(self.scale.scaled(context[None]), arm, reward)
        self.rate.learn(arm, error)
        moved = self.scale.observe(context)
        if moved is not None:
            self.stack.move(moved)

    def prepare(self) -> None:
        """Compile what a larger memory will need; this is slow, so call it without the lock."""
        if 2 * self.stack.memory.observations.held >= tree_from(self.n_context):
            TreeIndex.compiled()

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
        if not len(set(arms)) == count <= MOST:
            raise ModelFileError(f"the model file has an arm twice, or more than {MOST} names")
        self._make(count + 1)
        super().restore(arrays)
        self.learned = int(fitting("learned", arrays, np.int64, (1,), COUNTS)[0])
        self._arms = OrderedDict(zip(names, zip(arms, last, strict=True), strict=True))

    def _make(self, n_arms: int) -> None:
        generator = np.random.default_rng(0)
        self.stack = Stack(
            n_arms,
            self.n_context,
            generator,
            centred=True,
            limit=self.limit,
            forget=self.forget,
        )
        self.rate = ArmErrors(n_arms, forget=self.forget)
        self.scale = ContextScale(self.n_context)

    def _is_idle(self) -> bool:
        """Whether the name that was learned longest ago may lose its arm."""
        _, last = next(iter(self._arms.values()))
        return self.learned - last > IDLE

    def _open(self) -> int:
        """An arm for a new name."""
        if len(self._arms) == MOST:
            _, (gone, _) = self._arms.popitem(last=False)
            self.stack.drop_arm(gone)
            self.rate.drop_arm(gone)
            for name, (arm, moment) in self._arms.items():
                self._arms[name] = arm - (arm > gone), moment
        self.stack.add_arm()
        self.rate.add_arm()
        return len(self._arms) + 1
