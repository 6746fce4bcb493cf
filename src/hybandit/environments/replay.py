"""A log of decisions, walked through again."""

from __future__ import annotations

from collections.abc import Iterator

from hybandit.datasets import check_arms
from hybandit.environments.rounds import LoggedRound
from hybandit.errors import InvalidInput
from hybandit.state import Floats, Integers


class Replay:
    """Offline evaluation by replay: only events whose logged arm is chosen count.

    On a match the policy learns and the round counts; any other event is skipped, with no
    learning and no round. Unbiased where the logged arms were uniformly random.

    Parameters
    ----------
    features
        (events, n_arms, d): every arm's features in every event.
    contexts
        ``arm``: each arm has its own row. ``shared``: all features for every arm.
    matches
        Stop after so many.

    References
    ----------
    Li, Chu, Langford, Wang (2011). Unbiased offline evaluation of contextual-bandit-based
    news article recommendation algorithms. WSDM.

    Examples
    --------
    >>> import numpy as np
    >>> log = Replay(np.array([0, 1]), np.array([1.0, 0.5]), np.zeros((2, 2, 1)), matches=5)
    >>> [turn.reward(1) for turn in log]
    [None, 0.5]
    """

    def __init__(
        self,
        arms: Integers,
        rewards: Floats,
        features: Floats,
        *,
        contexts: str = "arm",
        matches: int = 800,
    ) -> None:
        if contexts not in ("arm", "shared"):
            raise InvalidInput("contexts", "'arm' or 'shared'", contexts)
        if matches < 1:
            raise InvalidInput("matches", "at least 1", matches)
        check_arms(arms, features.shape[1])
        self.arms = arms
        self.rewards = rewards
        self.contexts = features if contexts == "arm" else features.reshape(len(arms), -1)
        self.matches = matches
        self.n_arms = features.shape[1]
        self.n_features = self.contexts.shape[-1]

    def __len__(self) -> int:
        return self.matches

    def __iter__(self) -> Iterator[LoggedRound]:
        left = self.matches
        for arm, reward, context in zip(self.arms, self.rewards, self.contexts, strict=True):
            if not left:
                return
            event = LoggedRound(context, int(arm), float(reward))
            yield event
            left -= event.matched
