"""Faults put in one at a time: how many of them do the tests find?

``python -m stress.mutants --sample 400 --seed 7 --store mutants.jsonl --workers 2``
"""
