"""How much a follower does at a time, and how long it waits."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Pace:
    """Entries and events are counted, times are in seconds.

    Attributes
    ----------
    chunk
        Entries read, and events closed, at a time: few, so that rankers do not wait long.
    spacing, pause, share
        A snapshot is due after so many entries and at least so much time, or so many times what
        the last one took to write, if that is longer.
    kept
        How many of the newest snapshots are kept.
    forget_every, forget_part, forget_closing
        Between two removals of old events; for one part of them, after which the thread learns;
        and for how long a loop that is closed goes on with it.
    recovery, longest_recovery
        The wait after a failure, doubled with each further one, and the longest: a database may be
        back soon, but an entry that cannot be learned costs a new model every time.
    breath
        Between two entries while anybody is ranking.
    gather
        From a reward to its turn, in which others come that are learned with it.
    """

    chunk: int = 50
    spacing: int = 1000
    pause: float = 2.0
    share: float = 20.0
    kept: int = 3
    forget_every: float = 600.0
    forget_part: float = 0.02
    forget_closing: float = 1.0
    recovery: float = 0.5
    longest_recovery: float = 30.0
    breath: float = 1e-4
    gather: float = 0.02
