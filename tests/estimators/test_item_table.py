import json

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hybandit.errors import ModelFileError
from hybandit.estimators.item_table import ItemTable

few = settings(max_examples=60, deadline=None)
names = st.one_of(st.integers(-3, 3), st.sampled_from(["-1", "0", "1", "", "ünïcode", "\ud800"]))


class Twin:
    """A list of what was learned, longest ago first."""

    def __init__(self, most):
        self.most = most
        self.past = {}

    def learn(self, name, z, reward):
        entries = self.past.pop((type(name), name), [])
        if not entries and len(self.past) == self.most:
            del self.past[next(iter(self.past))]
        self.past[type(name), name] = [*entries, (z, reward)]

    def forget(self, name):
        self.past.pop((type(name), name), None)


@few
@given(
    st.lists(st.tuples(st.booleans(), names, st.integers(0, 9)), max_size=80), st.integers(1, 20)
)
def test_it_remembers_the_items_last_learned(steps, most):
    table, twin = ItemTable(2, most), Twin(most)
    for forgets, name, number in steps:
        if forgets and number < 3:
            table.forget(name)
            twin.forget(name)
        else:
            z = np.array([number, 1.0])
            table.learn(name, z, float(number))
            twin.learn(name, z, float(number))
    assert [(type(name), name) for name in table.ids()] == list(twin.past)
    assert len(table) == len(twin.past)
    again = ItemTable(2, most)
    again.restore(table.state())
    for each in (table, again):
        rows = each.rows(table.ids())
        assert rows.tolist() == [each.row(name) for name in table.ids()]
        assert len({0, *rows.tolist()}) == len(rows) + 1
        for row, entries in zip(rows, twin.past.values(), strict=True):
            assert each.counts[row] == len(entries)
            assert each.totals[row] == sum(reward for _, reward in entries)
            assert each.features[row].tolist() == sum(z for z, _ in entries).tolist()
        unseen = each.rows(["never", 99])
        assert each.rows_of(None, 2).tolist() == unseen.tolist()
        assert each.rows_of(table.ids(), len(table)).tolist() == rows.tolist()
        assert not each.counts[unseen].any()
        assert not each.features[unseen].any()


@few
@given(st.lists(st.one_of(st.none(), names), max_size=60), st.floats(0.01, 0.99))
def test_with_forget_a_reward_counts_less_by_each_later_one(learned, forget):
    table = ItemTable(1, max_items=100, forget=forget)
    for number, name in enumerate(learned):
        table.learn(name, np.array([float(number)]), number + 1.0)
    again = ItemTable(1, max_items=100, forget=forget)
    again.restore(table.state())
    known = table.ids()
    weights = [
        [(forget ** (len(learned) - 1 - at), at) for at, each in enumerate(learned)
         if type(each) is type(name) and each == name]
        for name in known
    ]  # fmt: skip
    for each in (table, again):
        past = each.past(each.rows([*known, "never"]))
        found = [part[past.rows] for part in (past.counts, past.totals, past.features[:, 0])]
        for row, own in enumerate(weights):
            expected = [
                sum(weight for weight, _ in own),
                sum(weight * (at + 1.0) for weight, at in own),
                sum(weight * at for weight, at in own),
            ]
            np.testing.assert_allclose([part[row] for part in found], expected, rtol=1e-9)
        assert [part[-1] for part in found] == [0.0, 0.0, 0.0]


def test_the_first_16_items_have_columns_and_others_random_signs():
    table = ItemTable(1, 100)
    assert not table.codes([0, "0"]).any()
    for name in range(20):
        table.learn(name, np.ones(1), 1.0)
    codes = table.codes(range(20))
    assert codes[:16].tolist() == np.eye(16).tolist()
    assert np.abs(codes[16:]).tolist() == [[0.25] * 16] * 4
    one, text = table.codes([100, "100"])
    assert one.tolist() != text.tolist()
    assert table.codes([100])[0].tolist() == one.tolist()


def test_items_are_described_by_their_features_or_else_by_the_codes_of_their_ids():
    table = ItemTable(1, 100)
    for name in ("a", "b"):
        table.learn(name, np.ones(1), 1.0)
    features = np.array([[1.0, 2.0], [3.0, 4.0]])
    assert table.described(features, ["a", "b"]).tolist() == features.tolist()
    without = np.empty((2, 0))
    assert table.described(without, ["b", "a"]).tolist() == np.eye(16)[[1, 0]].tolist()
    assert table.described(without, None).tolist() == np.zeros((2, 16)).tolist()


def test_a_column_is_never_given_to_a_second_item():
    table = ItemTable(1, 100)
    table.learn("a", np.ones(1), 1.0)
    table.forget("a")
    table.learn("b", np.ones(1), 1.0)
    assert table.codes(["b"])[0].argmax() == 1


def test_random_signs_are_the_same_in_every_process():
    table = ItemTable(1, 100)
    table.arrived = 16
    assert "".join("-+"[int(sign > 0)] for sign in table.codes(["x"])[0]) == "++-++--++--+----"


@pytest.mark.parametrize(
    ("ids", "message"),
    [
        (b"[1", "damaged"),
        (b"[1.5, 2]", "other things"),
        (b"[true, 2]", "other things"),
        (b'{"a": 1}', "other things"),
        (b"[1, 1]", "twice"),
    ],
)
def test_a_damaged_list_of_items_is_refused(ids, message):
    table = ItemTable(1, 100)
    for name in (1, 2):
        table.learn(name, np.ones(1), 1.0)
    arrays = {**table.state(), "ids": np.frombuffer(ids, np.uint8)}
    with pytest.raises(ModelFileError, match=message):
        table.restore(arrays)


def test_more_items_than_there_may_be_are_refused():
    table = ItemTable(1, 100)
    for name in range(3):
        table.learn(name, np.ones(1), 1.0)
    assert json.loads(table.state()["ids"].tobytes()) == [0, 1, 2]
    with pytest.raises(ModelFileError, match="max_items"):
        ItemTable(1, 2).restore(table.state())
