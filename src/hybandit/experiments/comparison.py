"""Policies side by side on one data set: what `hybandit compare` runs."""

from __future__ import annotations

import hashlib
from pathlib import Path

from hybandit.datasets import find_dataset, is_file
from hybandit.errors import DataFileError, InvalidInput
from hybandit.experiments.experiment import Experiment, cell
from hybandit.experiments.tasks import PolicySpec, World

DEFAULT_POLICIES = (
    "stacked-hybrid,lnucb-ta,lin-knn-ucb,lin-ucb,lin-ts:v=0.1,knn-ucb:theta=0.1,epsilon-greedy,ucb"
)


def comparison(
    data: str = "digits",
    policies: str = DEFAULT_POLICIES,
    *,
    encoding: str = "standard",
    rounds: int | None = None,
    runs: int = 5,
    seed: int = 0,
) -> Experiment:
    """Every policy on the same data and the same seeds."""
    if runs < 1:
        raise InvalidInput("runs", "at least 1", runs)
    world = _world(data, encoding, rounds)
    cells = tuple(
        cell(spec.label, data, world, spec, runs=runs, seed=seed)
        for spec in PolicySpec.parse_many(policies)
    )
    about = (
        f"{runs} runs a policy, seeds {seed} to {seed + runs - 1}: each shuffles the data and "
        "seeds the policy. The table gives mean and standard deviation over runs."
    )
    title = f"Policies on {Path(data).name}, {runs} run{'s' if runs > 1 else ''}"
    return Experiment("compare", title, about, cells)


def _world(data: str, encoding: str, rounds: int | None) -> World:
    if is_file(data):
        path = Path(data).resolve()
        if not path.is_file():
            raise DataFileError(f"there is no file {data}")
        # The content belongs to the key: an edited file is another experiment.
        content = hashlib.sha256(path.read_bytes()).hexdigest()[:16]
        settings = {"data": str(path), "content": content, "encoding": encoding, "rounds": rounds}
        return World("classification", settings)
    if data == "ca-astroph":
        raise InvalidInput("data", "a table or a log; see 'reproduce network' for the graph", data)
    find_dataset(data)
    if data == "news":
        if encoding != "standard":
            raise InvalidInput("encoding", "left out with news: shared, unit length", encoding)
        return World("replay", {"contexts": "shared", "scale": "unit", "matches": rounds or 800})
    return World("classification", {"data": data, "encoding": encoding, "rounds": rounds})
