"""The pages, and the stream that keeps them up to date."""

from __future__ import annotations

import json
import logging
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from dataclasses import dataclass
from http import HTTPStatus
from threading import Lock
from typing import Any, Protocol
from urllib.parse import parse_qs, quote, urlsplit

import anyio
from anyio import to_thread
from jinja2 import Environment, PackageLoader
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response, StreamingResponse
from starlette.routing import BaseRoute, Route

from hybandit.errors import InvalidInput
from hybandit.loop import Loop
from hybandit.service import calls
from hybandit.service.guard import Guard, may
from hybandit.service.keys import ADMINISTER, READ, Key
from hybandit.service.page import assets, event, view
from hybandit.service.page.comparing import FEWEST, NEWEST, compared
from hybandit.service.page.measure import CLICKS, REWARD, Measure
from hybandit.service.page.view import Look
from hybandit.service.refusals import Refusal, refused

LOG = logging.getLogger("hybandit.service")
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; connect-src 'self'; "
    "img-src 'self' data:; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
HEADERS = {
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",
    "Cache-Control": "no-store",
}
# What the page offers to switch to; the command line takes any.
POLICIES = ("default", "item-hybrid", "item-lin-ucb", "item-lnucb-ta")
DONE = {
    "rollback": "The loop went back. Its newest version equals the one that you chose.",
    "switch": "The other policy has learned the journal and decides from now on.",
}
COOKIE = "hybandit_key"
LONGEST_FORM, LONGEST_NUMBER = 10_000, 18
# Seconds between two looks at a loop, at least; more if a look takes long, so that looking costs
# at most one part in so many of a processor.
PAUSE, SHARE = 1.0, 60.0
SECTIONS = ("verdict", "figures", "legend", "actions", "events", "versions", "inside")
Handler = Callable[[Request, Key | None], Awaitable[Response]]


class Looked(Protocol):
    """Where the loops are."""

    def names(self) -> list[str]: ...
    def __getitem__(self, name: str) -> Loop: ...


class Raced(Protocol):
    """A race of the loop with others, before the same visitors: `hybandit demo`."""

    is_over: bool

    @property
    def total(self) -> int: ...
    @property
    def scene(self) -> str: ...
    @property
    def leads(self) -> Sequence[Any]: ...
    def numbers(self) -> dict[str, Any]: ...


