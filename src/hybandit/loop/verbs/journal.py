"""The journal for analysis: as a table, and as a log with exact probabilities."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import numpy as np

from hybandit.features import HashingEncoder
from hybandit.loop.storage.contract import EventHistory

if TYPE_CHECKING:
    import pandas as pd

    from hybandit.evaluation import ItemLog

COLUMNS = [
    "event", "at", "context", "actions", "action", "probability", "probabilities",
    "preferred", "baseline", "version", "seed", "excluded", "reward", "rewards", "late", "closed",
    "kind", "number",
]  # fmt: skip


def table(histories: Iterable[EventHistory]) -> pd.DataFrame:
    """A row for each event."""
    import pandas as pd

    return pd.DataFrame([_record(history) for history in histories], columns=COLUMNS)


def log(
    histories: Iterable[EventHistory], contexts: HashingEncoder, actions: HashingEncoder
) -> ItemLog:
    """The closed events as vectors. Columns and scales are learned along the way, as the loop did.

    An event is encoded only with what was known before it.
    """
    from hybandit.evaluation import ItemLog

    closed = [
        (history.closing.position, history) for history in histories if history.closing is not None
    ]
    rows, items, names, choices, rewards, propensities = [], [], [], [], [], []
    for _, history in sorted(closed, key=lambda pair: pair[0]):
        event = history.event
        out = set(event.excluded)
        places = [n for n in range(len(event.names)) if n not in out]
        offered = [actions.read(event.features[n], event.names[n]) for n in places]
        rows.append(contexts.encode([contexts.read(event.context)])[0])
        items.append(actions.encode(offered))
        names.append(tuple(event.names[n] for n in places))
        choices.append(places.index(event.choice))
        rewards.append(history.closing.reward if history.closing else 0.0)
        propensities.append(np.array([event.probabilities[n] for n in places]))
        contexts.learn(event.context)
        actions.learn(event.features[event.choice], event.names[event.choice])
    return ItemLog(
        np.array(rows).reshape(-1, contexts.width), items, names,
        np.array(choices, np.int64), np.array(rewards, np.float64), propensities,
    )  # fmt: skip


def _record(history: EventHistory) -> dict[str, Any]:
    import pandas as pd

    event, closing = history.event, history.closing
    features = [json.loads(text) for text in event.features]
    return {
        "number": history.number,
        "event": event.id,
        "at": pd.Timestamp(event.at, unit="s", tz="UTC"),
        "context": json.loads(event.context),
        "actions": dict(zip(event.names, features, strict=True)),
        "action": event.names[event.choice],
        "probability": event.probabilities[event.choice],
        "probabilities": list(event.probabilities),
        "preferred": event.names[event.preferred],
        "baseline": event.names[event.baseline],
        "version": event.version,
        "seed": event.seed,
        "excluded": [event.names[place] for place in event.excluded],
        "reward": closing.reward if closing else None,
        "rewards": [reward.value for reward in history.rewards],
        "late": sum(reward.late for reward in history.rewards),
        "closed": closing.position if closing else None,
        "kind": closing.kind if closing else None,
    }
