"""The same stack without a loop: reads a body as JSON and answers a small one."""

import msgspec
from starlette.applications import Starlette
from starlette.responses import Response
from starlette.routing import Route

ANSWER = msgspec.json.encode({"event": "x" * 32, "action": "action 1", "probability": 0.5})


async def echo(request):
    msgspec.json.decode(await request.body())
    return Response(ANSWER, 201, media_type="application/json")


app = Starlette(routes=[Route("/{path:path}", echo, methods=["POST"])])
