"""The kinds of world a task can name, and how each is run."""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np

from hybandit.datasets import Graph, Log, Table, find_dataset, is_file, read_csv
from hybandit.environments import (
    Classification,
    Environment,
    NetworkExploration,
    Outcome,
    Replay,
    Synthetic,
    play,
)
from hybandit.errors import UnknownName
from hybandit.estimators.index import TreeIndex, tree_from
from hybandit.experiments.plain import PlainHybrid
from hybandit.experiments.probing import make_prober
from hybandit.experiments.store import Run
from hybandit.experiments.tasks import Task
from hybandit.experiments.theory_checks import checked
from hybandit.features import OnlineRows, encode, unit_rows
from hybandit.names import suggestion
from hybandit.policies import make_policy
from hybandit.state import Floats

CURVE_POINTS = 200
# LNUCB-TA in plain NumPy, by the name it has in tasks.
PLAIN = "plain-lnucb-ta"
# Where an experiment does not say how many rounds: the whole table, up to the paper's T.
MOST_ROUNDS = 10_000


def run_task(task: Task) -> Run:
    """Run one task from its seed, in this process."""
    kind = task.world.kind
    if kind not in WORLDS:
        raise UnknownName(f"no world is called {kind!r}{suggestion(kind, WORLDS)}")
    return WORLDS[kind](task)


def summarised(outcome: Outcome, **extra: Any) -> Run:
    """Totals, and cumulative curves at up to CURVE_POINTS rounds."""
    rounds = len(outcome.rewards)
    at = np.unique(np.linspace(1, rounds, min(CURVE_POINTS, rounds)).round().astype(int))
    regrets = outcome.regrets.cumsum()[at - 1].tolist() if len(outcome.regrets) else []
    return Run(
        rounds=rounds,
        reward=outcome.reward,
        regret=outcome.regret if len(outcome.regrets) else None,
        seconds=outcome.seconds,
        at=at.tolist(),
        rewards=outcome.rewards.cumsum()[at - 1].tolist(),
        regrets=regrets,
        extra=extra,
    )


def played(task: Task, environment: Environment) -> Run:
    """A policy played once through an environment."""
    sizes = environment.n_arms, environment.n_features
    if task.policy.name == PLAIN:
        return summarised(play(PlainHybrid(*sizes, **task.policy.settings), environment))
    settings = {"seed": task.seed, **task.policy.settings}
    warm_up(task.policy.name, sizes[1], len(environment) >= tree_from(sizes[1]))
    return summarised(play(make_policy(task.policy.name, *sizes, **settings), environment))


@lru_cache
def warm_up(policy: str, n_features: int, long: bool) -> None:
    """Compile what a policy needs before it is timed, once in a process; a tree in a long run."""
    learner = make_policy(policy, 2, n_features, seed=0)
    for number in range(2):
        context = np.full(n_features, 1.0 + number)
        learner.learn(context, number % 2, 1.0)
        learner.choose(context)
    if long:
        TreeIndex.compiled()


def classification(task: Task) -> Run:
    """Settings: data, encoding, rounds (default: all rows, at most 10,000), rewards."""
    settings = task.world.settings
    table, encoding = read_table(settings["data"]), settings.get("encoding", "standard")
    if encoding == "online" and not table.one_unit:
        contexts: Floats | OnlineRows = OnlineRows(table.frame)
    else:
        contexts = encoded_table(settings["data"], encoding)
    labels = table.labels
    environment = Classification(
        contexts,
        labels,
        seed=task.seed,
        rounds=settings.get("rounds") or min(len(labels), MOST_ROUNDS),
        rewards=tuple(settings.get("rewards", (0.0, 1.0))),
    )
    return played(task, environment)


def replay(task: Task) -> Run:
    """Settings: contexts (arm or shared), scale (raw, unit or standard), matches."""
    settings = task.world.settings
    contexts = settings.get("contexts", "arm")
    log = news_log(contexts, settings.get("scale", "raw"))
    environment = Replay(
        log.arms, log.rewards, log.features, contexts=contexts, matches=settings.get("matches", 800)
    )
    return played(task, environment)


def synthetic(task: Task) -> Run:
    """Settings: those of `Synthetic`."""
    return played(task, Synthetic(seed=task.seed, **task.world.settings))


def network(task: Task) -> Run:
    """Settings: budget. Rewards are scaled by the largest so far before they are learned."""
    budget = task.world.settings.get("budget", 1000)
    prober = make_prober(task.policy.name, task.seed, **task.policy.settings)
    exploration = NetworkExploration(astroph(), seed=task.seed, budget=budget)
    make_prober(task.policy.name, 0, **task.policy.settings).choose(np.ones((2, 4)))
    rewards: list[float] = []
    start = time.perf_counter()
    for turn in exploration:
        place = prober.choose(turn.contexts)
        rewards.append(float(turn.probe(place)))
        prober.learn(turn.contexts[place], rewards[-1] / max(1.0, *rewards))
    seconds = time.perf_counter() - start
    outcome = Outcome(np.array(rewards), np.empty(0), seconds)
    return summarised(outcome, seen=exploration.n_seen)


WORLDS: dict[str, Callable[[Task], Run]] = {
    "classification": classification,
    "replay": replay,
    "synthetic": synthetic,
    "network": network,
    "theory": checked,
}


@lru_cache(maxsize=2)
def read_table(data: str) -> Table:
    """A data set by name, or a CSV file by path."""
    table: Table = read_csv(Path(data)) if is_file(data) else find_dataset(data).load()
    return table


@lru_cache(maxsize=4)
def encoded_table(data: str, encoding: str) -> Floats:
    """The contexts of a data set, all rows at once."""
    return read_table(data).encoded(encoding)


@lru_cache(maxsize=1)
def astroph() -> Graph:
    """The part of the co-authorship graph that hangs together."""
    graph: Graph = find_dataset("ca-astroph").load()
    return graph.giant_component()


@lru_cache(maxsize=4)
def news_log(contexts: str, scale: str) -> Log:
    """The news log with its features scaled over what one context is."""
    log: Log = find_dataset("news").load()
    features = log.features
    flat = features.reshape(len(features), -1) if contexts == "shared" else features.reshape(-1, 10)
    if scale == "unit":
        flat = unit_rows(flat)
    elif scale == "standard":
        import pandas as pd

        flat = encode(pd.DataFrame(flat), "standard-raw")
    return Log(log.arms, log.rewards, flat.reshape(features.shape))
