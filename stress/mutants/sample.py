"""A sample of all changes, stratified by package, and how sure its rate is."""

from __future__ import annotations

import hashlib
import math
import random
from dataclasses import dataclass
from pathlib import Path

from stress.mutants.files import modules
from stress.mutants.mutations import Mutation, mutations


@dataclass(frozen=True)
class Mutant:
    """One change of one module."""

    package: str
    module: str
    mutation: Mutation

    @property
    def key(self) -> str:
        return f"{self.module}#{self.mutation.number}"


def population(root: Path) -> dict[str, list[Mutant]]:
    """Every mutant, by package."""
    return {
        package: [
            Mutant(package, path.as_posix(), mutation)
            for path in paths
            for mutation in mutations((root / path).read_text())
        ]
        for package, paths in modules(root).items()
    }


def sampled(everyone: dict[str, list[Mutant]], count: int, seed: int) -> list[Mutant]:
    """So many of them, from each package in proportion to its size, in an order by lot."""
    generator = random.Random(seed)
    shares = allotted({package: len(each) for package, each in everyone.items()}, count)
    drawn = [
        mutant
        for package, share in shares.items()
        for mutant in generator.sample(everyone[package], share)
    ]
    generator.shuffle(drawn)
    return drawn


def allotted(sizes: dict[str, int], count: int) -> dict[str, int]:
    """Whole shares that add up, the largest remainders first.

    Examples
    --------
    >>> allotted({"a": 10, "b": 20, "c": 3}, 4)
    {'a': 1, 'b': 3, 'c': 0}
    """
    whole = sum(sizes.values())
    count = min(count, whole)
    exact = {name: count * size / whole for name, size in sizes.items()}
    shares = {name: math.floor(each) for name, each in exact.items()}
    left = sorted(exact, key=lambda name: shares[name] - exact[name])
    for name in left[: count - sum(shares.values())]:
        shares[name] += 1
    return shares


def interval(part: int, whole: int) -> tuple[float, float]:
    """Wilson's 95 % interval of a share.

    Examples
    --------
    >>> [round(each, 3) for each in interval(80, 100)]
    [0.711, 0.867]
    """
    if not whole:
        return 0.0, 1.0
    z, share = 1.959964, part / whole
    middle = share + z * z / (2 * whole)
    half = z * math.sqrt(share * (1 - share) / whole + z * z / (4 * whole * whole))
    scale = 1 + z * z / whole
    return (middle - half) / scale, (middle + half) / scale


def digest(root: Path) -> str:
    """Of all sources and all tests: outcomes of others say nothing about these."""
    found = hashlib.sha256()
    for folder in ("src", "tests"):
        for path in sorted((root / folder).rglob("*")):
            if path.is_file() and "__pycache__" not in path.parts:
                content = hashlib.sha256(path.read_bytes()).hexdigest()
                found.update(f"{path.relative_to(root).as_posix()} {content}\n".encode())
    return found.hexdigest()
