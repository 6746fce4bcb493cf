import io
import json

import numpy as np
import pytest

from hybandit.errors import ModelFileError
from hybandit.loop.learning.snapshots import packed, unpacked

ARRAYS = {"model/weights": np.array([0.1, -0.0, 1e-300]), "contexts/counts": np.arange(3)}


def test_arrays_come_back_bit_for_bit():
    arrays, policy = unpacked(packed(ARRAYS, 7, "ucb"), "it")
    assert policy == "ucb"
    assert {name: array.tobytes() for name, array in arrays.items()} == {
        name: array.tobytes() for name, array in ARRAYS.items()
    }


@pytest.mark.parametrize("place", [0, 100, -30])
def test_damage_is_noticed(place):
    content = bytearray(packed(ARRAYS, 7, "ucb"))
    content[place] ^= 0xFF
    content[place + 1] ^= 0xFF
    with pytest.raises(ModelFileError):
        unpacked(bytes(content), "it")


def test_half_a_snapshot_is_none():
    content = packed(ARRAYS, 7, "ucb")
    for size in (0, 10, len(content) // 2, len(content) - 1):
        with pytest.raises(ModelFileError):
            unpacked(content[:size], "it")


@pytest.mark.parametrize(
    ("manifest", "told"),
    [
        ({"format": "other", "version": 1, "policy": "ucb"}, "not a model of a loop"),
        ({"format": "hybandit-loop", "version": 2, "policy": "ucb"}, "has format 2.*update"),
        ({"format": "hybandit-loop"}, "damaged"),
    ],
)
def test_foreign_and_newer_ones_are_refused(manifest, told):
    file = io.BytesIO()
    np.savez(file, manifest=np.array(json.dumps(manifest)))
    with pytest.raises(ModelFileError, match=told):
        unpacked(file.getvalue(), "it")
