"""The files that a browser keeps: ours, and Bokeh's from where it is installed; compressed once."""

from __future__ import annotations

import gzip
import hashlib
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from threading import Thread

from starlette.requests import Request
from starlette.responses import Response

from hybandit.service.page import charts

OURS = Path(__file__).parent / "static"
NAMES = ("page.css", "page.js", "bokeh.min.js", "figures-light.json", "figures-dark.json")
KINDS = {"js": "text/javascript", "css": "text/css", "json": "application/json"}
HEADERS = {
    "Cache-Control": "public, max-age=31536000, immutable",
    "Vary": "Accept-Encoding",
    "X-Content-Type-Options": "nosniff",
}


@dataclass(frozen=True)
class Asset:
    """A file as it is sent; the address has its digest, so that it never changes there."""

    name: str
    content: bytes
    compressed: bytes
    digest: str


@cache
def asset(name: str) -> Asset:
    """A file by its name; raises KeyError if there is none."""
    content = _read(name)
    digest = hashlib.sha256(content).hexdigest()[:16]
    return Asset(name, content, gzip.compress(content, 9, mtime=0), digest)


def address(name: str) -> str:
    """Where the server has a file."""
    return f"/assets/{asset(name).digest}/{name}"


def prepare() -> None:
    """Read and compress all files in a thread, so that nobody who looks has to wait for it."""
    Thread(target=lambda: list(map(asset, NAMES)), name="hybandit-assets", daemon=True).start()


async def send(request: Request) -> Response:
    """A file; they are the same on every server, so everybody may have them."""
    try:
        found = asset(request.path_params["file"])
    except KeyError:
        return Response(status_code=404)
    headers = dict(HEADERS)
    content = found.content
    if "gzip" in request.headers.get("accept-encoding", ""):
        content, headers["Content-Encoding"] = found.compressed, "gzip"
    return Response(content, headers=headers, media_type=KINDS[found.name.rpartition(".")[2]])


def _read(name: str) -> bytes:
    if name == "bokeh.min.js":
        from bokeh.settings import settings

        return (Path(str(settings.bokehjs_path())) / "js" / name).read_bytes()
    if name in ("figures-light.json", "figures-dark.json"):
        return charts.figures(name.removeprefix("figures-").removesuffix(".json"))
    if name not in NAMES:
        raise KeyError(name)
    return (OURS / name).read_bytes()
