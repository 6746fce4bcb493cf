"""The page of the OpenAPI document: Swagger UI from its installed package, no other host asked."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from starlette.requests import Request
from starlette.responses import FileResponse, Response
from starlette.routing import BaseRoute, Mount, Route
from starlette.staticfiles import StaticFiles

HERE = Path(__file__).parent
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; "
    "connect-src 'self'; img-src 'self' data:; frame-ancestors 'none'"
)


def routes() -> Sequence[BaseRoute]:
    """The page and its files: they are the same on every server, so everybody may see them."""
    return (
        Route("/docs", _page),
        Route("/docs/start.js", _script),
        Mount("/docs/assets", StaticFiles(packages=[("swagger_ui", "static")])),
    )


async def _page(request: Request) -> Response:
    return FileResponse(HERE / "page.html", headers={"Content-Security-Policy": POLICY})


async def _script(request: Request) -> Response:
    return FileResponse(HERE / "start.js")
