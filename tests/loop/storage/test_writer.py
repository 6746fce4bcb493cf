import threading
from contextlib import contextmanager

import pytest
import sqlalchemy as sql

from hybandit.errors import InvalidInput
from hybandit.loop.storage.writer import MOST, Writer


class Transactions:
    """Stands in for a database: remembers what was committed together."""

    def __init__(self):
        self.committed = []
        self.gate = threading.Event()
        self.gate.set()
        self.failing = 0

    @contextmanager
    def begin(self, *, alone=True):
        batch = []
        yield batch
        self.gate.wait()
        if self.failing:
            self.failing -= 1
            raise sql.exc.OperationalError("commit", None, Exception("disk"))
        self.committed.append(batch)


def together(transactions, writer, works):
    """Run one work while the others queue up behind it."""
    transactions.gate.clear()
    results = {}

    def call(name, work):
        try:
            results[name] = writer.run(work)
        except Exception as error:
            results[name] = error

    threads = [threading.Thread(target=call, args=item) for item in enumerate(works)]
    threads[0].start()
    while writer._waiting:
        pass
    for thread in threads[1:]:
        thread.start()
    while len(writer._waiting) < len(works) - 1:
        pass
    transactions.gate.set()
    for thread in threads:
        thread.join()
    return results


def test_who_waits_is_committed_together():
    transactions = Transactions()
    works = [lambda batch, name=name: batch.append(name) or name for name in range(5)]
    assert together(transactions, Writer(transactions.begin), works) == {n: n for n in range(5)}
    first, second = transactions.committed
    assert first == [0]
    assert sorted(second) == [1, 2, 3, 4]


def test_a_refusal_is_its_callers_alone():
    def refuse(batch):
        raise InvalidInput("event", "known", "x")

    transactions = Transactions()
    works = [lambda batch: batch.append("a"), refuse, lambda batch: batch.append("b")]
    results = together(transactions, Writer(transactions.begin), works)
    assert isinstance(results[1], InvalidInput)
    assert transactions.committed == [["a"], ["b"]]


def test_a_transaction_that_fails_is_tried_with_each_alone():
    def fail(batch):
        raise sql.exc.IntegrityError("insert", None, Exception("twice"))

    transactions = Transactions()
    works = [
        lambda batch: batch.append("a"),
        lambda batch: batch.append("b"),
        fail,
        lambda batch: batch.append("c"),
    ]
    results = together(transactions, Writer(transactions.begin), works)
    assert isinstance(results[2], sql.exc.IntegrityError)
    assert sorted(transactions.committed) == [["a"], ["b"], ["c"]]


def test_a_commit_that_fails_is_told_and_the_next_works():
    transactions = Transactions()
    writer = Writer(transactions.begin)
    transactions.failing = 1
    with pytest.raises(sql.exc.OperationalError):
        writer.run(lambda batch: batch.append("lost"))
    assert writer.run(lambda batch: batch.append("kept") or 7) == 7
    assert transactions.committed == [["kept"]]


def test_an_interrupt_reaches_its_caller_and_leaves_nobody_waiting():
    def interrupt(batch):
        raise KeyboardInterrupt

    transactions = Transactions()
    writer = Writer(transactions.begin)
    with pytest.raises(KeyboardInterrupt):
        writer.run(interrupt)
    assert writer.run(lambda batch: "next") == "next"


def test_a_transaction_takes_a_limited_number_of_calls():
    transactions = Transactions()
    works = [lambda batch, name=name: batch.append(name) for name in range(MOST + 2)]
    together(transactions, Writer(transactions.begin), works)
    assert [len(batch) for batch in transactions.committed] == [1, MOST, 1]
