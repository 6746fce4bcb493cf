"""The routes as a table: from it come the server, the OpenAPI document and the table of rights."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from http import HTTPStatus
from typing import Any

from hybandit.loop import Explanation, Status
from hybandit.service import bodies, calls
from hybandit.service.calls import Call
from hybandit.service.keys import ADMINISTER, RANK, READ, REWARD

OK, CREATED, NO_CONTENT = HTTPStatus.OK, HTTPStatus.CREATED, HTTPStatus.NO_CONTENT
LOOP = "/v1/loops/{name}"


def own_shape(status: HTTPStatus, problem: bodies.Problem) -> bodies.Refused:
    """How the service's own routes tell an error."""
    return bodies.Refused(problem)


@dataclass(frozen=True)
class Operation:
    """One route.

    `right` is what a key needs for the loop that the path names; None: open to everybody. `body`,
    `query` and `answer` are types; `refusal` is the shape of an error.
    """

    method: str
    path: str
    right: str | None
    work: Callable[[Call], Any]
    status: HTTPStatus = OK
    body: type | None = None
    query: type | None = None
    answer: type | None = None
    refusal: Callable[[HTTPStatus, bodies.Problem], Any] = own_shape


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
    Operation("GET", f"{LOOP}/models", READ, calls.models, answer=bodies.Models),
    Operation("POST", f"{LOOP}/reset", ADMINISTER, calls.reset, answer=bodies.Version),
    Operation(
        "POST", f"{LOOP}/rollback", ADMINISTER, calls.rollback, body=bodies.Rollback,
        answer=bodies.Version,
    ),
    Operation(
        "POST", f"{LOOP}/switch", ADMINISTER, calls.switch, body=bodies.Switch,
        answer=bodies.Version,
    ),
    Operation("GET", "/health", None, calls.health, answer=bodies.Health),
    Operation("GET", "/ready", None, calls.ready, answer=bodies.Health),
)  # fmt: skip
