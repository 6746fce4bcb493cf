"""What is played: contexts, the reward of every arm, and what it is on average."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache

import numpy as np
from sklearn.datasets import load_breast_cancer, load_iris, load_wine

from hybandit.datasets import find_dataset

ROUNDS = {"adult": 10_000, "magic": 10_000, "mnist": 10_000}
SHIPPED = {"wine": load_wine, "cancer": load_breast_cancer, "iris": load_iris}
# The length of the arms' linear parts at which the oracle earns 1.16 of the best constant arm.
LINEAR_PART = 0.35


@lru_cache(maxsize=2)
def table(name, encoding="standard"):
    """Contexts and labels of a whole data set; ``raw`` are the columns as they are.

    An earlier version of hybandit gets today's contexts, with the constant column of tables.
    """
    if name in SHIPPED:
        found = SHIPPED[name]()
        return np.ascontiguousarray(found.data, float), found.target
    loaded = find_dataset(name).load()
    if encoding == "raw":
        return loaded.frame.to_numpy(float), loaded.labels
    if not loaded.one_unit:
        loaded = replace(loaded, frame=loaded.frame.assign(**{"": "1"}))
    return np.ascontiguousarray(loaded.encoded(encoding)), loaded.labels


def shuffled(contexts, labels, seed, rounds):
    order = np.random.default_rng(seed).permutation(len(labels))[:rounds]
    rewards = (labels[order][:, None] == np.arange(labels.max() + 1)).astype(float)
    return np.ascontiguousarray(contexts[order]), rewards, rewards


def people(seed, rounds=600):
    """Age and income; two arms, the right one told by a ring or by a product of the two."""
    generator = np.random.default_rng([seed, 7])
    age = generator.uniform(18, 80, rounds)
    income = np.exp(generator.uniform(np.log(1e4), np.log(2e5), rounds))
    years, wealth = (age - 49) / 18, (np.log(income) - np.log(4.5e4)) / 0.86
    right = years * wealth > 0 if seed % 2 else years**2 + wealth**2 > 1.8
    rewards = np.c_[~right, right].astype(float)
    return np.c_[age, income], rewards, rewards


def offsets(seed, rounds=4000, n_arms=6, n_features=10):
    """Arms better everywhere by 0 to 0.3, a linear part of fixed length, noise of sd 0.5."""
    generator = np.random.default_rng([seed, 3])
    contexts = generator.normal(size=(rounds, n_features))
    contexts /= np.linalg.norm(contexts, axis=1, keepdims=True)
    levels = generator.permutation(np.linspace(0, 0.3, n_arms))
    slopes = generator.normal(size=(n_arms, n_features))
    slopes *= LINEAR_PART / np.linalg.norm(slopes, axis=1, keepdims=True)
    means = levels + contexts @ slopes.T
    return contexts, means + 0.5 * generator.normal(size=means.shape), means


def flipped(seed, share=0.3):
    contexts, labels = table("digits")
    generator = np.random.default_rng([seed, 9])
    wrong = generator.random(len(labels)) < share
    labels = np.where(wrong, generator.integers(0, 10, len(labels)), labels)
    return shuffled(contexts, labels, seed, len(labels))


def world(name, seed):
    """(contexts, rewards, means) by name, such as ``digits``, ``digits raw``, ``people``."""
    data, _, kind = name.partition(" ")
    if data in ("people", "offsets", "flipped"):
        return {"people": people, "offsets": offsets, "flipped": flipped}[data](seed)
    contexts, labels = table(data, "raw" if kind in ("raw", "times 1000") else "standard")
    rounds = ROUNDS.get(data, len(labels))
    contexts, rewards, means = shuffled(contexts, labels, seed, rounds)
    if kind == "times 1000":
        contexts = 1000.0 * contexts
    elif kind == "rewards times 1000":
        rewards = 1000.0 * rewards
    elif kind == "rewards times 0.001":
        rewards = 0.001 * rewards
    elif kind == "rewards plus 1000":
        rewards = rewards + 1000.0
    elif kind == "long tail":
        rare = np.random.default_rng([seed, 5]).random(rewards.shape) < 0.001
        rewards = np.where(rare, 100.0 * rewards, rewards)
    return contexts, rewards, means
