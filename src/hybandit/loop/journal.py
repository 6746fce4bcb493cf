"""The journal for analysis: as a table, and as a log with exact probabilities."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from hybandit.features import HashingEncoder
from hybandit.loop.storage import EventHistory
from hybandit.policies import ItemPolicy
from hybandit.state import Floats, Integers

if TYPE_CHECKING:
    import pandas as pd

    from hybandit.evaluation import ValueEstimate

COLUMNS = [
    "event", "at", "context", "actions", "action", "probability", "probabilities", "preferred",
    "version", "seed", "excluded", "reward", "rewards", "late", "closed", "kind",
]  # fmt: skip


@dataclass(frozen=True)
class ItemLog:
    """Decisions among items that changed from one to the next, in order of closing.

    Attributes
    ----------
    contexts
        (events, context width).
    items, names
        For each event, the actions that could be chosen: (n, action width), and their names.
    choices
        The place of the one that was chosen among them.
    propensities
        For each event, the probability of every one of them.
    """

    contexts: Floats
    items: Sequence[Floats]
    names: Sequence[tuple[str, ...]]
    choices: Integers
    rewards: Floats
    propensities: Sequence[Floats]

    def __len__(self) -> int:
        return len(self.choices)


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
    closed = [
        (history.closing.position, history) for history in histories if history.closing is not None
    ]
    rows, items, names, choices, rewards, propensities = [], [], [], [], [], []
    for _, history in sorted(closed, key=lambda pair: pair[0]):
        event = history.event
        places = [n for n in range(len(event.names)) if n not in set(event.excluded)]
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


def judged(policy: ItemPolicy, log: ItemLog) -> tuple[ValueEstimate, ValueEstimate]:
    """Estimate what a policy would have earned per event in place of the loop: IPS and SNIPS.

    The policy learns along the way, and decides on each event before it learns it.

    Examples
    --------
    >>> import hybandit, tempfile
    >>> folder = tempfile.TemporaryDirectory()
    >>> with hybandit.Loop(f"{folder.name}/loop.db", context_width=4, action_width=4) as loop:
    ...     for number in range(20):
    ...         decision = loop.rank({"age": number}, {"tea": {"hot": 1}, "beer": {"hot": 0}})
    ...         loop.reward(decision.event, float(decision.action == "tea"))
    ...     log = loop.log()
    >>> by_ips, by_snips = judged(hybandit.ItemHybrid(4, 4, seed=0), log)
    >>> by_snips.value > 0.5
    True
    >>> folder.cleanup()
    """
    from hybandit.evaluation import ips, snips

    target, chosen = np.empty(len(log)), np.empty(len(log))
    for number, choice in enumerate(log.choices.tolist()):
        context, items, names = log.contexts[number], log.items[number], log.names[number]
        target[number] = policy.decide(context, items, ids=names).probabilities[choice]
        chosen[number] = log.propensities[number][choice]
        policy.learn(context, items[choice], log.rewards[number], id=names[choice])
    return ips(log.rewards, chosen, target), snips(log.rewards, chosen, target)


def _record(history: EventHistory) -> dict[str, Any]:
    import pandas as pd

    event, closing = history.event, history.closing
    features = [json.loads(text) for text in event.features]
    return {
        "event": event.id,
        "at": pd.Timestamp(event.at, unit="s", tz="UTC"),
        "context": json.loads(event.context),
        "actions": dict(zip(event.names, features, strict=True)),
        "action": event.names[event.choice],
        "probability": event.probabilities[event.choice],
        "probabilities": list(event.probabilities),
        "preferred": event.names[event.preferred],
        "version": event.version,
        "seed": event.seed,
        "excluded": [event.names[place] for place in event.excluded],
        "reward": closing.reward if closing else None,
        "rewards": [reward.value for reward in history.rewards],
        "late": sum(reward.late for reward in history.rewards),
        "closed": closing.position if closing else None,
        "kind": closing.kind if closing else None,
    }
