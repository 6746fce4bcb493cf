"""Items with features: hybandit against Vowpal Wabbit, on the same rounds for all.

    python -m benchmarks.items

plays every world of `ItemWorld` and the news log; Vowpal Wabbit in a virtual environment of its
own, made as for the race (`benchmarks.peers`) and kept. Every finished run is a line of a file, so
that a run that was stopped goes on; runs of a policy or world whose results changed since are kept
and not used. What came of it is written beside that file, as `items.md`.
"""
