"""What one request may bring at most."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

from hybandit.errors import InvalidInput, Unquoted


@dataclass(frozen=True)
class Limits:
    """Limits of one request; how deep features nest is the loop's own rule.

    Parameters
    ----------
    body
        Bytes of a request.
    actions, features
        Actions of one decision, and values in its context and all its actions together.
    calls
        Entries of a batch.
    rate
        Requests of one key in a second, in each process.
    connections
        Connections that are open at the same time, in each process.
    seconds
        How long a client may take to send a body.
    """

    body: int = 1_000_000
    actions: int = 1_000
    features: int = 20_000
    calls: int = 1_000
    rate: int = 1_000
    connections: int = 1_000
    seconds: float = 30.0

    def __post_init__(self) -> None:
        for name, value in asdict(self).items():
            if not value > 0:
                raise InvalidInput(f"limits.{name}", "above 0", value)

    def check_request(self, context: Any, actions: Any) -> None:
        """Refuse a decision with too many actions or features, before it costs much."""
        if len(actions) > self.actions:
            found = Unquoted(f"{len(actions):,}")
            raise InvalidInput("actions", f"at most {self.actions:,} actions", found)
        if _exceeds([context, actions], self.features):
            rule = f"at most {self.features:,} values in the context and all actions together"
            raise InvalidInput("features", rule, Unquoted("more"))

    def check_calls(self, count: int) -> None:
        if not 0 < count <= self.calls:
            raise InvalidInput("calls", f"1 to {self.calls:,} calls", Unquoted(f"{count:,}"))


def _exceeds(values: list[Any], most: int) -> bool:
    """Whether there are more values than that, in all depths of what JSON has."""
    count, containers = 0, values[:]
    for each in containers:  # It grows meanwhile.
        count += len(each)
        if count > most + len(containers):
            return True
        found = each.values() if type(each) is dict else each
        containers += [value for value in found if type(value) is dict or type(value) is list]
    return count - len(containers) + len(values) > most