class Pages:
    """The pages over loops; `read_only` ones have no buttons, whoever asks.

    With a `race`, it is shown beside the loop.
    """

    def __init__(
        self,
        loops: Looked,
        guard: Guard,
        *,
        read_only: bool = False,
        race: Raced | None = None,
        latency: Callable[[], str | None] = lambda: None,
    ) -> None:
        self.loops, self.guard, self.read_only, self.race = loops, guard, read_only, race
        self._looks: dict[str, Fresh] = {}
        self._comparing = anyio.Lock()
        self._templates = Environment(
            loader=PackageLoader("hybandit.service.page"), autoescape=True,
            trim_blocks=True, lstrip_blocks=True,
        )  # fmt: skip
        self._templates.filters.update(view.FILTERS | event.FILTERS)
        self.measure = REWARD if race is None else CLICKS
        self._templates.globals.update(
            asset=assets.address, race=race, latency=latency, measure=self.measure
        )

    def routes(self) -> Sequence[BaseRoute]:
        one = "/loops/{name}"
        return (
            Route("/assets/{digest}/{file}", assets.send),
            Route("/sign-in", self.sign_in, methods=["GET", "POST"]),
            Route("/sign-out", self.sign_out, methods=["POST"]),
            Route("/", self._guarded(READ, self.all)),
            Route("/stream", self._guarded(READ, self.stream)),
            Route(one, self._guarded(READ, self.one)),
            Route(f"{one}/stream", self._guarded(READ, self.stream)),
            Route(f"{one}/compare", self._guarded(READ, self.compare)),
            Route(f"{one}/find", self._guarded(READ, self.find)),
            Route(f"{one}/events/{{event:path}}", self._guarded(READ, self.event)),
            Route(f"{one}/rollback", self._guarded(ADMINISTER, self.rollback), methods=["POST"]),
            Route(f"{one}/switch", self._guarded(ADMINISTER, self.switch), methods=["POST"]),
        )

    # Pages

    async def all(self, request: Request, key: Key | None) -> Response:
        looks = await to_thread.run_sync(self._all, key)
        return self._page(request, "loops.html", key, looks=looks)

    async def one(self, request: Request, key: Key | None) -> Response:
        look = await to_thread.run_sync(self._look, request.path_params["name"])
        said = DONE.get(request.query_params.get("done", ""))
        return self._page(
            request,
            "loop.html",
            key,
            look=look,
            said=said,
            policies=POLICIES,
            compared=NEWEST,
            charts=self._charts(look),
        )

    async def event(self, request: Request, key: Key | None) -> Response:
        loop, name = self.loops[request.path_params["name"]], request.path_params["event"]
        told = await to_thread.run_sync(loop.explain, name)
        parts = await to_thread.run_sync(loop.parts, name)
        return self._page(
            request, "event.html", key, name=request.path_params["name"], told=told, parts=parts,
            largest=max([abs(each.effect) for each in parts.parts], default=0.0) or 1.0,
        )  # fmt: skip

    async def find(self, request: Request, key: Key | None) -> Response:
        event = quote(request.query_params.get("event", ""), safe="")
        place = f"{_root(request)}/loops/{request.path_params['name']}/events/{event}"
        return RedirectResponse(place, HTTPStatus.SEE_OTHER, HEADERS)

    async def stream(self, request: Request, key: Key | None) -> Response:
        """What changes of a page, as server-sent events, until the browser or the server ends."""
        request.scope["endless"] = True
        return StreamingResponse(
            self._changes(request, key), headers=HEADERS, media_type="text/event-stream"
        )

    async def _changes(self, request: Request, key: Key | None) -> AsyncIterator[str]:
        sent: dict[str, str] = {}
        while not await request.is_disconnected():
            try:
                found, pause = await to_thread.run_sync(self._parts, request, key)
            except Exception as error:
                found, pause = {"problem": refused(error)[1].message}, 5.0
            news = {name: text for name, text in found.items() if sent.get(name) != text}
            sent.update(news)
            if news:
                yield f"data: {json.dumps(news)}\n\n"
            else:
                yield ": nothing new\n\n"
            await anyio.sleep(pause)

    async def compare(self, request: Request, key: Key | None) -> Response:
        """One comparison at a time, since it keeps a processor busy."""
        name = request.path_params["name"]
        async with self._comparing:
            events, rows = await to_thread.run_sync(compared, self.loops[name])
        return self._page(
            request, "compare.html", key, name=name, events=events, rows=rows, fewest=FEWEST
        )

    # What keys with the right may do

    async def rollback(self, request: Request, key: Key | None) -> Response:
        version = (await _form(request)).get("version", "")
        loop = self.loops[request.path_params["name"]]
        if not version.isdecimal() or len(version) > LONGEST_NUMBER:
            raise InvalidInput("version", "a whole number", version)
        await to_thread.run_sync(loop.rollback, int(version))
        return self._back(request, "rollback")

    async def switch(self, request: Request, key: Key | None) -> Response:
        policy = (await _form(request)).get("policy", "")
        loop = self.loops[request.path_params["name"]]
        calls.check_policy(policy)
        await to_thread.run_sync(loop.switch, policy)
        return self._back(request, "switch")

    def _back(self, request: Request, done: str) -> Response:
        """The loop's page again, after something was done that must show at once."""
        name = request.path_params["name"]
        self._looks.pop(name, None)
        place = f"{_root(request)}/loops/{name}?done={done}"
        return RedirectResponse(place, HTTPStatus.SEE_OTHER, HEADERS)

    # Keys

    async def sign_in(self, request: Request) -> Response:
        if self.guard.keys is None:
            return RedirectResponse(f"{_root(request)}/", HTTPStatus.SEE_OTHER, HEADERS)
        if request.method == "GET":
            return self._page(request, "sign_in.html", None)
        try:
            _check_same_site(request)
            secret = (await _form(request)).get("key", "").strip()
            await self.guard.check(request, secret, READ, None)
        except Refusal as error:
            told = "This key is not valid now, or may not read."
            return self._page(request, "sign_in.html", None, error.status, problem=told)
        answer = RedirectResponse(f"{_root(request)}/", HTTPStatus.SEE_OTHER, HEADERS)
        answer.set_cookie(
            COOKIE, secret, httponly=True, samesite="strict", secure=request.url.scheme == "https",
            path=f"{_root(request)}/",
        )  # fmt: skip
        return answer

    async def sign_out(self, request: Request) -> Response:
        answer = RedirectResponse(f"{_root(request)}/sign-in", HTTPStatus.SEE_OTHER, HEADERS)
        answer.delete_cookie(COOKIE, path=f"{_root(request)}/")
        return answer

    def _guarded(self, right: str, handler: Handler) -> Callable[[Request], Awaitable[Response]]:
        """A page for whoever has this right; others are asked for a key, or told what is wrong."""

        async def answer(request: Request) -> Response:
            loop, key = request.path_params.get("name"), None
            try:
                if right == ADMINISTER:
                    _check_same_site(request)
                    if self.read_only:
                        raise Refusal(HTTPStatus.FORBIDDEN, "these pages only show the loop")
                key = await self.guard.check(request, request.cookies.get(COOKIE), right, loop)
                return await handler(request, key)
            except Exception as error:
                status, problem, _ = refused(error)
                if status == HTTPStatus.UNAUTHORIZED:
                    place = f"{_root(request)}/sign-in"
                    return RedirectResponse(place, HTTPStatus.SEE_OTHER, HEADERS)
                if status >= HTTPStatus.INTERNAL_SERVER_ERROR:
                    LOG.error("a page failed", exc_info=error)
                return self._page(request, "problem.html", key, status, problem=problem.message)

        return answer

    # How pages are made

    def _page(
        self,
        request: Request,
        template: str,
        key: Key | None,
        status: int = HTTPStatus.OK,
        **values: Any,
    ) -> Response:
        name = request.path_params.get("name")
        text = self._templates.get_template(template).render(
            root=_root(request), base=_base(request), can_sign_out=key is not None,
            **self._rights(name, key), **values,
        )  # fmt: skip
        return Response(text, status, HEADERS, media_type="text/html")

    def _rights(self, name: str | None, key: Key | None) -> dict[str, bool]:
        may_change = name is not None and not self.read_only and may(key, ADMINISTER, name)
        return {"may_change": may_change}

    def _parts(self, request: Request, key: Key | None) -> tuple[dict[str, str], float]:
        """The parts of a page by their ids, and how many seconds they are good for."""
        name, root = request.path_params.get("name"), _root(request)
        if name is None:
            looks = self._all(key)
            text = self._render("loops", root, looks=looks, base=_base(request))
            return {"loops": text}, max([PAUSE, *(self._looks[each.name].pause for each in looks)])
        look = self._look(name)
        values = {"look": look, "base": _base(request), **self._rights(name, key)}
        parts = {each: self._render(each, root, **values) for each in SECTIONS}
        if self.race is not None:
            parts["race"] = self._render("race", root)
        return parts | {"charts": json.dumps(self._charts(look))}, self._looks[name].pause

    def _charts(self, look: Look) -> dict[str, Any]:
        """What fills the charts."""
        return look.charts | ({} if self.race is None else {"race": self.race.numbers()})

    def _render(self, part: str, root: str, **values: Any) -> str:
        return self._templates.get_template(f"parts/{part}.html").render(root=root, **values)

    def _all(self, key: Key | None) -> list[Look]:
        return [self._look(name) for name in self.loops.names() if may(key, READ, name)]

    def _look(self, name: str) -> Look:
        return self._looks.setdefault(name, Fresh(self.measure)).of(name, self.loops[name])


