"""Whether an index pays where it is used."""

from __future__ import annotations

# If in so many searches too large a share of the leaves is opened, or more than this of the
# points measured, a scan is as fast: it answers the next ones, before the tree is tried again.
# After every trial in vain these are twice as many.
TRIAL = 8
POINTS_WORTHWHILE = 0.2
FIRST_REST, LAST_REST = 128, 4096


class Trial:
    """Judges searches by what they looked at, not by the clock, so that runs repeat.

    They pay while they open at most the share `worthwhile` of the leaves.

    Examples
    --------
    >>> trial = Trial(worthwhile=0.7)
    >>> for _ in range(TRIAL):
    ...     trial.judge(opened=1.0)
    >>> trial.resting()
    True
    """

    def __init__(self, worthwhile: float) -> None:
        self.worthwhile = worthwhile
        self.rest = 0
        self._next_rest = FIRST_REST
        self._searches = 0
        self._opened = 0.0
        self._measured = 0.0

    def resting(self) -> bool:
        """Whether this search is better left to a scan."""
        if self.rest > 0:
            self.rest -= 1
            return True
        return False

    def judge(self, opened: float, measured: float = 0.0) -> None:
        """What shares of leaves and points a search has looked at."""
        self._searches += 1
        self._opened += opened
        self._measured += measured
        if self._searches < TRIAL:
            return
        too_many = self._opened > self.worthwhile * TRIAL
        if too_many or self._measured > POINTS_WORTHWHILE * TRIAL:
            self.rest = self._next_rest
            self._next_rest = min(2 * self._next_rest, LAST_REST)
        else:
            self._next_rest = FIRST_REST
        self._searches, self._opened, self._measured = 0, 0.0, 0.0
