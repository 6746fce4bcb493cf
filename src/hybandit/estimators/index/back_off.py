"""Pausing the tree for a while where it does not pay."""

from __future__ import annotations

# If this many searches needed more than this share of the work on average, the tree rests for
# some searches; after every further trial without success it rests twice as long.
TRIAL = 8
WORTHWHILE = 0.5
FIRST_REST, LAST_REST = 128, 4096


class BackOff:
    """Judges searches by how much they looked at, not by time, so that runs can be repeated."""

    def __init__(self) -> None:
        # How many searches the tree still rests.
        self.rest = 0
        self._next_rest = FIRST_REST
        self._searches = 0
        self._total = 0.0

    def rests(self) -> bool:
        """Whether the tree rests at this search, which is then counted."""
        if not self.rest:
            return False
        self.rest -= 1
        return True

    def judge(self, share: float) -> None:
        """Take in the share of the work that a search needed."""
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
