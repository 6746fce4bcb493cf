"""Exploration of a graph of which only the probed part is visible, and the task of it."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from typing import ClassVar

import numpy as np

from hybandit.datasets import Graph, find_dataset
from hybandit.environments import Outcome
from hybandit.environments.play import seconds_since
from hybandit.errors import InvalidInput
from hybandit.experiments.runs import Run
from hybandit.experiments.specs import PolicySpec
from hybandit.experiments.task_environment import TaskEnvironment
from hybandit.paper.players.probers import make_prober
from hybandit.state import Floats, Integers
from hybandit.validation.settings import whole

WORLD = 1
STAY = 0.99
FEATURES = ("degree", "mean neighbour degree", "median neighbour degree", "probed neighbours")


@dataclass
class ProbeRound:
    """One probe: the candidates, their features, and the result of the chosen one."""

    nodes: Integers
    contexts: Floats
    _exploration: NetworkExploration = field(repr=False)
    reward: int = 0

    def probe(self, place: int) -> int:
        """Probe the candidate at this place; returns how many nodes are seen first now."""
        self.reward = self._exploration.probe(int(self.nodes[place]))
        return self.reward


class NetworkExploration:
    """Probe nodes one by one, to see as many as possible.

    The start is a random walk (0.99 to a random neighbour, else to any node) until
    `start` of all nodes are seen; nodes walked on are probed, and probing shows all
    neighbours. Then each round probes one node that is seen and not yet probed; its
    reward is the number of nodes seen for the first time.

    Features of a candidate on the graph as seen so far, each divided by its largest value:
    degree, mean and median degree of its neighbours, share of probed neighbours. (Edges
    are seen only from a probed end, so a candidate's last feature is 1.)

    Examples
    --------
    >>> path = Graph(4, np.array([[0, 1], [1, 2], [2, 3]]))
    >>> exploration = NetworkExploration(path, seed=1, budget=4, start=0.5)
    >>> for turn in exploration:
    ...     new_nodes = turn.probe(0)
    >>> exploration.n_seen
    4
    """

    results_version: ClassVar[int] = 1
    n_arms = 1
    n_features = len(FEATURES)

    def __init__(self, graph: Graph, *, seed: int, budget: int = 1000, start: float = 0.05) -> None:
        whole(1).check("budget", budget)
        if not 0.0 < start <= 1.0:
            raise InvalidInput("start", "a share above 0, at most 1", start)
        self.graph = graph
        self.seed = seed
        self.budget = budget
        self.start = start
        both = np.concatenate([graph.edges, graph.edges[:, ::-1]])
        order = np.argsort(both[:, 0], kind="stable")
        bounds = np.cumsum(np.bincount(both[:, 0], minlength=graph.n_nodes))[:-1]
        self._neighbours = np.split(both[order, 1], bounds)
        self._degrees = np.array([len(each) for each in self._neighbours])

    def __len__(self) -> int:
        return self.budget

    def __iter__(self) -> Iterator[ProbeRound]:
        self._begin()
        for _ in range(self.budget):
            nodes = np.flatnonzero(self._seen & ~self._probed)
            if not len(nodes):
                return
            features = self._features[nodes]
            yield ProbeRound(nodes, features / np.maximum(features.max(axis=0), 1e-12), self)

    @property
    def n_seen(self) -> int:
        return int(self._seen.sum())

    def probe(self, node: int) -> int:
        """Show all neighbours of a node; returns how many were not seen before."""
        neighbours = self._neighbours[node]
        new = int((~self._seen[neighbours]).sum())
        self._seen[neighbours] = True
        self._seen[node] = self._probed[node] = True
        for each in neighbours.tolist():
            degrees = self._seen_from.setdefault(each, [])
            degrees.append(int(self._degrees[node]))
            self._features[each] = (len(degrees), np.mean(degrees), np.median(degrees), 1.0)
        return new

    def _begin(self) -> None:
        count = self.graph.n_nodes
        self._seen, self._probed = np.zeros(count, bool), np.zeros(count, bool)
        self._features = np.zeros((count, len(FEATURES)))
        self._seen_from: dict[int, list[int]] = {}
        generator = np.random.default_rng([self.seed, WORLD])
        node = int(generator.integers(count))
        while True:
            if not self._probed[node]:
                self.probe(node)
            if self.n_seen >= self.start * count:
                return
            if generator.random() < STAY and len(self._neighbours[node]):
                node = int(generator.choice(self._neighbours[node]))
            else:
                node = int(generator.integers(count))


@dataclass(frozen=True)
class NetworkTask(TaskEnvironment):
    """The AstroPh graph. Rewards are divided by `scale` before they are learned.

    With None they are divided by the largest so far, so that equal probes become worth less.
    """

    budget: int = 1000
    scale: float | None = None

    results_version: ClassVar[int] = NetworkExploration.results_version

    def __post_init__(self) -> None:
        if self.scale is not None and not self.scale > 0.0:
            raise InvalidInput("scale", "above 0, or None for the largest so far", self.scale)

    @property
    def dataset_name(self) -> str:
        return "ca-astroph"

    @property
    def size(self) -> tuple[int, int]:
        return self.budget, NetworkExploration.n_features

    def run(self, policy: PolicySpec, seed: int) -> Run:
        prober = make_prober(policy, seed)
        exploration = NetworkExploration(astroph(), seed=seed, budget=self.budget)
        make_prober(policy, 0).choose(np.ones((2, exploration.n_features)))
        rewards: list[float] = []
        start = time.process_time()
        for turn in exploration:
            place = prober.choose(turn.contexts)
            rewards.append(float(turn.probe(place)))
            prober.learn(turn.contexts[place], rewards[-1] / (self.scale or max(1.0, *rewards)))
        outcome = Outcome(np.array(rewards), np.empty(0), seconds_since(start))
        return Run.of(outcome, seen=exploration.n_seen)


@lru_cache(maxsize=1)
def astroph() -> Graph:
    """The largest connected part of the co-authorship graph."""
    graph: Graph = find_dataset("ca-astroph").load()
    return graph.giant_component()
