"""Handlers of signals that raise in the middle of a call."""

import signal
import subprocess
import sys
import threading

import pytest
from databases import SLOW_ON_POSTGRESQL

from hybandit.loop.process.signals import uninterrupted

PROGRAM = """
import faulthandler, random, signal, sys, threading
from hybandit import Loop

faulthandler.dump_traceback_later(200, exit=True)
loop, stop, failed = Loop(sys.argv[1], wait=None), threading.Event(), []
rounds = int(sys.argv[2])


class Interrupted(BaseException):
    pass


def interrupt(*_):
    raise Interrupted


def play(name, number):
    number = str(number)
    decision = loop.rank({"hour": 3}, ["a", "b"], event=f"{name} {number}")
    loop.reward(decision.event, 1.0, key=decision.event)
    return True


def work(name):
    number = 0
    try:
        while not stop.is_set():
            play(name, number)
            number += 1
            stop.wait(0.01)
    except BaseException as error:
        failed.append(error)


for number in range(5):
    play("first", number)
loop.wait_for()
threads = [threading.Thread(target=work, args=(f"thread {n}",)) for n in range(2)]
for thread in threads:
    thread.start()
signal.signal(signal.SIGALRM, interrupt)
chance, interrupted = random.Random(3), 0
for number in range(rounds):
    done = False
    while not done:
        try:
            signal.setitimer(signal.ITIMER_REAL, chance.choice([2e-4, 1e-3, 4e-3, 2e-2, 0.3]))
            done = play("main", number)
            signal.setitimer(signal.ITIMER_REAL, 0)
        except Interrupted:
            interrupted += 1
signal.signal(signal.SIGALRM, signal.SIG_IGN)
stop.set()
for thread in threads:
    thread.join()
assert loop.wait_for(), "the thread that learns waits for ever"
status = loop.status()
assert failed == [], failed
assert status.events == status.rewards == status.closed == status.version, status
assert interrupted > rounds // 6, interrupted
loop.close()
print("interrupted", interrupted)
"""


@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="this system has no such timer")
@SLOW_ON_POSTGRESQL
def test_whatever_is_interrupted_nothing_waits_for_ever_and_a_repeated_call_counts_once(url):
    ran = subprocess.run(
        [sys.executable, "-c", PROGRAM, url, "60"],
        capture_output=True, text=True, timeout=300, check=False,
    )  # fmt: skip
    assert ran.returncode == 0, ran.stderr
    assert "interrupted" in ran.stdout


class Interrupted(BaseException):
    pass


def raising(*_):
    raise Interrupted


@pytest.mark.skipif(not hasattr(signal, "SIGUSR1"), reason="this system has no such signals")
def test_the_call_comes_to_its_end_without_the_main_thread():
    begun, go, ended = threading.Event(), threading.Event(), threading.Event()

    @uninterrupted
    def call():
        begun.set()
        go.wait()
        ended.set()

    def interrupt():
        begun.wait()
        signal.pthread_kill(threading.main_thread().ident, signal.SIGUSR1)

    before = signal.signal(signal.SIGUSR1, raising)
    threading.Thread(target=interrupt).start()
    try:
        with pytest.raises(Interrupted):
            call()
    finally:
        signal.signal(signal.SIGUSR1, before)
    assert not ended.is_set()
    go.set()
    assert ended.wait(30.0)


def test_results_errors_and_arguments_pass():
    @uninterrupted
    def divided(number, *, by):
        return number / by

    assert divided(6, by=3) == 2
    with pytest.raises(ZeroDivisionError):
        divided(6, by=0)


def test_other_threads_make_their_calls_themselves():
    seen = []
    call = uninterrupted(lambda: seen.append(threading.get_ident()))
    thread = threading.Thread(target=call)
    thread.start()
    thread.join()
    call()
    assert seen[0] == thread.ident
    assert seen[1] != threading.get_ident()
