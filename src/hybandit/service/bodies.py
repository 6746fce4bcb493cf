"""What requests bring and answers say, as types, which are checked and described."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any

from msgspec import UNSET, Meta, Struct, UnsetType, field

from hybandit.loop import RankedDecision, StoredModel

MOST_EVENTS = 1_000
MOST_POINTS = 1_000
Features = dict[str, Any]


class Asked(Struct, forbid_unknown_fields=True):
    """A body or the values of a query; names that are not known are refused."""


class Rank(Asked):
    """A decision that is wanted. The first action that is not excluded is the baseline."""

    actions: dict[str, Features | None] | list[str]
    context: Features = field(default_factory=dict)
    event: str | None = None
    exclude: list[str] = field(default_factory=list)
    baseline: str | None = None
    defer: bool = False


class RewardValue(Asked):
    """The reward of a decision. The same key again counts once."""

    event: str
    value: float
    key: str | None = None


class Activate(Asked):
    """A deferred decision that has been shown."""

    event: str


class Ranks(Asked):
    """Decisions, answered one by one."""

    calls: list[Rank]


class Rewards(Asked):
    """Rewards, answered one by one."""

    calls: list[RewardValue]


class Activations(Asked):
    """Activations, answered one by one."""

    calls: list[Activate]


class Settings(Asked):
    """Settings of a loop by name, as `hybandit.Loop` takes them."""

    settings: Features = field(default_factory=dict)


class Rollback(Asked):
    """The version to go back to."""

    version: int


class Switch(Asked):
    """The policy that decides from now on, by its name."""

    policy: str


class EventsQuery(Asked):
    """Which events: those after a number, of one action, at most so many."""

    after: Annotated[int, Meta(ge=0, lt=2**62)] = 0
    limit: Annotated[int, Meta(ge=1, le=MOST_EVENTS)] = 100
    action: str | None = None


class CurveQuery(Asked):
    """How many points."""

    points: Annotated[int, Meta(ge=1, le=MOST_POINTS)] = 60


class Chance(Struct, frozen=True):
    """An action and its probability."""

    action: str
    probability: float


class Ranked(Struct, frozen=True):
    """A decision; send the reward to its event."""

    event: str
    action: str
    probability: float
    ranking: list[Chance]
    version: int

    @classmethod
    def of(cls, decided: RankedDecision) -> Ranked:
        ranking = [Chance(*pair) for pair in decided.ranking]
        return cls(decided.event, decided.action, decided.probability, ranking, decided.version)


class Problem(Struct, frozen=True, omit_defaults=True):
    """Why a request was refused, and the parameter that it is about, if it is about one."""

    code: str
    message: str
    parameter: str | None = None


class Refused(Struct, frozen=True):
    """The answer to a request that was refused: it has changed nothing."""

    error: Problem


class Answer(Struct, frozen=True):
    """The answer to one call of a batch: its status, and the decision or the error."""

    status: int
    decision: Ranked | UnsetType = UNSET
    error: Problem | UnsetType = UNSET


class Answers(Struct, frozen=True):
    """The answers to a batch, in the order of its calls."""

    answers: list[Answer]


class Description(Struct, frozen=True):
    """A loop and its settings."""

    name: str
    policy: str
    version: int
    settings: Features


class Names(Struct, frozen=True):
    """The loops that the key may read."""

    loops: list[str]


class Version(Struct, frozen=True):
    """A version of the model."""

    version: int


class Events(Struct, frozen=True):
    """Events in order of arrival; `next` is what the next page comes after, null at the end."""

    events: list[Features]
    next: int | None


class Actions(Struct, frozen=True):
    """The actions of a loop, the one shown most in the last day first."""

    actions: list[Features]


class Point(Struct, frozen=True):
    """The mean reward of a stretch of the journal, which ends at this version."""

    version: int
    reward: float


class Curve(Struct, frozen=True):
    """The mean reward along the journal."""

    points: list[Point]


class History(Struct, frozen=True):
    """What happened over time, in at most 240 stretches of equal length."""

    stretches: list[Features]


class Models(Struct, frozen=True):
    """The versions whose models are stored."""

    models: list[StoredModel]


class Health(Struct, frozen=True):
    """Whether the server works."""

    status: str
    at: datetime
