import os
import signal
import subprocess
import sys
import threading
import time

import pytest

from hybandit.workers import deaf_to_interrupts

HEAVY = ("numpy", "numba", "scipy")


@pytest.fixture(autouse=True)
def interruptible():
    """Ctrl-C as in a terminal: a shell switches it off for what runs in the background."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


def test_what_a_worker_does_first_loads_nothing_heavy():
    """Until it watches its parent it cannot end with it."""
    code = f"import sys, hybandit.workers; print([n for n in {HEAVY} if n in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


@pytest.mark.skipif(os.name == "nt", reason="sends the signal of Ctrl-C")
@pytest.mark.parametrize("threads", [0, 1])
def test_an_interrupt_waits_for_the_end_of_the_block_whichever_thread_takes_it(threads):
    done, reached = threading.Event(), []
    others = [threading.Thread(target=done.wait) for _ in range(threads)]
    for thread in others:
        thread.start()

    def work():
        with deaf_to_interrupts():
            os.kill(os.getpid(), signal.SIGINT)
            time.sleep(0.2)
            reached.append("end")

    handler = signal.getsignal(signal.SIGINT)
    try:
        with pytest.raises(KeyboardInterrupt):
            work()
    finally:
        done.set()
    assert reached == ["end"]
    assert signal.getsignal(signal.SIGINT) is handler


def test_without_an_interrupt_nothing_happens():
    handler = signal.getsignal(signal.SIGINT)
    with deaf_to_interrupts():
        assert signal.getsignal(signal.SIGINT) is not handler
    assert signal.getsignal(signal.SIGINT) is handler
