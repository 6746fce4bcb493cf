"""What the clients of Azure AI Personalizer need most, in its own bodies, answers and errors."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable
from datetime import timedelta
from http import HTTPStatus
from typing import Annotated, Any

from msgspec import Meta, Struct

from hybandit.errors import InvalidInput, Unquoted
from hybandit.service.bodies import Features, Problem
from hybandit.service.calls import Call

# One for each way in which its clients say the version that they speak.
FAMILIES = ("/v1.0", "/v1.1-preview.1", "/v1.1-preview.2", "/v1.1-preview.3", "")
ROOT = "/loops/{name}/personalizer"
MOST_ACTIONS = 50
MODES = {"online": "Online", "apprentice": "Apprentice", "log-only": "LoggingOnly"}
# What it calls the parameters of the loop.
NAMES = {"context": "contextFeatures", "exclude": "excludedActions", "event": "eventId"}


class Action(Struct):
    """An action with its features, in any number of objects."""

    id: str
    features: list[Features] | None = None


class RankRequest(Struct, rename="camel"):
    """A decision that is wanted. The first action that is not excluded is the baseline."""

    actions: Annotated[list[Action], Meta(max_length=MOST_ACTIONS)]
    context_features: list[Features] | None = None
    excluded_actions: list[str] | None = None
    event_id: str | None = None
    defer_activation: bool | None = False


class RewardRequest(Struct):
    """The reward of a decision."""

    value: float


class RankedAction(Struct, frozen=True):
    """An action and its probability."""

    id: str
    probability: float


class RankResponse(Struct, frozen=True, rename="camel"):
    """A decision; send the reward to its event."""

    ranking: list[RankedAction]
    event_id: str
    reward_action_id: str


class ServiceConfiguration(Struct, frozen=True, rename="camel"):
    """Settings of the loop by Personalizer's names.

    A reward's wait of 0 means that the first reward closes an event, whenever it comes; -1 days
    of logs, that events are kept for ever.
    """

    reward_wait_time: timedelta
    default_reward: float
    reward_aggregation: str
    exploration_percentage: float
    model_export_frequency: timedelta
    log_retention_days: int
    learning_mode: str
    log_mirror_enabled: bool = False
    is_auto_optimization_enabled: bool = False


class Error(Struct, frozen=True):
    """Why a request was refused, and what it is about."""

    code: str
    message: str
    target: str | None = None
    details: tuple[()] = ()


class ErrorResponse(Struct, frozen=True):
    """The answer to a request that was refused: it has changed nothing."""

    error: Error


def refusal(bad_request: str = "BadRequest") -> Callable[[HTTPStatus, Problem], ErrorResponse]:
    """How a route tells errors, if a request with bad input has this code.

    Examples
    --------
    >>> told = refusal("InvalidRankRequest")(HTTPStatus.BAD_REQUEST, Problem("", "no", "exclude"))
    >>> told.error.code, told.error.target
    ('InvalidRankRequest', 'excludedActions')
    """
    codes = {HTTPStatus.BAD_REQUEST: bad_request, HTTPStatus.NOT_FOUND: "ResourceNotFound"}

    def shape(status: HTTPStatus, problem: Problem) -> ErrorResponse:
        code = codes.get(status, status.phrase.title().replace(" ", ""))
        if problem.parameter is None:
            return ErrorResponse(Error(code, problem.message))
        target = NAMES.get(problem.parameter, problem.parameter)
        message = problem.message.replace(f"'{problem.parameter}'", f"'{target}'", 1)
        return ErrorResponse(Error(code, message, target))

    return shape


async def rank(call: Call) -> RankResponse:
    """Choose an action, as Personalizer's clients ask for it."""
    body: RankRequest = call.body
    actions = {each.id: _joined(each.features or ()) for each in body.actions}
    if len(actions) < len(body.actions):
        raise InvalidInput("actions", "all different by id", Unquoted("an id twice"))
    context = _joined(body.context_features or ())
    call.limits.check_request(context, actions)
    loop = await call.opened()
    decided = await loop.rank_async(
        context,
        actions,
        event=call.once if body.event_id is None else body.event_id,
        exclude=body.excluded_actions or (),
        defer=bool(body.defer_activation),
    )
    ranking = [RankedAction(*pair) for pair in decided.ranking]
    return RankResponse(ranking, decided.event, decided.action)


async def reward(call: Call) -> None:
    """Report the reward of a decision."""
    loop = await call.opened()
    await loop.reward_async(call.path["event"], call.body.value, key=call.once)


def activate(call: Call) -> None:
    """Start the window of a deferred decision."""
    call.loop.activate(call.path["event"])


def configuration(call: Call) -> ServiceConfiguration:
    """The settings of the loop by Personalizer's names."""
    settings = call.loop.settings
    return ServiceConfiguration(
        reward_wait_time=timedelta(seconds=settings["wait"] or 0.0),
        default_reward=settings["default_reward"],
        reward_aggregation=settings["aggregate"],
        exploration_percentage=settings["explore"],
        model_export_frequency=timedelta(seconds=settings["staleness"]),
        log_retention_days=-1 if settings["keep"] is None else int(settings["keep"]),
        learning_mode=MODES[settings["mode"]],
    )


def _joined(parts: Iterable[Features]) -> Features:
    """All features; a name that several objects have gets all their values.

    Examples
    --------
    >>> _joined([{"taste": "salty", "price": 3}, {"taste": "hot"}])
    {'taste': ['salty', 'hot'], 'price': 3}
    """
    found: defaultdict[str, list[Any]] = defaultdict(list)
    for part in parts:
        for name, value in part.items():
            found[name].append(value)
    return {name: values if len(values) > 1 else values[0] for name, values in found.items()}
