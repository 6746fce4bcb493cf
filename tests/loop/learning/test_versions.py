import io
import tracemalloc
from dataclasses import replace

import numpy as np
import pytest

from hybandit.errors import ModelFileError, StoreError
from hybandit.loop.learning.model import LoopModel
from hybandit.loop.learning.snapshots import packed
from hybandit.loop.learning.versions import Versions, distance
from hybandit.loop.settings import checked
from hybandit.loop.storage.contract import IMPORT, ROLLBACK
from hybandit.loop.storage.database import Database
from hybandit.testing.storage import AT_ONCE, an_event

SETTINGS = checked({})[0]


@pytest.fixture
def versions(tmp_path):
    storage = Database(tmp_path / "loop.db")
    yield Versions(storage, SETTINGS)
    storage.close()


def extend(versions, count, **content):
    for _ in range(count):
        number = versions._storage.counts()["events"]
        event = replace(an_event(f"e{number}", at=float(number)), **content)
        versions._storage.add_event(event)
        versions._storage.add_reward(f"e{number}", number % 3, float(number), AT_ONCE)


def same(first, second):
    mine, other = first.state(), second.state()
    return all(np.array_equal(mine[name], other[name]) for name in mine)


def roll_back(versions, version):
    return versions._storage.append(ROLLBACK, 1.0, versions.content(version), target=version)


def test_the_way_leads_through_roll_backs(versions):
    extend(versions, 10)
    roll_back(versions, 4)
    extend(versions, 3)
    roll_back(versions, 13)
    extend(versions, 2)
    by_hand = LoopModel(SETTINGS)
    for position in (1, 2, 3, 4, 12, 13, 16, 17):
        by_hand.learn(versions._storage.entries(position - 1, 1)[0])
    assert same(versions.at(17), by_hand)
    assert same(versions.at(17, use_snapshots=False), by_hand)
    assert [versions.in_force(n, 17) for n in (4, 5, 10, 12, 14, 16)] == [
        True, False, False, True, False, True,
    ]  # fmt: skip


def test_the_nearest_leads_straight_on(versions):
    extend(versions, 5)
    assert versions.nearest(5)[1] == 0
    versions._storage.write_snapshot(3, versions.content(3), 1.0)
    model, position = versions.nearest(5)
    assert position == 3
    assert same(model, versions.at(3, use_snapshots=False))
    roll_back(versions, 2)
    extend(versions, 1)
    versions._storage.delete_snapshots([6])
    model, position = versions.nearest(7)
    assert position == 6
    assert same(model, versions.at(2))


def test_a_snapshot_of_other_widths_is_passed_over(versions):
    extend(versions, 3)
    settings = SETTINGS | {"context_width": 8}
    other = LoopModel(settings)
    versions._storage.write_snapshot(2, packed(other.state(), 2, other.policy), 1.0)
    assert same(versions.at(3), versions.at(3, use_snapshots=False))


def test_an_imported_model_that_is_gone_is_told(versions):
    versions._storage.append(IMPORT, 1.0, b"not a model", policy="default")
    with pytest.raises(StoreError, match="version 1, where it starts, is damaged"):
        versions.at(1)


def test_what_a_roll_back_went_back_to_can_be_forgotten(versions):
    extend(versions, 6)
    roll_back(versions, 2)
    extend(versions, 2)
    before = versions.at(9, use_snapshots=False)
    assert versions.last_to_forget(4.5) == 5
    versions._storage.set_base(5, versions.content(5), 9.0)
    list(versions._storage.forget(4.5, 10))
    assert same(versions.at(9), before)
    assert same(versions.at(9, use_snapshots=False), before)
    assert versions.policy_at(9) == before.policy
    assert list(versions.verified()) == [(5, 0.0), (7, 0.0)]


def test_snapshots_are_verified_along_every_way(versions):
    extend(versions, 6)
    for position in (2, 5):
        versions._storage.write_snapshot(position, versions.content(position), 1.0)
    roll_back(versions, 3)
    extend(versions, 2)
    versions._storage.write_snapshot(9, versions.content(9), 1.0)
    assert list(versions.verified()) == [(2, 0.0), (5, 0.0), (7, 0.0), (9, 0.0)]


def test_a_snapshot_that_is_not_what_the_journal_says_is_found(versions):
    extend(versions, 4)
    versions._storage.write_snapshot(2, versions.content(3), 1.0)
    versions._storage.write_snapshot(3, b"junk", 1.0)
    versions._storage.write_snapshot(4, versions.content(4), 1.0)
    (_, wrong), (_, damaged), (_, right) = versions.verified()
    assert wrong > 1e-3
    assert damaged is None
    assert right > 1e-3, "content(4) started from the wrong snapshot, as the loop would"


def test_a_snapshot_that_is_deleted_meanwhile_is_not_called_damaged(versions):
    extend(versions, 3)
    for position in (1, 2, 3):
        versions._storage.write_snapshot(position, versions.content(position), 1.0)
    found = versions.verified()
    assert next(found) == (1, 0.0)
    versions._storage.delete_snapshots([2])
    assert list(found) == [(3, 0.0)]


def test_distance():
    one = {"a": np.array([1.0, 100.0]), "b": np.zeros(0)}
    assert distance(one, one) == 0.0
    assert distance(one, {**one, "a": np.array([2.0, 100.0])}) == pytest.approx(0.01)
    assert distance(one, {**one, "a": np.zeros(3)}) == np.inf


def test_a_model_with_an_array_too_many_is_refused(versions):
    extend(versions, 3)
    model = versions.at(3)
    content = packed({**model.state(), "strange": np.zeros(3)}, 3, model.policy)
    with pytest.raises(ModelFileError, match="it has an array 'strange' too many"):
        versions.read(content, "it")


def test_a_model_that_would_grow_when_unpacked_is_refused_before_it_is(versions):
    extend(versions, 3)
    model, file = versions.at(3), io.BytesIO()
    small = {"manifest": np.array(manifest_of(versions.content(3))), **model.state()}
    np.savez_compressed(file, **small, bomb=np.zeros(4_000_000))
    assert len(file.getvalue()) < 2_000_000
    tracemalloc.start()
    with pytest.raises(ModelFileError, match="its members are compressed"):
        versions.read(file.getvalue(), "it")
    assert tracemalloc.get_traced_memory()[1] < 5_000_000
    tracemalloc.stop()


def manifest_of(content):
    with np.load(io.BytesIO(content)) as file:
        return str(file["manifest"])


@pytest.mark.parametrize(
    ("array", "value"),
    [("names/policy/_stack/mixer/scales", 1e300), ("names/policy/_stack/rewards/count", 2**62)],
)
def test_values_that_would_ruin_the_model_later_are_refused(versions, array, value):
    extend(versions, 30, features=("{}", "{}"))
    arrays = {name: each.copy() for name, each in versions.at(30).state().items()}
    assert array in arrays, sorted(arrays)
    arrays[array].flat[:] = value
    with pytest.raises(ModelFileError):
        versions.read(packed(arrays, 3, "default"), "it").try_out()
