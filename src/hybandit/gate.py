"""Many readers at once, or one writer alone."""

from __future__ import annotations

from collections.abc import Iterator
from threading import get_ident
from time import sleep

# Seconds before one looks again: twice as many each time.
SHORTEST, LONGEST = 2e-5, 1e-3
# A reader turned away this often makes new writers wait for it.
PATIENCE = 8


class Gate:
    """Lets threads read together, and write one at a time with no reader inside.

    To come in is to put one's thread number on a list and then to look at the other list:
    CPython does one list operation at a time, so two threads cannot miss each other. Where
    nobody waits, which is nearly always, this costs a third of what a lock does. To leave
    is one call, which Ctrl-C cannot divide: ``gate.readers.remove(me)`` in a ``finally``.

    A writer that waits turns new readers away, and a reader turned away too often makes new
    writers wait, so nobody is left out. A thread that is inside may come in again.

    Examples
    --------
    >>> gate = Gate()
    >>> me = gate.read()
    >>> try:
    ...     gate.readers == [me], gate.writers == []
    ... finally:
    ...     gate.readers.remove(me)
    (True, True)
    """

    __slots__ = ("_insisting", "readers", "writers")

    def __init__(self) -> None:
        self.readers: list[int] = []
        self.writers: list[int] = []
        self._insisting: list[int] = []

    def __reduce__(self) -> tuple[type[Gate], tuple[()]]:
        """Whoever is inside this gate is not inside its copy."""
        return Gate, ()

    def read(self) -> int:
        """Come in beside other readers; returns the number to leave with."""
        me = get_ident()
        try:
            self.readers.append(me)
            if self.writers:
                self._read_later(me)
        except BaseException:
            self.readers.remove(me)
            raise
        return me

    def write(self) -> int:
        """Come in alone; returns the number to leave with."""
        me = get_ident()
        if self._insisting:
            self._stand_back(me)
        try:
            # A number that leaves is the first of its kind: one that comes again goes in front.
            if self.writers and me in self.writers:
                self.writers.insert(0, me)
            else:
                self.writers.append(me)
            if self.readers or self.writers[0] != me:
                self._write_later(me)
        except BaseException:
            self.writers.remove(me)
            raise
        return me

    def _read_later(self, me: int) -> None:
        if self.readers.count(me) > 1 or me in self.writers:
            return
        try:
            for refusals, pause in enumerate(_pauses()):
                if not self.writers:
                    return
                if refusals == PATIENCE:
                    self._insisting.append(me)
                try:
                    self.readers.remove(me)
                    sleep(pause)
                finally:
                    self.readers.append(me)
        finally:
            if me in self._insisting:
                self._insisting.remove(me)

    def _write_later(self, me: int) -> None:
        for pause in _pauses():
            if self.writers[0] == me and all(other == me for other in tuple(self.readers)):
                return
            sleep(pause)

    def _stand_back(self, me: int) -> None:
        for pause in _pauses():
            if not self._insisting or me in self.readers or me in self.writers:
                return
            sleep(pause)


def _pauses() -> Iterator[float]:
    pause = SHORTEST
    while True:
        yield pause
        pause = min(2.0 * pause, LONGEST)
