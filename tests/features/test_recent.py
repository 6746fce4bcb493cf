import tracemalloc

import pytest

from hybandit.features import HashingEncoder
from hybandit.features.hashing import KEPT_BYTES
from hybandit.features.recent import RecentResults


@pytest.fixture
def recent():
    return RecentResults(1000, lambda key, value: value)


def test_no_more_is_held_than_allowed(recent):
    for key in range(100):
        assert recent.keep(key, 10) == 10
    assert (recent.get(0), recent.held) == (10, 1000)
    recent.keep("new", 10)
    assert (recent.get(0), recent.get("new"), recent.held) == (None, 10, 10)


def test_large_results_are_not_kept(recent):
    assert recent.keep("large", 11) == 11
    assert (recent.get("large"), recent.held) == (None, 0)


def test_an_encoder_of_ever_new_texts_stays_small():
    """With a bound on the number of entries alone these took some hundred megabytes."""
    encoder = HashingEncoder(64)
    tracemalloc.start()
    for number in range(9000):
        text = f'{{"a{number:04}": "{chr(0x4E00 + number % 100) * 3000}"}}'
        encoder.read(text)
        encoder.learn(text)
    held = tracemalloc.get_traced_memory()[0]
    tracemalloc.stop()
    assert encoder._recent.held <= KEPT_BYTES
    assert held < 2 * KEPT_BYTES


def test_vectors_of_ever_new_lengths_stay_small():
    """With a bound on the number of lengths alone these took some hundred megabytes."""
    encoder = HashingEncoder(128)
    tracemalloc.start()
    for length in range(20_000, 20_016):
        encoder.read(f'{{"text": {[0.5] * length}}}')
    held = tracemalloc.get_traced_memory()[0]
    tracemalloc.stop()
    assert held < 4 * KEPT_BYTES
