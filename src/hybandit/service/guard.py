"""Who may do what: keys, or without keys whoever is on this machine."""

from __future__ import annotations

import ipaddress
from collections.abc import Callable
from functools import lru_cache
from http import HTTPStatus
from urllib.parse import urlsplit

from starlette.requests import Request

from hybandit.service.keys import READ, Key, Keys
from hybandit.service.rates import Rates
from hybandit.service.refusals import Refusal

# Which loops may be read.
Reads = Callable[[str], bool]


class Guard:
    """Finds the caller's key and asks for its rights; without keys, for the caller's place."""

    def __init__(self, keys: Keys | None, rate: int) -> None:
        self.keys, self._rates = keys, Rates(rate)

    async def check(
        self, request: Request, secret: str | None, right: str, loop: str | None
    ) -> Key | None:
        """The caller's key, if it has the right for a loop, or, without a loop, for any at all."""
        if self.keys is None:
            check_local(request)
            return None
        key = None if secret is None else self.keys.find(secret)
        if key is None:
            told = "this server needs a key that is valid now: Authorization: Bearer KEY"
            raise Refusal(HTTPStatus.UNAUTHORIZED, told, **{"WWW-Authenticate": "Bearer"})
        request.scope["key"] = key.name
        await self._rates.check(key.name)
        if not key.may(right, loop):
            raise Refusal(HTTPStatus.FORBIDDEN, f"this key lacks the right {right!r} here")
        return key


def may(key: Key | None, right: str, loop: str) -> bool:
    """Whether a key that was found has a right for a loop; without keys everybody has all."""
    return key is None or key.may(right, loop)


def reads(key: Key | None) -> Reads:
    """Which loops a key may read."""
    return lambda loop: may(key, READ, loop)


def is_loopback(host: str) -> bool:
    """Whether a host's name or address means this machine.

    Examples
    --------
    >>> is_loopback("localhost"), is_loopback("127.0.0.1"), is_loopback("0.0.0.0")
    (True, True, False)
    """
    try:
        return host == "localhost" or ipaddress.ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return False


def check_local(request: Request) -> None:
    """Refuse what may come from elsewhere, also by a browser here that shows a foreign page."""
    if not _is_local(request.headers.get("host") or request.url.netloc):
        told = "without keys this server answers only to localhost: start it with --keys"
        raise Refusal(HTTPStatus.FORBIDDEN, told)
    origin = request.headers.get("origin")
    if origin is not None and not _is_local(origin.partition("://")[2]):
        raise Refusal(HTTPStatus.FORBIDDEN, "without keys no page of another host is answered")


@lru_cache(maxsize=1000)
def _is_local(place: str) -> bool:
    """Whether a host with its port means this machine."""
    try:
        return is_loopback(urlsplit(f"//{place}").hostname or "")
    except ValueError:
        return False
