"""A virtual environment for each peer, made once and kept."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
# What pip is asked for. Those that bring no NumPy get it for the stream, or because they ask.
PEERS = {
    "hybandit": ["-e", str(ROOT)],
    "vowpalwabbit": ["vowpalwabbit", "numpy"],
    "mabwiser": ["mabwiser"],
    "contextualbandits": ["contextualbandits"],
    "coba": ["coba", "numpy"],
    "river": ["river"],
    "bayesianbandits": ["bayesianbandits"],
    "banditlab": ["banditlab"],
    "pymab": ["pymab"],
}
PATIENCE = 1800


class NotInstalled(Exception):
    """Why a peer has no environment."""


def python_of(name: str, folder: Path, wanted: list[str]) -> Path:
    """The interpreter of a peer's environment, which is made if need be."""
    home = folder / name
    python = home / "bin" / "python"
    done = home / "installed.txt"
    if done.exists() and done.read_text() == repr(wanted):
        return python
    run([sys.executable, "-m", "venv", "--clear", str(home)])
    run([str(python), "-m", "pip", "install", "--quiet", *wanted])
    done.write_text(repr(wanted))
    return python


def run(command: list[str]) -> None:
    try:
        subprocess.run(command, check=True, capture_output=True, text=True, timeout=PATIENCE)
    except subprocess.TimeoutExpired:
        raise NotInstalled(f"pip took more than {PATIENCE} s") from None
    except subprocess.CalledProcessError as error:
        lines = [line for line in error.stderr.splitlines() if "ERROR" in line]
        raise NotInstalled(lines[0] if lines else error.stderr.strip()[-200:]) from None
