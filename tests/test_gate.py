import copy
import pickle
import threading
import time

import pytest

from hybandit.gate import Gate

LONG = 20.0


def started(*targets):
    threads = [threading.Thread(target=target, daemon=True) for target in targets]
    for thread in threads:
        thread.start()
    return threads


def joined(threads):
    for thread in threads:
        thread.join(LONG)
        assert not thread.is_alive(), "a thread waits for ever"


def test_readers_are_inside_together():
    gate, meet = Gate(), threading.Barrier(3, timeout=LONG)

    def read():
        me = gate.read()
        try:
            meet.wait()
        finally:
            gate.readers.remove(me)

    joined(started(read, read, read))
    assert gate.readers == []


def test_a_writer_is_alone():
    gate, inside, seen = Gate(), [], []

    def read():
        for _ in range(300):
            me = gate.read()
            try:
                seen.append("writer" in inside)
            finally:
                gate.readers.remove(me)

    def write():
        for _ in range(100):
            me = gate.write()
            try:
                seen.append(bool(inside) or bool(gate.readers[1:]))
                inside.append("writer")
                time.sleep(1e-5)
                inside.pop()
            finally:
                gate.writers.remove(me)

    joined(started(read, read, read, write, write))
    assert len(seen) == 1100
    assert not any(seen)


def test_a_waiting_writer_goes_before_new_readers():
    gate, order = Gate(), []
    me = gate.read()

    def write():
        mine = gate.write()
        order.append("writer")
        gate.writers.remove(mine)

    def read():
        mine = gate.read()
        order.append("reader")
        gate.readers.remove(mine)

    writer = started(write)
    while not gate.writers:
        time.sleep(1e-4)
    reader = started(read)
    time.sleep(0.01)
    assert order == []
    gate.readers.remove(me)
    joined(writer + reader)
    assert order[0] == "writer"


def test_readers_are_not_shut_out_by_one_who_always_writes():
    gate, stop = Gate(), threading.Event()

    def write():
        while not stop.is_set():
            me = gate.write()
            try:
                time.sleep(2e-3)
            finally:
                gate.writers.remove(me)

    def read():
        for _ in range(20):
            gate.readers.remove(gate.read())

    writers = started(write, write)
    try:
        joined(started(read, read))
    finally:
        stop.set()
    joined(writers)
    assert gate._insisting == []


@pytest.mark.parametrize("outer", ["read", "write"])
@pytest.mark.parametrize("inner", ["read", "write"])
def test_who_is_inside_may_come_in_again_even_while_another_waits(outer, inner):
    gate, done = Gate(), []
    lists = {"read": gate.readers, "write": gate.writers}
    me = getattr(gate, outer)()

    def write():
        mine = gate.write()
        done.append(list(gate.writers))
        gate.writers.remove(mine)

    if (outer, inner) == ("read", "write"):
        # Two that read and both want to write would wait for each other.
        getattr(gate, inner)()
        gate.writers.remove(me)
        gate.readers.remove(me)
        return
    others = started(write)
    while len(gate.writers) < 1 + (outer == "write"):
        time.sleep(1e-4)
    assert getattr(gate, inner)() == me
    lists[inner].remove(me)
    assert done == []
    lists[outer].remove(me)
    joined(others)
    assert len(done[0]) == 1


def test_one_interrupted_while_waiting_leaves_no_trace(monkeypatch):
    gate = Gate()

    def interrupted(seconds):
        raise KeyboardInterrupt

    monkeypatch.setattr("hybandit.gate.sleep", interrupted)
    gate.writers.append(-1)
    with pytest.raises(KeyboardInterrupt):
        gate.read()
    assert (gate.readers, gate.writers) == ([], [-1])
    with pytest.raises(KeyboardInterrupt):
        gate.write()
    assert (gate.readers, gate.writers) == ([], [-1])
    monkeypatch.setattr("hybandit.gate.PATIENCE", 0)
    with pytest.raises(KeyboardInterrupt):
        gate.read()
    assert (gate.readers, gate.writers, gate._insisting) == ([], [-1], [])


@pytest.mark.parametrize("copied", [copy.deepcopy, lambda gate: pickle.loads(pickle.dumps(gate))])
def test_a_copy_is_open(copied):
    gate = Gate()
    gate.write()
    assert copied(gate).writers == []
