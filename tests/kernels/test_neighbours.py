import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from hybandit.kernels import neighbours

few = settings(max_examples=60, deadline=None)
# Few distinct integers, so that equal distances are everywhere and exact.
cases = st.fixed_dictionaries(
    {
        "n_arms": st.integers(1, 4),
        "size": st.integers(0, 40),
        "width": st.sampled_from([1, 2, 3, 40]),
        "shared": st.booleans(),
        "seed": st.integers(0, 2**32 - 1),
    }
)


def made(n_arms, size, width, shared, seed):
    generator = np.random.default_rng(seed)
    points = generator.integers(0, 3, (size + 5, width)).astype(float)
    # Slots are taken in any order, and some (arm -1) are free.
    owners = generator.integers(-1, n_arms, size + 5)
    arrivals = generator.permutation(3 * (size + 5))[: size + 5]
    queries = generator.integers(0, 3, (1 if shared else n_arms, width)).astype(float)
    ks = generator.integers(0, 7, n_arms)
    return neighbours.Entries(points, owners, np.zeros(size + 5), arrivals), size, queries, ks


def plain(entries, size, queries, ks):
    """Each arm's (distances, indices) by a stable sort of its entries from the oldest on."""
    points, owners, _, arrivals = entries
    lists = []
    for arm, k in enumerate(ks):
        own = np.flatnonzero(owners[:size] == arm)
        own = own[np.argsort(arrivals[own])]
        squares = ((points[own] - queries[arm if len(queries) > 1 else 0]) ** 2).sum(axis=1)
        order = np.argsort(squares, kind="stable")[:k]
        lists.append((squares[order].tolist(), own[order].tolist()))
    return lists


def scanned(entries, size, queries, ks):
    near = neighbours.empty_lists(len(ks), ks.max())
    neighbours.scan(entries, size, queries, ks, near)
    return [
        (near.distances[arm, :count].tolist(), near.indices[arm, :count].tolist())
        for arm, count in enumerate(near.found)
    ]


@few
@given(cases)
def test_the_nearest_are_those_of_a_stable_sort(case):
    problem = made(**case)
    assert scanned(*problem) == plain(*problem)


def test_equal_distances_give_the_older_entry_first():
    points = np.array([[1.0], [-1.0], [1.0], [0.5]])
    for arrivals, expected in (([0, 1, 2, 3], [3, 0, 1]), ([8, 5, 4, 9], [3, 2, 1])):
        entries = neighbours.Entries(points, np.zeros(4, np.int64), np.zeros(4), np.array(arrivals))
        found = scanned(entries, 4, np.zeros((1, 1)), np.array([3]))
        assert found == [([0.25, 1.0, 1.0], expected)]


@few
@given(
    st.lists(st.lists(st.integers(0, 4), max_size=6), min_size=1, max_size=5), st.integers(1, 12)
)
def test_merging_sorts_all_arms_entries_by_distance_then_age(lists, k):
    generator = np.random.default_rng(len(lists))
    ages = generator.permutation(sum(map(len, lists)))
    distances, indices = np.zeros((len(lists), 6)), np.zeros((len(lists), 6), np.int64)
    everything, start = [], 0
    for arm, values in enumerate(lists):
        own = sorted(zip(values, ages[start : start + len(values)].tolist(), strict=True))
        start += len(values)
        everything += own
        for rank, (distance, age) in enumerate(own):
            distances[arm, rank], indices[arm, rank] = distance, age
    found = np.array([len(values) for values in lists])
    slots = generator.permutation(max(1, len(ages)))
    arrivals = np.argsort(slots)
    squares, places, counts = one = neighbours.empty_lists(1, k)
    neighbours.merge(neighbours.Neighbours(distances, slots[indices], found), arrivals, one)
    expected = sorted(everything)[:k]
    assert places[0, : counts[0]].tolist() == [slots[age] for _, age in expected]
    assert squares[0, : counts[0]].tolist() == [distance for distance, _ in expected]
