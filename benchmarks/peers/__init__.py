"""hybandit against every peer on PyPI: the same rounds for all, each in an environment of its own.

    python -m benchmarks.peers

makes the virtual environments (kept for the next time), plays every problem with every peer and
writes docs/results/peers.md, peers.csv and peers.png.
"""
