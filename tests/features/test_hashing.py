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
    encoder = encoder or HashingEncoder(WIDTH)
    return encoder.encode([encoder.read(canonical("context", features), name)])[0]


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
        ({"grid": [["a"], ["b"]]}, ["grid[0]=a", "grid[1]=b"]),
        ({"": ""}, ["="]),
    ],
)
def test_what_becomes_what(features, names):
    assert named(features) == names


def test_the_constant_is_always_there_and_alone_in_its_column():
    assert row({}).tolist() == [1.0] + [0.0] * (WIDTH - 1)
    assert row({str(key): "x" for key in range(1000)})[0] == 1.0


def test_a_text_is_one_sign_in_one_column():
    encoded = row({"town": "Ulm"})
    assert np.count_nonzero(encoded) == 2
    assert abs(encoded[1:]).sum() == 1.0


def test_numbers_are_told_in_deviations_from_the_mean_learned():
    encoder = HashingEncoder(WIDTH)
    for age in (20, 40, 60):
        encoder.learn(encoder.read(canonical("context", {"age": age})))
    deviation = np.std([20, 40, 60])
    assert abs(row({"age": 50}, encoder)[1:].sum()) == pytest.approx(10 / deviation)
    assert not row({"age": 40}, encoder)[1:].any()
    assert abs(row({"age": 1e9}, encoder)[1:].sum()) == FURTHEST
    small = HashingEncoder(WIDTH)
    for age in (2e-50, 4e-50, 6e-50):
        small.learn(small.read(canonical("context", {"age": age})))
    assert np.allclose(row({"age": 5e-50}, small), row({"age": 50}, encoder))


def test_a_constant_number_says_nothing():
    encoder = HashingEncoder(WIDTH)
    for _ in range(3):
        encoder.learn(encoder.read('{"year":2026}'))
    assert not row({"year": 2026}, encoder)[1:].any()
    assert abs(row({"year": 2026.5}, encoder)[1:].sum()) == 0.5


def test_encoding_learns_nothing():
    encoder = HashingEncoder(WIDTH)
    encoder.learn(encoder.read('{"age":20}'))
    before = {name: array.copy() for name, array in encoder.state().items()}
    row({"age": 99, "new": 1.5}, encoder)
    encoder.explain('{"age":99}')
    for name, array in encoder.state().items():
        assert np.array_equal(array, before[name])


def test_a_number_that_turns_up_as_text_keeps_what_was_learned():
    encoder = HashingEncoder(WIDTH)
    for age in (20, 40, 60):
        encoder.learn(encoder.read(canonical("context", {"age": age})))
    number, text = row({"age": 60}, encoder), row({"age": "60"}, encoder)
    rest = text - number
    assert abs(rest).sum() == 1.0, "the text adds its own column and nothing else"


def test_a_list_of_ten_thousand_strings_weighs_as_one():
    encoded = row({"tags": [f"tag {number}" for number in range(10_000)]})
    assert np.isfinite(encoded).all()
    assert np.linalg.norm(encoded[1:]) == pytest.approx(1.0, rel=0.3)


def test_what_collides_is_added():
    encoder = HashingEncoder(2)
    told = encoder.explain('{"a":"x","b":"y"}')
    assert [column for _, column, _ in told] == [0, 1, 1]
    assert row({"a": "x", "b": "y"}, encoder)[1] == told[1][2] + told[2][2]


def test_names_stand_in_for_features_and_differ():
    names = [f"arm {number}" for number in range(50)]
    rows = np.array([row({}, name=name) for name in names])
    assert len(np.unique(rows, axis=0)) == 50
    assert np.allclose(np.linalg.norm(rows[:, 1:], axis=1), 1.0)
    assert np.array_equal(row({"topic": "x"}, name="a"), row({"topic": "x"}, name="b"))


def test_columns_are_the_same_in_every_process():
    code = (
        "from hybandit.features import HashingEncoder as H;"
        "e = H(64); print(e.encode([e.read('{\"a\":\"x\",\"b\":2}'), e.read('{}', 'n')]).tolist())"
    )
    encoder = HashingEncoder(64)
    here = encoder.encode([encoder.read('{"a":"x","b":2}'), encoder.read("{}", "n")])
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True, text=True)
    assert json.loads(found.stdout) == here.tolist()


@settings(deadline=None)
@given(st.lists(RECORDS, max_size=6), RECORDS)
def test_anything_is_encoded_as_explained_and_finite(past, features):
    encoder = HashingEncoder(16)
    for record in past:
        encoder.learn(encoder.read(canonical("context", record)))
    text = canonical("context", features)
    encoded = encoder.encode([encoder.read(text)])[0]
    assert np.isfinite(encoded).all()
    summed = np.zeros(16)
    for _, column, value in encoder.explain(text):
        summed[column] += value
    assert np.allclose(encoded, summed)


@given(st.lists(st.floats(-1e90, 1e90), min_size=1, max_size=30))
def test_scales_equal_those_of_numpy(numbers):
    encoder = HashingEncoder(2)
    for number in numbers:
        encoder.learn(encoder.read(canonical("context", {"x": number})))
    slot = int(np.flatnonzero(encoder.counts)[0])
    assert encoder.counts[slot] == len(numbers)
    size = max(map(abs, numbers))
    assert np.isclose(encoder.means[slot], np.mean(numbers), rtol=1e-9, atol=1e-9 * size)
    spread = np.sqrt(encoder.squares[slot] / len(numbers))
    assert np.isclose(spread, np.std(numbers), rtol=1e-6, atol=1e-7 * size)


def test_state_goes_out_and_in():
    encoder, other = HashingEncoder(WIDTH), HashingEncoder(WIDTH)
    encoder.learn(encoder.read('{"age":20,"height":[1,2]}'))
    other.restore({name: array.copy() for name, array in encoder.state().items()})
    assert np.array_equal(row({"age": 25}, other), row({"age": 25}, encoder))
    with pytest.raises(ModelFileError):
        other.restore({})


@pytest.mark.parametrize("width", [1, 0, 2.0, "8", None, True])
def test_a_width_has_room_for_the_constant_and_more(width):
    with pytest.raises(InvalidInput, match="width"):
        HashingEncoder(width)
