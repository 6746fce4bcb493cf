"""The model at any position of the journal, computed from a snapshot or from the start."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np

from hybandit.errors import ModelFileError, StoreError
from hybandit.loop.model import LoopModel
from hybandit.loop.snapshots import packed, unpacked
from hybandit.loop.storage import IMPORT, LEARN, Entry, Storage
from hybandit.state import Array

CHUNK = 200


class Versions:
    """Computes the model of any version, which is a function of the journal alone.

    Where the journal rolls back, the model of the target is the starting point: `stretches`
    are the parts of the journal to learn, in order.
    """

    def __init__(self, storage: Storage, fresh: Callable[[], LoopModel]) -> None:
        self._storage = storage
        self._fresh = fresh

    def at(self, position: int, *, use_snapshots: bool = True) -> LoopModel:
        """The model after this position, learned from the nearest snapshot on its way."""
        model, stretches = self._start(position, use_snapshots)
        for after, last in stretches:
            self._learn(model, after, last)
        return model

    def nearest(self, position: int) -> tuple[LoopModel, int]:
        """The newest model from which the journal leads straight on to `position`."""
        after, last, _ = self._way(position)[0]
        for place in reversed(self._storage.snapshots()):
            if max(after, 1) <= place <= last:
                model = self._loaded(place)
                if model is not None:
                    return model, place
        return self.at(after), after

    def last_to_forget(self, moment: float) -> int:
        """The last position before a moment that no later rollback goes behind."""
        position = self._storage.last_before(moment)
        for jump in reversed(self._storage.jumps()):
            if jump.position > position and jump.target is not None:
                position = min(position, jump.target)
        return position

    def content(self, position: int) -> bytes:
        """The model after this position, as a snapshot's bytes."""
        return packed(self.at(position).state(), position)

    def verified(self) -> Iterator[tuple[int, float | None]]:
        """Every snapshot with its difference from a recomputed model; None if it is damaged."""
        model, here = self._fresh(), -1
        for position in self._storage.snapshots():
            after = self._way(position)[0][0]
            if here < after:
                model = self.at(position, use_snapshots=False)
            else:
                self._learn(model, here, position)
            here = position
            kept = self._loaded(position)
            yield position, None if kept is None else distance(model.state(), kept.state())

    def in_force(self, position: int, head: int) -> bool:
        """Whether what was learned at `position` is part of the model at `head`."""
        return any(after < position <= last for after, last, _ in self._way(head))

    def _way(self, position: int) -> list[tuple[int, int, Entry | None]]:
        """Stretches (after, last] from the newest back, each with the jump it starts from."""
        base = self._storage.base()
        jumps = [jump for jump in self._storage.jumps() if jump.position > base]
        way = []
        while True:
            jumps = [jump for jump in jumps if jump.position <= position]
            jump = jumps[-1] if jumps else None
            way.append((jump.position if jump else base, position, jump))
            if jump is None or jump.kind == IMPORT or jump.target is None:
                return way
            position = jump.target

    def _start(self, position: int, use_snapshots: bool) -> tuple[LoopModel, list[tuple[int, int]]]:
        """A model, and the stretches that it still has to learn, in order."""
        kept = self._storage.snapshots()
        stretches: list[tuple[int, int]] = []
        for after, last, jump in self._way(position):
            kept_for_good = after > 0 and (jump is None or jump.kind == IMPORT)
            usable = [place for place in kept if after <= place <= last and place > 0]
            if not use_snapshots:
                usable = [after] if kept_for_good else []
            for place in reversed(usable):
                model = self._loaded(place)
                if model is not None:
                    return model, [(place, last), *stretches]
            if kept_for_good:
                raise StoreError(f"the model of version {after}, where it starts, is damaged")
            stretches.insert(0, (after, last))
        return self._fresh(), stretches

    def _loaded(self, position: int) -> LoopModel | None:
        content = self._storage.read_snapshot(position)
        if content is None:
            return None
        model = self._fresh()
        try:
            model.restore(unpacked(content, f"the snapshot at {position}")[0])
        except ModelFileError:
            return None
        return model

    def _learn(self, model: LoopModel, after: int, last: int) -> None:
        while after < last:
            for entry in self._storage.entries(after, min(CHUNK, last - after)):
                if entry.kind == LEARN:
                    model.learn(entry)
                after = entry.position


def distance(first: dict[str, Array], second: dict[str, Array]) -> float:
    """The largest difference of two states, relative to what is in the array; 0 if equal."""
    worst = 0.0
    for name, array in first.items():
        other = second[name]
        if array.shape != other.shape:
            return np.inf
        if not np.array_equal(array, other):
            apart = np.abs(array.astype(np.float64) - other.astype(np.float64)).max()
            worst = max(worst, float(apart / np.abs(array).max(initial=1.0)))
    return worst
