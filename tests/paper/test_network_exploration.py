import numpy as np
import pytest

from hybandit.datasets import Graph
from hybandit.errors import InvalidInput
from hybandit.experiments.specs import PolicySpec
from hybandit.paper import network_exploration
from hybandit.paper.network_exploration import NetworkExploration, NetworkTask


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


def test_the_budget_is_at_least_one_probe():
    with pytest.raises(InvalidInput, match="'budget' must be a whole number of at least 1; got 0"):
        NetworkExploration(Graph(2, np.array([[0, 1]])), seed=0, budget=0)


def made_up_graph():
    """Hubs of different sizes in a ring: rewards of one probe differ."""
    hubs = np.arange(40)
    leaves = np.repeat(hubs, hubs % 7)
    ends = np.concatenate([np.roll(hubs, -1), 40 + np.arange(len(leaves))])
    edges = np.column_stack([np.concatenate([hubs, leaves]), ends])
    return Graph(40 + len(leaves), edges)


@pytest.mark.parametrize("scale", [None, 100.0])
def test_a_prober_learns_rewards_over_the_largest_so_far_or_a_fixed_number(monkeypatch, scale):
    learned = []

    class Spy:
        def choose(self, candidates):
            return len(learned) % len(candidates)

        def learn(self, candidate, reward):
            learned.append(reward)

    monkeypatch.setattr(network_exploration, "make_prober", lambda policy, seed: Spy())
    monkeypatch.setattr(network_exploration, "astroph", made_up_graph)
    run = NetworkTask(budget=40, scale=scale).run(PolicySpec("random-node"), 0)
    rewards = np.diff([0.0, *run.rewards])
    largest = scale or np.maximum.accumulate(np.maximum(rewards, 1.0))
    assert learned == pytest.approx((rewards / largest).tolist())
    assert max(rewards) > 1.0
    assert len(set(largest if scale is None else rewards)) > 1


def test_a_scale_of_rewards_is_above_zero():
    with pytest.raises(InvalidInput, match=r"'scale'.*above 0"):
        NetworkTask(scale=0.0)
