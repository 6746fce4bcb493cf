"""Items with features: hybandit against Vowpal Wabbit, on the same rounds for all.

    python -m benchmarks.items

plays every world of `ItemWorld` and the news log; Vowpal Wabbit in a virtual environment of its
own, made as for the race (`benchmarks.peers`) and kept. Every finished run is a line of a file,
so that a run that was stopped goes on; `--table` prints what is there.
"""
