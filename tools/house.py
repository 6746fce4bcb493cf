"""How large the house is: lines of each package and of its tests, and what repeats.

    python -m tools.house [ROOT]

Pairs of places that repeat each other are counted where a command `duplicates` is installed.
"""

from __future__ import annotations

import argparse
import shutil
import subprocess
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).parents[1]


def lines(folder: Path) -> Counter[str]:
    """Lines of Python by the package just below, files beside them as one."""
    found: Counter[str] = Counter()
    for path in folder.rglob("*.py"):
        inside = path.relative_to(folder).parts
        found[inside[0] if len(inside) > 1 else "(beside)"] += len(path.read_text().splitlines())
    return found


def table(root: Path) -> str:
    source, tests = lines(root / "src/hybandit"), lines(root / "tests")
    names = sorted(source | tests, key=lambda name: (-source[name], name))
    rows = [f"{name:<14}{source[name]:>8,}{tests[name]:>8,}" for name in names]
    whole = f"{'all':<14}{source.total():>8,}{tests.total():>8,}"
    others = [
        f"{folder}/ {lines(root / folder).total():,}"
        for folder in ("benchmarks", "stress", "tools", "examples")
        if (root / folder).is_dir()
    ]
    return "\n".join([f"{'lines':<14}{'src':>8}{'tests':>8}", *rows, whole, ", ".join(others)])


def repeated(root: Path) -> str:
    if shutil.which("duplicates") is None:
        return "duplicates is not installed: repeated places are not counted"
    command = ["duplicates", "--repo", str(root), "--most", "1", "--seconds", "600"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    said = done.stdout.splitlines()
    return "\n".join(line for line in said if " pairs of places" in line or "incomplete" in line)


def main() -> None:
    parser = argparse.ArgumentParser(prog="tools.house", description=__doc__.splitlines()[0])
    parser.add_argument("root", nargs="?", type=Path, default=ROOT)
    root = parser.parse_args().root
    print(table(root))
    print(repeated(root))


if __name__ == "__main__":
    main()
