import json
import subprocess
import sys

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hybandit.errors import InvalidInput, ModelFileError
from hybandit.features import HashingEncoder
from hybandit.features.hashing import FURTHEST
from hybandit.features.records import canonical

WIDTH = 64
VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.floats(allow_nan=False, min_value=-1e100, max_value=1e100)
    | st.integers(-(10**90), 10**90)
    | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=20,
)
RECORDS = st.dictionaries(st.text(), VALUES, max_size=6)


def row(features, encoder=None, name=None):
    """As it is encoded; by an encoder of its own after it has learned this very record."""
    text = canonical("context", features)
    if encoder is None:
        encoder = HashingEncoder(WIDTH)
        encoder.learn(text, name)
    return encoder.encode([encoder.read(text, name)])[0]


def taught(*records, width=WIDTH):
    encoder = HashingEncoder(width)
    for record in records:
        encoder.learn(canonical("context", record))
    return encoder


def full(width=WIDTH):
    """An encoder that has no free column."""
    return taught({f"k{number}": "x" for number in range(width)}, width=width)


def named(features):
    return [feature for feature, _, _ in HashingEncoder(WIDTH).explain(json.dumps(features))][1:]


@pytest.mark.parametrize(
    ("features", "names"),
    [
        ({"town": "Ulm"}, ["town=Ulm"]),
        ({"member": True, "old": False}, ["member=true", "old=false"]),
        ({"age": 34}, ["age"]),
        ({"zip": "89073"}, ["zip=89073", "zip"]),
        ({"age": None, "tags": [], "user": {}}, []),
        ({"user": {"town": "Ulm", "age": 3}}, ["user.town=Ulm", "user.age"]),
        ({"tags": ["a", "b", None]}, ["tags=a", "tags=b"]),
        ({"place": [48.4, 10.0]}, ["place[0]", "place[1]"]),
        ({"seen": [{"id": "x"}, {"id": "y"}]}, ["seen.id=x", "seen.id=y"]),
        ({"few": [1.5] * 7}, [f"few[{place}]" for place in range(7)]),
        ({"short": [1.5] * 8}, [f"short[8]~{place}" for place in range(8)]),
        ({"text": [0.1] * 384}, [f"text[384]~{place}" for place in range(WIDTH // 2)]),
        ({"mixed": [1.5] * 40 + ["a"]}, [f"mixed[{place}]" for place in range(40)] + ["mixed=a"]),
        ({"grid": [["a"], ["b"]]}, ["grid[0]=a", "grid[1]=b"]),
        ({"": ""}, ["="]),
    ],
)
def test_what_becomes_what(features, names):
    assert named(features) == names


def test_the_constant_is_always_there_and_alone_in_its_column():
    assert row({}).tolist() == [1.0] + [0.0] * (WIDTH - 1)
    assert row({str(key): "x" for key in range(1000)})[0] == 1.0


def test_a_text_is_1_in_a_column_of_its_own():
    assert row({"town": "Ulm", "team": "Ulm"}).tolist() == [1.0] * 3 + [0.0] * (WIDTH - 3)


def test_what_was_never_learned_is_nothing():
    encoder = taught({"town": "Ulm"})
    assert np.array_equal(row({"town": "Bonn", "age": 7}, encoder), row({}))
    assert encoder.explain('{"age":7}')[1] == ("age", None, 0.0)


def test_columns_are_given_in_the_order_of_learning_and_stay():
    encoder = taught({"b": "x"}, {"a": "x", "b": "x"}, {"c": 3})
    told = encoder.explain('{"a":"x","b":"x","c":3}')
    assert [column for _, column, _ in told] == [0, 2, 1, 3]


def test_a_feature_that_comes_twice_in_a_record_has_one_column():
    assert row({"tags": ["a", "a"], "town": "Ulm"})[1:3] == pytest.approx([2**0.5, 1.0])


def test_later_features_share_columns_by_hash_and_sign():
    encoder = full(16)
    rows = np.array([row({"town": f"t{number}"}, encoder)[1:] for number in range(400)])
    assert set(np.abs(rows).sum(axis=1)) == {1.0}
    assert (np.abs(rows).sum(axis=0) > 10).all(), "columns are used unevenly"
    assert abs(rows.sum()) < 80, "signs are uneven"


def test_numbers_that_share_a_column_have_a_scale_of_their_own():
    encoder = full()
    for age in (20, 40, 60):
        encoder.learn(canonical("context", {"age": age, "height": 1000 * age}))
    deviation = np.std([20, 40, 60])
    told = {feature: value for feature, _, value in encoder.explain('{"age":50,"height":50000}')}
    assert abs(told["age"]) == pytest.approx(10 / deviation)
    assert abs(told["height"]) == pytest.approx(10 / deviation)


def test_numbers_are_told_in_deviations_from_the_mean_learned():
    encoder = taught({"age": 20}, {"age": 40}, {"age": 60})
    deviation = np.std([20, 40, 60])
    assert row({"age": 50}, encoder)[1] == pytest.approx(10 / deviation)
    assert not row({"age": 40}, encoder)[1:].any()
    assert row({"age": -1e9}, encoder)[1] == -FURTHEST
    small = taught({"age": 2e-50}, {"age": 4e-50}, {"age": 6e-50})
    assert np.allclose(row({"age": 5e-50}, small), row({"age": 50}, encoder))


def test_a_constant_number_says_nothing():
    encoder = taught(*[{"year": 2026}] * 3)
    assert not row({"year": 2026}, encoder)[1:].any()
    assert row({"year": 2026.5}, encoder)[1] == 0.5


def test_encoding_learns_nothing():
    encoder = taught({"age": 20})
    before = {name: array.copy() for name, array in encoder.state().items()}
    row({"age": 99, "new": 1.5}, encoder)
    encoder.explain('{"age":99}')
    for name, array in encoder.state().items():
        assert np.array_equal(array, before[name])


def test_a_number_that_turns_up_as_text_keeps_what_was_learned():
    encoder = taught({"age": 20}, {"age": 40}, {"age": 60})
    number = row({"age": 60}, encoder)
    assert np.array_equal(row({"age": "60"}, encoder), number)
    encoder.learn('{"age":"40"}')
    rest = row({"age": "40"}, encoder) - row({"age": 40}, encoder)
    assert abs(rest).sum() == 1.0, "the text adds its own column and nothing else"


def test_a_list_of_ten_thousand_strings_weighs_as_one():
    encoded = row({"tags": [f"tag {number}" for number in range(10_000)]}, full())
    assert np.isfinite(encoded).all()
    assert np.linalg.norm(encoded[1:]) == pytest.approx(1.0, rel=0.3)


def vectors(count, length=384, hidden=10):
    """Numbers that lie near a space of few directions, as a model's do, away from 0."""
    generator = np.random.default_rng(0)
    near = generator.normal(size=(count, hidden)) @ generator.normal(size=(hidden, length))
    return 5.0 + near + 0.1 * generator.normal(size=near.shape)


def test_a_vector_leaves_columns_to_others_and_keeps_distances():
    found = vectors(200)
    encoder = taught(*({"text": each.tolist(), "town": "Ulm", "age": 3} for each in found))
    rows = np.array([row({"text": each.tolist()}, encoder) for each in found])
    told = encoder.explain('{"age":3,"town":"Ulm"}')
    own = {column for _, column, _ in told}
    assert len(own) == 3
    assert (rows[:, list(own - {0})] == 0.0).all()
    whole = np.linalg.norm(found[:100] - found[100:], axis=1)
    projected = np.linalg.norm(rows[:100] - rows[100:], axis=1)
    assert np.corrcoef(whole, projected)[0, 1] > 0.7


@pytest.mark.parametrize(("width", "columns"), [(64, 32), (32, 24), (16, 12), (2, 1)])
def test_a_vector_has_room_for_its_directions(width, columns):
    told = HashingEncoder(width).explain(json.dumps({"text": [0.1] * 384}))
    assert len(told) == 1 + columns


@pytest.mark.parametrize("length", [8, 20, 384])
def test_a_vector_weighs_more_than_a_number_and_less_than_all_its_columns(length):
    found = vectors(200, length)
    encoder = taught(*({"text": each.tolist()} for each in found))
    rows = np.array([row({"text": each.tolist()}, encoder) for each in found])
    assert np.mean((rows[:, 1:] ** 2).sum(axis=1)) == pytest.approx(2.0, rel=0.1)


def test_a_vector_of_another_length_is_another_feature():
    encoder = taught(*({"text": each.tolist()} for each in vectors(20)))
    assert row({"text": [0.5] * 100}, encoder)[1:].tolist() == [0.0] * (WIDTH - 1)


def test_a_vector_of_the_largest_numbers_stays_finite():
    encoder = taught({"text": [1e100, -1e100] * 100}, {"text": [-1e100, 1e100] * 100})
    assert np.isfinite(row({"text": [1e100] * 200}, encoder)).all()
    HashingEncoder(WIDTH).restore(encoder.state())


def test_what_collides_is_added():
    encoder = full(2)
    told = encoder.explain('{"a":"x","b":"y"}')
    assert [column for _, column, _ in told] == [0, 1, 1]
    assert row({"a": "x", "b": "y"}, encoder)[1] == told[1][2] + told[2][2]


def test_names_stand_in_for_features():
    encoder = HashingEncoder(4)
    for name in ("a", "b", "c", "d"):
        encoder.learn("{}", name)
    rows = [row({}, encoder, name).tolist() for name in ("a", "b", "c")]
    assert rows == [[1.0, 1.0, 0.0, 0.0], [1.0, 0.0, 1.0, 0.0], [1.0, 0.0, 0.0, 1.0]]
    assert np.abs(row({}, encoder, "d")[1:]) == pytest.approx(3**-0.5)
    assert np.array_equal(row({"topic": "x"}, encoder, "a"), row({"topic": "x"}, encoder, "b"))


def test_names_that_share_columns_differ():
    encoder = full()
    rows = np.array([row({}, encoder, f"arm {number}") for number in range(50)])
    assert len(np.unique(rows, axis=0)) == 50
    assert np.allclose(np.linalg.norm(rows[:, 1:], axis=1), 1.0)


def test_columns_are_the_same_in_every_process():
    code = (
        "from hybandit.features import HashingEncoder as H; e = H(8);"
        '[e.learn(\'{"t":"%s"}\' % n) for n in range(9)];'
        "print(e.encode([e.read('{\"a\":\"x\",\"b\":2}'), e.read('{}', 'n')]).tolist())"
    )
    encoder = HashingEncoder(8)
    for number in range(9):
        encoder.learn(f'{{"t":"{number}"}}')
    here = encoder.encode([encoder.read('{"a":"x","b":2}'), encoder.read("{}", "n")])
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True, text=True)
    assert json.loads(found.stdout) == here.tolist()


@settings(deadline=None)
@given(st.lists(RECORDS, max_size=6), RECORDS)
def test_anything_is_encoded_as_explained_and_finite(past, features):
    encoder = taught(*past, width=8)
    text = canonical("context", features)
    encoded = encoder.encode([encoder.read(text)])[0]
    assert np.isfinite(encoded).all()
    summed = np.zeros(8)
    for _, column, value in encoder.explain(text):
        if column is not None:
            summed[column] += value
    assert np.allclose(encoded, summed)


@given(st.lists(st.floats(-1e90, 1e90), min_size=1, max_size=30))
def test_scales_equal_those_of_numpy(numbers):
    encoder = taught(*({"x": number} for number in numbers))
    slot = int(np.flatnonzero(encoder.counts)[0])
    assert encoder.counts[slot] == len(numbers)
    size = max(map(abs, numbers))
    assert np.isclose(encoder.means[slot], np.mean(numbers), rtol=1e-9, atol=1e-9 * size)
    spread = np.sqrt(encoder.squares[slot] / len(numbers))
    assert np.isclose(spread, np.std(numbers), rtol=1e-6, atol=1e-7 * size)


def test_state_goes_out_and_in():
    encoder, other = taught({"age": 20, "height": [1, 2]}, {"\ud800": "x"}), taught({"size": 3})
    other.restore({name: array.copy() for name, array in encoder.state().items()})
    assert np.array_equal(row({"age": 25}, other), row({"age": 25}, encoder))
    for each in (encoder, other):
        each.learn('{"new":"x"}')
    assert encoder.explain('{"new":"x"}') == other.explain('{"new":"x"}')
    with pytest.raises(ModelFileError):
        other.restore({})


@pytest.mark.parametrize("feature", ["text[384]~0", "short[7]"])
def test_what_was_learned_of_vectors_as_an_older_version_took_them_is_refused(feature):
    state = taught({feature: 3}).state()
    taught({}).restore(state)
    del state["vectors"]
    with pytest.raises(ModelFileError, match="older"):
        taught({}).restore(state)


def test_what_was_learned_by_an_older_version_without_vectors_stays():
    encoder, other = taught({"place": [48.4, 10.0], "tags": ["a"] * 9}), taught({})
    other.restore({name: array for name, array in encoder.state().items() if name != "vectors"})
    assert np.array_equal(row({"place": [1, 2]}, other), row({"place": [1, 2]}, encoder))


@pytest.mark.parametrize(
    ("own", "told"),
    [
        ('["a","a"]', "twice"),
        (json.dumps([str(number) for number in range(WIDTH)]), "more features than columns"),
        ("[1]", "other things than str"),
        ('{"a":1}', "other things than str"),
        ("[", "damaged"),
    ],
)
def test_a_list_of_features_that_cannot_be(own, told):
    encoder = taught({"town": "Ulm"})
    state = encoder.state() | {"own": np.frombuffer(own.encode(), np.uint8)}
    with pytest.raises(ModelFileError, match=told):
        encoder.restore(state)
    assert row({"town": "Ulm"}, encoder)[1] == 1.0


@pytest.mark.parametrize("width", [1, 0, 2.0, "8", None, True])
def test_a_width_has_room_for_the_constant_and_more(width):
    with pytest.raises(InvalidInput, match="width"):
        HashingEncoder(width)
