import numpy as np

from hybandit.estimators.blocks import Blocks
from hybandit.kernels.blocks import LANES


def asked(blocks, contexts, room):
    """Slots nearest to zero, and how far."""
    log = contexts, np.arange(len(contexts)), len(contexts)
    squares, slots, found = np.empty((1, room)), np.empty((1, room), np.int64), np.zeros(1, int)
    if not blocks.search(*log, np.zeros((1, contexts.shape[1])), squares, slots, found):
        return None
    return slots[0, : found[0]].tolist(), squares[0, : found[0]].tolist()


def test_entries_come_and_go():
    contexts = np.arange(1.0, 4 * LANES)[:, None]
    blocks = Blocks(contexts, np.arange(10))
    for slot in range(10, len(contexts)):
        blocks.put(contexts, slot)
    slots, squares = asked(blocks, contexts, room=3)
    assert slots == [0, 1, 2]
    assert squares == [1.0, 4.0, 9.0]
    blocks.discard(1)
    assert asked(blocks, contexts, room=3)[0] == [0, 2, 3]
    contexts[1] = 0.5
    blocks.put(contexts, 1)
    assert asked(blocks, contexts, room=3)[0] == [1, 0, 2]


def test_room_grows_with_the_slots():
    contexts = np.ones((5 * LANES, 2))
    blocks = Blocks(contexts[:1], np.arange(1))
    for slot in range(1, len(contexts)):
        blocks.put(contexts, slot)
    assert asked(blocks, contexts, room=1000)[0] == list(range(len(contexts)))


def test_fewer_than_asked_are_all():
    contexts = np.array([[2.0], [1.0], [3.0]])
    blocks = Blocks(contexts, np.array([0, 1]))
    assert asked(blocks, contexts, room=3)[0] == [1, 0]


def test_too_long_for_single_precision_is_no_answer():
    contexts = np.array([[1e60], [1.0]])
    assert asked(Blocks(contexts, np.arange(2)), contexts, room=1) is None
