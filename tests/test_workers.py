import subprocess
import sys

HEAVY = ("numpy", "numba", "scipy")


def test_what_a_worker_does_first_loads_nothing_heavy():
    """Until it watches its parent it cannot end with it."""
    code = f"import sys, hybandit.workers; print([n for n in {HEAVY} if n in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
