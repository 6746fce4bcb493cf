import numpy as np
import pytest

from hybandit.environments import ItemWorld
from hybandit.environments.items import ITEM_WORLDS

kinds = pytest.mark.parametrize("kind", ITEM_WORLDS)


def small(kind, seed=0, **settings):
    return ItemWorld(kind, **{"n_items": 120, "rounds": 300, **settings}, seed=seed)


@kinds
def test_rounds_have_the_sizes_asked_for_and_items_keep_their_features(kind):
    seen = {}
    for turn in small(kind, n_context=3, n_item=4, candidates=7):
        assert turn.context.shape == (3,)
        assert turn.items.shape == (7, 4)
        assert len(set(turn.ids)) == 7
        for name, item in zip(turn.ids, turn.items, strict=True):
            assert seen.setdefault(name, item.tolist()) == item.tolist()
        assert turn.best == turn.means.max()


def test_clicks_come_late_and_are_rare():
    turns = list(small("clicks", rounds=4000))
    assert np.mean([turn.delay for turn in turns]) == pytest.approx(200, rel=0.1)
    assert np.mean([turn.rewards for turn in turns]) < 0.08
    assert not any(turn.delay for turn in small("bilinear"))


def test_in_a_catalogue_items_come_and_leave_for_good():
    life = {}
    for number, turn in enumerate(small("catalogue")):
        for name in turn.ids:
            life.setdefault(name, []).append(number)
    assert max(rounds[-1] - rounds[0] for rounds in life.values()) < 300 * 24 / 96 + 4
    assert set(next(iter(small("catalogue"))).ids) <= set(range(24))
    last = list(small("catalogue"))[-1]
    assert min(last.ids) >= 120 - 24 - 1


def test_in_clusters_items_arrive():
    turns = list(small("clusters"))
    assert max(turns[0].ids) < 20
    assert max(max(turn.ids) for turn in turns[-50:]) > 100
    assert all(0.02 <= mean <= 0.2 for turn in turns for mean in turn.means)
