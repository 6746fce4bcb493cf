from benchmarks.long_life import walk


def test_a_choice_through_the_tree_is_a_short_walk():
    calls = walk()
    assert "tree_search.search" in calls
    assert len(calls) <= 45
