"""The model at any position of the journal, computed from a snapshot or from the start."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from hybandit.errors import LearningError, ModelFileError, StoreError
from hybandit.loop.learning.model import LoopModel, teach
from hybandit.loop.learning.snapshots import packed, unpacked
from hybandit.loop.process.forks import GATE
from hybandit.loop.storage.contract import LEARN, RESET, ROLLBACK, SWITCH, Entry, Storage
from hybandit.state import Array

CHUNK = 200
# Parts of the journal, each after a position and up to another.
Stretches = list[tuple[int, int]]


class LostModel(LearningError):
    """A version whose model neither is stored nor can be learned again."""


class Versions:
    """Computes the model of any version, which is a function of the journal alone.

    Where the journal rolls back, the model of the target is the starting point. Where it
    switches to another policy, that policy's model of the whole journal is, which is kept with
    the entry. `settings` are those of the loop.
    """

    def __init__(self, storage: Storage, settings: dict[str, Any]) -> None:
        self._storage = storage
        self._settings = settings

    def at(self, position: int, *, use_snapshots: bool = True) -> LoopModel:
        """The model after this position, learned from the nearest snapshot on its way."""
        model, stretches = self._start(position, use_snapshots)
        self._learn(model, stretches)
        return model

    def learning(self, position: int) -> Iterator[LoopModel]:
        """The same, one entry at a time: the model on its way, at the end the one wanted."""
        model, stretches = self._start(position, use_snapshots=True)
        yield model
        for entry in self._entries(stretches):
            if entry.kind == LEARN:
                teach(model, entry)
                yield model

    def nearest(self, position: int) -> tuple[LoopModel, int]:
        """The newest model from which the journal leads straight on to `position`."""
        after, last, _ = self._way(position)[0]
        for place in reversed(self._storage.snapshots()):
            if max(after, 1) <= place <= last:
                model = self._kept(place)
                if model is not None:
                    return model, place
        return self.at(after), after

    def unlearned(self, position: int) -> LoopModel:
        """A model of the policy at this position that has learned nothing."""
        return self._fresh(self.policy_at(position))

    def policy_at(self, position: int) -> str:
        """The policy of the model after this position."""
        after, _, jump = self._way(position)[-1]
        if jump is not None and jump.policy is not None:
            return jump.policy
        made_with: str = self._settings["policy"]
        content = self._storage.read_snapshot(after) if after else None
        try:
            return made_with if content is None else unpacked(content, f"the model at {after}")[1]
        except ModelFileError:
            return made_with  # A reset needs a policy when that model is damaged, too.

    def read(self, content: bytes, source: str, policy: str | None = None) -> LoopModel:
        """The model in a snapshot's bytes, which must be of `policy` if that is given."""
        arrays, learned_by = unpacked(content, source)
        if policy not in (None, learned_by):
            told = f"{source} is a model of the policy {learned_by}; this loop has {policy}"
            raise ModelFileError(f"{told}: switch first")
        model = self._fresh(learned_by)
        model.restore(arrays)
        if strange := arrays.keys() - model.state().keys():
            raise ModelFileError(f"{source} has an array {min(strange)!r} too many")
        return model

    def switched(self, policy: str, position: int) -> bytes:
        """What another policy learns of the whole journal up to a position, as a snapshot's bytes.

        Raises an error if there is anything that this policy cannot learn.
        """
        model = self._fresh(policy)
        self._learn(model, self._whole(position), model.check)
        return packed(model.state(), position, policy)

    def last_to_forget(self, moment: float) -> int:
        """The last position before a moment that no later switch goes behind."""
        position = self._storage.last_before(moment)
        for jump in reversed(self._storage.jumps()):
            if jump.kind == SWITCH and jump.target is not None and jump.position > position:
                position = min(position, jump.target)
        return position

    def content(self, position: int) -> bytes:
        """The model after this position, as a snapshot's bytes."""
        model = self.at(position)
        return packed(model.state(), position, model.policy)

    def verified(self) -> Iterator[tuple[int, float | None]]:
        """Every snapshot with its difference from a recomputed model; None if it is damaged."""
        model, here = self._fresh(), -1
        for position in self._storage.snapshots():
            after = self._way(position)[0][0]
            try:
                if here < after:
                    model = self.at(position, use_snapshots=False)
                else:
                    self._learn(model, [(here, position)])
            except LostModel:
                yield position, None
                continue
            here = position
            kept = self._kept(position)
            if kept is None and position not in self._storage.snapshots():
                continue  # Whoever learns has deleted it meanwhile.
            yield position, None if kept is None else distance(model.state(), kept.state())

    def in_force(self, position: int, head: int) -> bool:
        """Whether what was learned at `position` is part of the model at `head`."""
        way = self._way(head)
        stretches = [(after, last) for after, last, _ in way]
        jump = way[-1][2]
        if jump is not None and jump.kind == SWITCH:
            stretches += self._whole(jump.position)
        return any(after < position <= last for after, last in stretches)

    def _fresh(self, policy: str | None = None) -> LoopModel:
        return LoopModel(self._settings, policy)

    def _way(self, position: int) -> list[tuple[int, int, Entry | None]]:
        """Stretches (after, last] from the newest back, each with the jump it starts from."""
        base = self._storage.base()
        jumps = [jump for jump in self._storage.jumps() if jump.position > base]
        way = []
        while True:
            jumps = [jump for jump in jumps if jump.position <= position]
            jump = jumps[-1] if jumps else None
            way.append((jump.position if jump else base, position, jump))
            if jump is None or not _goes_back(jump, base) or jump.target is None:
                return way
            position = jump.target

    def _whole(self, position: int) -> Stretches:
        """The journal up to a position, in order, without what was rolled back, since a reset."""
        base = self._storage.base()
        stretches: Stretches = []
        for jump in reversed(self._storage.jumps()):
            if jump.position <= position and jump.kind in (ROLLBACK, RESET):
                stretches.insert(0, (jump.position, position))
                if not _goes_back(jump, base) or jump.target is None:
                    return stretches
                position = jump.target
        return [(base, position), *stretches]

    def _start(self, position: int, use_snapshots: bool) -> tuple[LoopModel, Stretches]:
        """A model, and the stretches that it still has to learn, in order."""
        kept, base = self._storage.snapshots(), self._storage.base()
        stretches: Stretches = []
        for after, last, jump in self._way(position):
            is_switch = jump is not None and jump.kind == SWITCH
            can_refold = is_switch and not base
            pinned = after > 0 and not (jump is not None and _goes_back(jump, base))
            usable = [place for place in kept if after <= place <= last and place > 0]
            if not use_snapshots:
                usable = [after] if pinned and not can_refold else []
            for place in reversed(usable):
                model = self._kept(place)
                if model is not None:
                    return model, [(place, last), *stretches]
            if can_refold and jump is not None:
                return self._fresh(jump.policy), [*self._whole(after), (after, last), *stretches]
            if pinned:
                told = "of an older hybandit"
                if ":" in (policy := self.policy_at(position)):
                    told += f", or of {policy} before it was edited, which can `switch` to it again"
                raise LostModel(
                    f"the model of version {after}, where it starts, is damaged, or {told}: "
                    "restore a backup, or `reset` the loop, which then learns anew"
                )
            stretches.insert(0, (after, last))
        return self._fresh(), stretches

    def _kept(self, position: int) -> LoopModel | None:
        """The model that is stored at a position; None if it is not there, or damaged."""
        content = self._storage.read_snapshot(position)
        if content is None:
            return None
        try:
            model = self.read(content, f"the snapshot at {position}")
        except ModelFileError:
            return None
        for jump in self._storage.jumps():
            # What was closed while the policy of a switch was learning.
            if jump.position == position and jump.kind == SWITCH and jump.target is not None:
                self._learn(model, [(jump.target, position)])
        return model

    def _learn(
        self,
        model: LoopModel,
        stretches: Stretches,
        check: Callable[[Entry], None] = lambda entry: None,
    ) -> None:
        for entry in self._entries(stretches):
            if entry.kind == LEARN:
                with GATE:
                    check(entry)
                    teach(model, entry)

    def _entries(self, stretches: Stretches) -> Iterator[Entry]:
        for after, last in stretches:
            here = after
            while here < last:
                entries = self._storage.entries(here, min(CHUNK, last - here))
                for entry in entries:
                    if entry.position != here + 1:
                        break
                    yield entry
                    here = entry.position
                if not entries or here < entries[-1].position:
                    raise StoreError(f"the journal after version {here} has been deleted")


def _goes_back(jump: Entry, base: int) -> bool:
    """Whether the model after a jump is that of its target, which has not been forgotten."""
    return jump.kind == ROLLBACK and jump.target is not None and jump.target >= base


def distance(first: dict[str, Array], second: dict[str, Array]) -> float:
    """The largest difference of two states, relative to what is in the array; 0 if equal."""
    worst = 0.0
    for name, array in first.items():
        other = second.get(name)
        if other is None or array.shape != other.shape:
            return np.inf
        if not np.array_equal(array, other):
            apart = np.abs(array.astype(np.float64) - other.astype(np.float64)).max()
            worst = max(worst, float(apart / np.abs(array).max(initial=1.0)))
    return worst
