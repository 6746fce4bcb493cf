import io
import re

from rich.console import Console

from hybandit.experiments import progress as module
from hybandit.experiments.progress import progress


def test_a_bar_fits_eighty_columns_and_one_line():
    out = io.StringIO()
    console = Console(file=out, force_terminal=True, width=80, color_system=None)
    with progress(console) as bars:
        bars.add_task("Policies on a-file-with-a-long-name.csv: " + "x" * 90, total=12_000)
        bars.refresh()
    lines = re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", out.getvalue()).replace("\r", "\n").splitlines()
    shown = [line for line in lines if "Policies" in line]
    assert shown
    assert max(map(len, lines)) <= 80
    assert all("/12000" in line for line in shown)


def test_without_a_terminal_a_line_comes_now_and_then(monkeypatch):
    out, clock = io.StringIO(), iter(range(100))
    monkeypatch.setattr(module.time, "monotonic", lambda: float(next(clock)))
    with progress(Console(file=out, width=80)) as bars:
        bar = bars.add_task("digits", total=30)
        for _ in range(30):
            bars.update(bar, advance=1, description="digits: ucb")
    lines = out.getvalue().splitlines()
    assert 1 < len(lines) < 30
    assert all(line.startswith("digits: ucb: ") and " of 30 after " in line for line in lines)
