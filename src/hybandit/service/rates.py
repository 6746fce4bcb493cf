"""How many requests a key may send in a second."""

from __future__ import annotations

from http import HTTPStatus

from aiolimiter import AsyncLimiter

from hybandit.service.refusals import Refusal


class Rates:
    """One leaky bucket for each key, in this process."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._buckets: dict[str, AsyncLimiter] = {}

    async def check(self, key: str) -> None:
        """Count a request of a key, or refuse it; nobody waits here."""
        bucket = self._buckets.get(key)
        if bucket is None:
            bucket = self._buckets[key] = AsyncLimiter(self._most, 1.0)
        if not bucket.has_capacity():
            told = f"this key may send at most {self._most:,} requests in a second"
            raise Refusal(HTTPStatus.TOO_MANY_REQUESTS, told, **{"Retry-After": "1"})
        await bucket.acquire()
