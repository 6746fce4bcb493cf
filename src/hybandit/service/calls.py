"""What each route does: a call of the loop, in a thread or, if it is often made, as a coroutine."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime
from http import HTTPStatus
from typing import Any

from anyio import to_thread
from msgspec import UNSET, Struct

from hybandit.errors import InvalidInput, UnknownName
from hybandit.loop import Explanation, Loop, Loops, Status
from hybandit.loop.overview import records
from hybandit.policies import named_settings
from hybandit.service import bodies
from hybandit.service.limits import Limits
from hybandit.service.metrics import Metrics
from hybandit.service.refusals import refused

# So many calls of a batch share a commit; others are answered between two such parts.
TOGETHER = 32


class Call(Struct, frozen=True):
    """One request, checked: its body, query and path, and what it may read.

    `once` is the caller's own mark of this request: the same again counts once.
    """

    loops: Loops
    limits: Limits
    metrics: Metrics
    may_read: Callable[[str], bool]
    path: dict[str, str]
    body: Any = None
    query: Any = None
    once: str | None = None

    @property
    def name(self) -> str:
        return self.path["name"]

    @property
    def loop(self) -> Loop:
        return self.loops[self.name]

    async def opened(self) -> Loop:
        """The loop, for a coroutine: to open one takes a while."""
        found = self.loops.opened(self.name)
        if found is None:
            found = await to_thread.run_sync(self.loops.__getitem__, self.name)
        return found


# Decisions and rewards


async def rank(call: Call) -> bodies.Ranked:
    """Choose an action."""
    return await _rank(await call.opened(), call, call.body, call.once)


async def reward(call: Call) -> None:
    """Report the reward of a decision."""
    await _reward(await call.opened(), call, call.body, call.once)


def activate(call: Call) -> None:
    """Start the window of a deferred decision."""
    call.loop.activate(call.body.event)


async def rank_batch(call: Call) -> bodies.Answers:
    """Choose an action for each of many calls; each is stored, or refused, by itself."""
    return await _each(call, HTTPStatus.CREATED, _rank)


async def reward_batch(call: Call) -> bodies.Answers:
    """Report many rewards; each is stored, or refused, by itself."""
    return await _each(call, HTTPStatus.NO_CONTENT, _reward)


async def activate_batch(call: Call) -> bodies.Answers:
    """Start the windows of many deferred decisions."""
    return await _each(call, HTTPStatus.NO_CONTENT, _activate)


async def _rank(loop: Loop, call: Call, body: bodies.Rank, once: str | None) -> bodies.Ranked:
    call.limits.check_request(body.context, body.actions)
    decided = await loop.rank_async(
        body.context,
        body.actions,
        event=once if body.event is None else body.event,
        exclude=body.exclude,
        baseline=body.baseline,
        defer=body.defer,
    )
    return bodies.Ranked.of(decided)


async def _reward(loop: Loop, call: Call, body: bodies.RewardValue, once: str | None) -> None:
    await loop.reward_async(body.event, body.value, key=once if body.key is None else body.key)


async def _activate(loop: Loop, call: Call, body: bodies.Activate, once: str | None) -> None:
    await to_thread.run_sync(loop.activate, body.event)


async def _each(
    call: Call,
    done: HTTPStatus,
    work: Callable[[Loop, Call, Any, str | None], Awaitable[bodies.Ranked | None]],
) -> bodies.Answers:
    """The answers to the calls of a batch, each with its own mark if the batch has one."""
    calls, loop = call.body.calls, await call.opened()
    call.limits.check_calls(len(calls))

    async def answer(number: int) -> bodies.Answer:
        once = None if call.once is None else f"{call.once}/{number}"
        try:
            decided = await work(loop, call, calls[number], once)
            return bodies.Answer(done, UNSET if decided is None else decided)
        except Exception as error:
            status, problem, _ = refused(error)
            return bodies.Answer(status, error=problem)

    answers: list[bodies.Answer] = []
    for start in range(0, len(calls), TOGETHER):
        part = range(start, min(start + TOGETHER, len(calls)))
        answers += await asyncio.gather(*map(answer, part))
    return bodies.Answers(answers)


# Looking


def loops(call: Call) -> bodies.Names:
    """The loops that the key may read."""
    return bodies.Names([name for name in call.loops.names() if call.may_read(name)])


def describe(call: Call) -> bodies.Description:
    """A loop and its settings."""
    loop = call.loop
    return bodies.Description(call.name, loop.policy, loop.version, loop.settings)


def status(call: Call) -> Status:
    """Counts, versions, and the reward beside that of the baseline."""
    return call.loop.status()


def events(call: Call) -> bodies.Events:
    """Events in pages, in order of arrival."""
    query = call.query
    table = call.loop.events(after=query.after, limit=query.limit, action=query.action)
    found = records(table)
    return bodies.Events(found, found[-1]["number"] if len(found) == query.limit else None)


def event(call: Call) -> Explanation:
    """The history of one event, and why it is not learned yet."""
    return call.loop.explain(call.path["event"])


def actions(call: Call) -> bodies.Actions:
    """A line for each action."""
    return bodies.Actions(records(call.loop.actions()))


def curve(call: Call) -> bodies.Curve:
    """The mean reward along the journal."""
    return bodies.Curve([bodies.Point(*pair) for pair in call.loop.curve(call.query.points)])


def history(call: Call) -> bodies.History:
    """Decisions, rewards, the gain and the share of each action over time."""
    return bodies.History(records(call.loop.history()))


def models(call: Call) -> bodies.Models:
    """The versions whose models are stored."""
    return bodies.Models(call.loop.models())


def model(call: Call) -> bytes:
    """A model that is stored, as `Loop.import_model` reads it."""
    loop, wanted = call.loop, call.path["version"]
    stored = {str(each.version): each.version for each in loop.models()}
    if wanted not in stored:
        raise UnknownName(f"no model of version {wanted} is stored")
    return loop.model(stored[wanted])


# Administration


def create(call: Call) -> bodies.Description:
    """Make a loop; one that is there already must have the same settings."""
    settings = call.body.settings
    if "policy" in settings:
        check_policy(settings["policy"])
    call.loops.create(call.name, **settings)
    return describe(call)


def change(call: Call) -> bodies.Version:
    """Change settings of a loop."""
    return bodies.Version(call.loop.change(**call.body.settings))


def delete(call: Call) -> None:
    """Delete a loop with all its events."""
    call.loops.delete(call.name)


def reset(call: Call) -> bodies.Version:
    """Forget what was learned; the events stay."""
    return bodies.Version(call.loop.reset())


def rollback(call: Call) -> bodies.Version:
    """Go back to the model of an earlier version."""
    return bodies.Version(call.loop.rollback(call.body.version))


def switch(call: Call) -> bodies.Version:
    """Let another policy learn the whole journal and decide from now on."""
    check_policy(call.body.policy)
    return bodies.Version(call.loop.switch(call.body.policy))


def pause(call: Call) -> bodies.Version:
    """Learn nothing until it is resumed; decisions are still made."""
    return bodies.Version(call.loop.pause())


def resume(call: Call) -> bodies.Version:
    """Learn again what closes from now on."""
    return bodies.Version(call.loop.resume())


def metrics(call: Call) -> bytes:
    """Metrics for Prometheus."""
    return call.metrics.told()


def health(call: Call) -> bodies.Health:
    """Whether the server answers."""
    return bodies.Health("ok", datetime.now(UTC))


def ready(call: Call) -> bodies.Health:
    """Whether the database answers too."""
    call.loops.names()
    return bodies.Health("ok", datetime.now(UTC))


def check_policy(text: Any) -> None:
    """Over HTTP no module is loaded: only policies that have a name here can be asked for."""
    if isinstance(text, str) and ":" in named_settings(text, "policy")[0]:
        rule = "a policy by its name, such as 'item-lin-ucb:alpha=0.3'"
        raise InvalidInput("policy", f"{rule}; others are chosen on the server itself", text)
