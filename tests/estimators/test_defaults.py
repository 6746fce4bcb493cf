"""What every constructor of this room takes where nothing is told, against a golden file.

After a change that is meant ``PYTHONPATH=src python tests/estimators/test_defaults.py`` writes it
anew.
"""

import inspect
from pathlib import Path

import hybandit.estimators as room

GOLDEN = Path(__file__).parent / "defaults.txt"


def text():
    lines = []
    for name in sorted(room.__all__):
        given = getattr(room, name)
        if not inspect.isclass(given) and not inspect.isfunction(given):
            continue
        told = [
            f"  {entry.name} = {entry.default!r}"
            for entry in inspect.signature(given).parameters.values()
            if entry.default is not entry.empty
        ]
        lines += [name, *told] if told else []
    return "\n".join(lines) + "\n"


def test_defaults_are_those_that_were_told():
    assert text() == GOLDEN.read_text()


if __name__ == "__main__":
    GOLDEN.write_text(text())
