"""Made-up logs whose truth is known: what the tests of the estimators are held to."""

from __future__ import annotations

from dataclasses import fields
from typing import NamedTuple

import numpy as np

from hybandit.evaluation.models import predictions
from hybandit.evaluation.progressive import Replaying, Scores, Walk, rows_of, scores_of

ARMS = 4
WORLD = np.random.default_rng(7)
LOGGING = WORLD.normal(size=(ARMS, 3))
REWARDS = WORLD.normal(size=(ARMS, 3))
TARGET = WORLD.normal(size=(ARMS, 3))


class Known(NamedTuple):
    arms: np.ndarray
    rewards: np.ndarray
    contexts: np.ndarray
    propensities: np.ndarray  # of every arm
    target: np.ndarray  # of every arm
    means: np.ndarray  # of every arm


def softmax(scores):
    powers = np.exp(scores - scores.max(axis=1, keepdims=True))
    return powers / powers.sum(axis=1, keepdims=True)


def means_of(contexts):
    return 1.0 / (1.0 + np.exp(-contexts @ REWARDS.T))


def known_log(count, seed):
    """Clicks, by a logging policy that looks at the context; another one is the target."""
    generator = np.random.default_rng([seed, 1])
    contexts = generator.normal(size=(count, 3))
    propensities = softmax(0.5 * contexts @ LOGGING.T)
    arms = (generator.random((count, 1)) < propensities.cumsum(axis=1)).argmax(axis=1)
    means = means_of(contexts)
    rewards = (generator.random(count) < means[np.arange(count), arms]).astype(float)
    return Known(arms, rewards, contexts, propensities, softmax(contexts @ TARGET.T), means)


def true_value(count=1_000_000):
    contexts = np.random.default_rng(99).normal(size=(count, 3))
    return float((softmax(contexts @ TARGET.T) * means_of(contexts)).sum(axis=1).mean())


def score(policy, log, *, learn="all", learn_every=1, model=None, threshold=np.inf, tick=None):
    """What a walk says of each event, from all batches of the log."""
    walk = Walk(policy, learn=learn, every=learn_every)
    never = None if log.of_items else log.facts.chosen == 0
    parts = []
    for batch in log.batches(rows_of(log, learn_every)):
        values = None if model is None else predictions(model, batch)
        chances = walk.chances(batch, tick)
        parts.append(scores_of(batch, chances, values, never=never, threshold=threshold))
    return Scores(
        *(np.concatenate([getattr(part, each.name) for part in parts]) for each in fields(Scores))
    )


def replay_matches(policy, log, **options):
    """Which events match, from all batches of the log."""
    replaying = Replaying(policy, log, **options)
    return np.concatenate([replaying.matched(batch) for batch in log.batches(rows_of(log))])
