import numpy as np

from hybandit.estimators.blocks import Blocks
from hybandit.kernels.blocks import LANES


def asked(blocks, contexts, room):
    arrivals = np.arange(len(contexts))
    query = np.zeros((1, contexts.shape[1]))
    return blocks.nearest(contexts, arrivals, len(contexts), query, room)


def test_entries_come_and_go():
    contexts = np.arange(1.0, 4 * LANES)[:, None]
    blocks = Blocks(contexts, np.arange(10))
    for slot in range(10, len(contexts)):
        blocks.put(contexts, slot)
    slots, squares = asked(blocks, contexts, room=3)
    assert slots.tolist() == [0, 1, 2]
    assert squares.tolist() == [1.0, 4.0, 9.0]
    blocks.discard(1)
    assert asked(blocks, contexts, room=3)[0].tolist() == [0, 2, 3]
    contexts[1] = 0.5
    blocks.put(contexts, 1)
    assert asked(blocks, contexts, room=3)[0].tolist() == [1, 0, 2]


def test_room_grows_with_the_slots():
    contexts = np.ones((5 * LANES, 2))
    blocks = Blocks(contexts[:1], np.arange(1))
    for slot in range(1, len(contexts)):
        blocks.put(contexts, slot)
    assert asked(blocks, contexts, room=1000)[0].tolist() == list(range(len(contexts)))


def test_fewer_than_asked_are_all():
    contexts = np.array([[2.0], [1.0], [3.0]])
    blocks = Blocks(contexts, np.array([0, 1]))
    assert asked(blocks, contexts, room=3)[0].tolist() == [1, 0]


def test_too_long_for_single_precision_is_no_answer():
    contexts = np.array([[1e60], [1.0]])
    assert asked(Blocks(contexts, np.arange(2)), contexts, room=1) is None
