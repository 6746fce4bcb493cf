"""Peak resident memory of 10,000 rounds on MNIST, everything included.

    HYBANDIT_DATA=... python benchmarks/memory.py

Each policy runs in a process of its own; the data (8 MB of pixels) and Python itself count.
"""

from __future__ import annotations

import subprocess
import sys

from rich.console import Console

from hybandit.reports.tables import TableView

CODE = """
import resource
import numpy as np
import hybandit
from hybandit.datasets import find_dataset

images, labels = find_dataset("mnist").files[2:4]
pixels = np.frombuffer(images.read(), np.uint8, offset=16).reshape(-1, 784)
classes = np.frombuffer(labels.read(), np.uint8, offset=8)
policy = hybandit.make_policy({name!r}, 10, 784, seed=0)
for row, label in zip(pixels, classes):
    x = row / np.linalg.norm(row)
    arm = policy.choose(x)
    policy.learn(x, arm, float(arm == label))
print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e3)
"""


def main():
    rows = []
    for name in ("lnucb-ta", "stacked-hybrid"):
        command = [sys.executable, "-c", CODE.format(name=name)]
        done = subprocess.run(command, capture_output=True, check=True, text=True)
        rows.append([name, f"{float(done.stdout):.0f} MB"])
    title = "10,000 rounds on MNIST (test images, d = 784, 10 arms)"
    Console().print(TableView("memory", title, ["policy", "peak resident memory"], rows).rich())


if __name__ == "__main__":
    main()
