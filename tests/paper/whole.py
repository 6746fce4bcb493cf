"""The whole report of made-up runs."""

import zlib

import numpy as np
from made_up import EXTRA, THREE

from hybandit.experiments import Run
from hybandit.paper.reproduce import Reproduce


def results(request, *, turned=False, noise=0.0):
    """Numbers that differ by policy and hardly by seed, so that nothing is left out as chance.

    Or `turned`, so that who was first is last; or with `noise` that differs by seed.
    """
    found = {}
    for task in (task for each in request.experiments for task in each.tasks(THREE)):
        told = zlib.crc32(f"{task.policy.label} {task.environment.name}".encode())
        level = 10 ** np.random.default_rng(told).uniform(1.2, 2.8)
        if turned:
            level = 700 - level
        level += task.seed % 10
        level += noise * np.random.default_rng([told, task.seed]).uniform()
        found[task.key] = Run(
            800, 800 - level, level, level / 100, at=[1, 800], rewards=[0.0, 800 - level],
            regrets=[0.0, level],
            extra={"frequencies": {"all": 0.3, "late": 0.3}, **dict.fromkeys(EXTRA, level / 300)},
        )  # fmt: skip
    return found


def whole_report(**made):
    """Its title and its sections."""
    request = Reproduce.of([], THREE)
    return request.title, request.sections(results(request, **made))
