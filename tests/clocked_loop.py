"""A loop whose clock the test sets."""

from hybandit import Loop


class ClockedLoop(Loop):
    time = 1000.0

    def _now(self):
        return type(self).time