@dataclass
class Fresh:
    """The last look at a loop, which all who watch share as long as it is fresh."""

    measure: Measure
    look: Look | None = None
    until: float = 0.0
    pause: float = PAUSE

    def __post_init__(self) -> None:
        self._lock = Lock()

    def of(self, name: str, loop: Loop) -> Look:
        with self._lock:
            if self.look is None or time.monotonic() >= self.until:
                began = time.thread_time()
                self.look = Look.of(name, loop, self.measure)
                self.pause = max(PAUSE, SHARE * (time.thread_time() - began))
                self.until = time.monotonic() + 0.9 * self.pause
            return self.look


def _base(request: Request) -> str:
    """Where the routes of this server are, as the browser sees it."""
    return str(request.base_url).rstrip("/")


def _root(request: Request) -> str:
    return str(request.scope.get("root_path", ""))


async def _form(request: Request) -> dict[str, str]:
    """The fields of a form, which is small."""
    content = b""
    async for part in request.stream():
        content += part
        if len(content) > LONGEST_FORM:
            raise Refusal(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, "this form is too long")
    return {name: values[-1] for name, values in parse_qs(content.decode()).items()}


def _check_same_site(request: Request) -> None:
    """Refuse a form that a page of another host has sent."""
    origin, site = request.headers.get("origin"), request.headers.get("sec-fetch-site")
    elsewhere = origin is not None and urlsplit(origin).netloc != request.headers.get("host")
    if elsewhere or site not in (None, "same-origin", "none"):
        raise Refusal(HTTPStatus.FORBIDDEN, "this form was sent by a page of another host")
