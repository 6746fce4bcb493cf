"""The routes as a table: from it come the server, the OpenAPI document and the table of rights."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from http import HTTPStatus
from typing import Any

from hybandit.loop import Explanation, Status
from hybandit.service import bodies, calls, openapi, personalizer
from hybandit.service.calls import Call
from hybandit.service.keys import ADMINISTER, ANY, RANK, READ, REWARD

OK, CREATED, NO_CONTENT = HTTPStatus.OK, HTTPStatus.CREATED, HTTPStatus.NO_CONTENT
LOOP = "/v1/loops/{name}"


def own_shape(status: HTTPStatus, problem: bodies.Problem) -> bodies.Refused:
    """How the service's own routes tell an error."""
    return bodies.Refused(problem)


@dataclass(frozen=True)
class Operation:
    """One route.

    `right` is what a key needs for the loop that the path names, or, `everywhere`, for all loops;
    None: open to everybody. `body`, `query` and `answer` are types; `media` is what an answer is
    if it is not JSON; `refusal` is the shape of an error.
    """

    method: str
    path: str
    right: str | None
    work: Callable[[Call], Any]
    status: HTTPStatus = OK
    body: type | None = None
    query: type | None = None
    answer: type | None = None
    media: str | None = None
    everywhere: bool = False
    refusal: Callable[[HTTPStatus, bodies.Problem], Any] = own_shape


@cache
def document() -> dict[str, Any]:
    """All routes, described."""
    return openapi.described(OPERATIONS)


def _document(call: Call) -> dict[str, Any]:
    """The OpenAPI document of this server's routes."""
    return document()


def _personalizer(family: str) -> tuple[Operation, ...]:
    """The routes of one family of Personalizer's clients."""
    root = personalizer.ROOT + family
    event, refusal = f"{root}/events/{{event:path}}", personalizer.refusal
    return (
        Operation(
            "POST", f"{root}/rank", RANK, personalizer.rank, CREATED, personalizer.RankRequest,
            answer=personalizer.RankResponse, refusal=refusal("InvalidRankRequest"),
        ),
        Operation(
            "POST", f"{event}/reward", REWARD, personalizer.reward, NO_CONTENT,
            personalizer.RewardRequest, refusal=refusal("InvalidRewardRequest"),
        ),
        Operation(
            "POST", f"{event}/activate", RANK, personalizer.activate, NO_CONTENT,
            refusal=refusal("InvalidEventIdToActivate"),
        ),
        Operation(
            "GET", f"{root}/configurations/service", READ, personalizer.configuration,
            answer=personalizer.ServiceConfiguration, refusal=refusal(),
        ),
    )  # fmt: skip


OPERATIONS: tuple[Operation, ...] = (
    Operation("POST", f"{LOOP}/rank", RANK, calls.rank, CREATED, bodies.Rank, None, bodies.Ranked),
    Operation("POST", f"{LOOP}/reward", REWARD, calls.reward, NO_CONTENT, bodies.RewardValue),
    Operation("POST", f"{LOOP}/activate", RANK, calls.activate, NO_CONTENT, bodies.Activate),
    Operation(
        "POST", f"{LOOP}/rank/batch", RANK, calls.rank_batch, body=bodies.Ranks,
        answer=bodies.Answers,
    ),
    Operation(
        "POST", f"{LOOP}/reward/batch", REWARD, calls.reward_batch, body=bodies.Rewards,
        answer=bodies.Answers,
    ),
    Operation(
        "POST", f"{LOOP}/activate/batch", RANK, calls.activate_batch, body=bodies.Activations,
        answer=bodies.Answers,
    ),
    Operation("GET", "/v1/loops", READ, calls.loops, answer=bodies.Names),
    Operation("GET", LOOP, READ, calls.describe, answer=bodies.Description),
    Operation(
        "PUT", LOOP, ADMINISTER, calls.create, CREATED, bodies.Settings, None, bodies.Description
    ),
    Operation(
        "PATCH", LOOP, ADMINISTER, calls.change, body=bodies.Settings, answer=bodies.Version
    ),
    Operation("DELETE", LOOP, ADMINISTER, calls.delete, NO_CONTENT),
    Operation("GET", f"{LOOP}/status", READ, calls.status, answer=Status),
    Operation(
        "GET", f"{LOOP}/events", READ, calls.events, query=bodies.EventsQuery,
        answer=bodies.Events,
    ),
    Operation("GET", f"{LOOP}/events/{{event:path}}", READ, calls.event, answer=Explanation),
    Operation("GET", f"{LOOP}/actions", READ, calls.actions, answer=bodies.Actions),
    Operation(
        "GET", f"{LOOP}/curve", READ, calls.curve, query=bodies.CurveQuery, answer=bodies.Curve
    ),
    Operation("GET", f"{LOOP}/history", READ, calls.history, answer=bodies.History),
    Operation("GET", f"{LOOP}/models", READ, calls.models, answer=bodies.Models),
    Operation(
        "GET", f"{LOOP}/models/{{version}}", READ, calls.model, media="application/octet-stream"
    ),
    Operation("POST", f"{LOOP}/pause", ADMINISTER, calls.pause, answer=bodies.Version),
    Operation("POST", f"{LOOP}/resume", ADMINISTER, calls.resume, answer=bodies.Version),
    Operation("POST", f"{LOOP}/reset", ADMINISTER, calls.reset, answer=bodies.Version),
    Operation(
        "POST", f"{LOOP}/rollback", ADMINISTER, calls.rollback, body=bodies.Rollback,
        answer=bodies.Version,
    ),
    Operation(
        "POST", f"{LOOP}/switch", ADMINISTER, calls.switch, body=bodies.Switch,
        answer=bodies.Version,
    ),
    Operation("GET", "/openapi.json", ANY, _document, answer=dict),
    Operation(
        "GET", "/metrics", READ, calls.metrics, media="text/plain; version=0.0.4; charset=utf-8",
        everywhere=True,
    ),
    Operation("GET", "/health", None, calls.health, answer=bodies.Health),
    Operation("GET", "/ready", None, calls.ready, answer=bodies.Health),
    *(each for family in personalizer.FAMILIES for each in _personalizer(family)),
)  # fmt: skip
