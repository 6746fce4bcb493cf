import numpy as np
import pytest

from hybandit.datasets import Graph
from hybandit.environments import NetworkExploration
from hybandit.errors import InvalidInput


def random_graph(n_nodes=60, seed=0):
    generator = np.random.default_rng(seed)
    ring = np.column_stack([np.arange(n_nodes), np.roll(np.arange(n_nodes), -1)])
    chords = generator.integers(0, n_nodes, (n_nodes, 2))
    edges = np.sort(np.concatenate([ring, chords[chords[:, 0] != chords[:, 1]]]), axis=1)
    return Graph(n_nodes, np.unique(edges, axis=0))


def neighbours_of(graph):
    return {
        node: {b if a == node else a for a, b in graph.edges.tolist() if node in (a, b)}
        for node in range(graph.n_nodes)
    }


def test_rounds_follow_a_plain_reading_of_the_rules():
    graph = random_graph()
    around = neighbours_of(graph)
    world = NetworkExploration(graph, seed=4, budget=30, start=0.2)
    rounds = iter(world)
    turn = next(rounds)
    probed, seen = set(np.flatnonzero(world._probed).tolist()), None
    generator = np.random.default_rng(1)
    while turn is not None:
        seen = probed.union(*(around[node] for node in probed))
        assert world.n_seen == len(seen)
        assert turn.nodes.tolist() == sorted(seen - probed)
        rows = []
        for node in turn.nodes.tolist():
            degrees = [len(around[other]) for other in around[node] & probed]
            rows.append([len(degrees), np.mean(degrees), np.median(degrees), 1.0])
        expected = np.array(rows) / np.max(rows, axis=0)
        np.testing.assert_allclose(turn.contexts, expected)
        place = int(generator.integers(len(turn.nodes)))
        node = int(turn.nodes[place])
        assert turn.probe(place) == turn.reward == len(around[node] - seen)
        probed.add(node)
        turn = next(rounds, None)


def test_the_start_sees_the_share_asked_for_by_a_connected_walk():
    graph = random_graph(200)
    world = NetworkExploration(graph, seed=0, start=0.3)
    next(iter(world))
    assert world.n_seen >= 60
    before_last = world.n_seen - max(len(each) for each in neighbours_of(graph).values()) - 1
    assert before_last < 60


def test_the_seed_decides_the_start_and_each_loop_begins_again():
    world = NetworkExploration(random_graph(), seed=7, budget=5, start=0.1)
    first, second = ([turn.probe(0) for turn in world] for _ in range(2))
    assert first == second
    other = next(iter(NetworkExploration(random_graph(), seed=8, start=0.1)))
    assert other.nodes.tolist() != next(iter(world)).nodes.tolist()


def test_it_ends_with_the_budget_or_when_all_is_probed():
    graph = random_graph(20)
    assert len([turn.probe(0) for turn in NetworkExploration(graph, seed=0, budget=3)]) == 3
    world = NetworkExploration(graph, seed=0, budget=1000)
    gains = [turn.probe(0) for turn in world]
    assert len(gains) < 20
    assert world.n_seen == 20
    assert len(world) == 1000


@pytest.mark.parametrize("seed", range(3))
def test_what_is_gained_is_what_is_seen(seed):
    world = NetworkExploration(random_graph(100, seed), seed=seed, budget=20, start=0.1)
    rounds = iter(world)
    turn = next(rounds)
    total = world.n_seen
    while turn is not None:
        total += turn.probe(len(turn.nodes) - 1)
        turn = next(rounds, None)
    assert world.n_seen == total


def test_the_budget_is_at_least_one_probe():
    with pytest.raises(InvalidInput, match="'budget' must be a whole number of at least 1; got 0"):
        NetworkExploration(Graph(2, np.array([[0, 1]])), seed=0, budget=0)
