"""Leaving out for a while what does not pay."""

from __future__ import annotations

# If in so many searches more than this share of the work was left, on average, the next ones
# are done otherwise. After every trial in vain these are twice as many.
TRIAL = 8
WORTHWHILE = 0.5
FIRST_REST, LAST_REST = 128, 4096


class BackOff:
    """Judges searches by what they looked at, not by the clock, so that runs repeat.

    Examples
    --------
    >>> back_off = BackOff()
    >>> for _ in range(TRIAL):
    ...     back_off.judge(share=1.0)
    >>> back_off.rest
    128
    """

    def __init__(self) -> None:
        # Searches still to be left out.
        self.rest = 0
        self._next_rest = FIRST_REST
        self._searches = 0
        self._total = 0.0

    def count_down(self) -> None:
        """One search has been left out, if that was why."""
        self.rest = max(self.rest - 1, 0)

    def judge(self, share: float) -> None:
        """What share of the work a search had to do."""
        self._searches += 1
        self._total += share
        if self._searches < TRIAL:
            return
        if self._total > WORTHWHILE * TRIAL:
            self.rest = self._next_rest
            self._next_rest = min(2 * self._next_rest, LAST_REST)
        else:
            self._next_rest = FIRST_REST
        self._searches, self._total = 0, 0.0
