"""A loop whose clock the test sets."""

from hybandit import Loop


class ClockedLoop(Loop):
    time = 1000.0

    @classmethod
    def _now(cls):
        return cls.time
