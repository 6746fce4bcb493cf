"""docs/results/peers.md, with its chart and every run as CSV, from the cells of a race."""

from __future__ import annotations

import csv
import os
import platform
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from statistics import mean

from benchmarks.peers.cells import Cell
from benchmarks.peers.chart import chart
from benchmarks.peers.problems import ARMS, PROBLEMS, Problem
from hybandit.reports.tables import TableView

OURS = "hybandit"
NEAREST = "°"
# How many entries of a profile are shown.
LONGEST = 7
# Besides being ahead of all.
ASKED = {
    "lin-ucb-100": [(8.0, "the fastest peer with a true LinUCB")],
    "knn-20": [(20.0, "the fastest peer")],
}
# Of the seconds of a profile, who had how many.
Profile = list[tuple[str, float]]

INTRODUCTION = f"""# The race

The same rounds for hybandit and for every peer that installs from PyPI, each in a virtual
environment of its own and on one thread: `python -m benchmarks.peers`. {ARMS} arms; a context
comes, the policy chooses, and it learns that one reward before the next. Rounds per second of CPU
time: the median, and the range of the repeats. Contexts are handed over in the form that the peer
documents, made before the clock starts. Memory is the peak of the whole process, with Python, the
libraries and the stream in it. Regret is by how much the best arm's mean reward exceeds the
chosen one's, summed over the rounds, the mean of the repeats. Settings are the defaults unless
the last table says otherwise.

{NEAREST} has no such algorithm: the nearest that it has is measured instead. A slow peer is
stopped at the time limit and measured on the rounds it has played. How many times as fast
hybandit is, and whose regret is less, is told of as many rounds of both: the more rounds of k-NN,
the more there is to search.

![Rounds per CPU second](peers.png)
"""


def write(
    folder: Path, cells: list[Cell], profiles: dict[Problem, Profile], conditions: str
) -> list[Path]:
    """Write peers.md, peers.png and peers.csv; returns where they are."""
    by_problem = sorted_out(cells)
    parts = [
        INTRODUCTION,
        "## Asked and found\n\n" + "\n".join(f"- {line}" for line in verdicts(by_problem)) + "\n",
        *(where_time_goes(problem, profile) for problem, profile in profiles.items()),
        *(f"## {p.title}\n\n{table(p, its)}" for p, its in by_problem.items()),
        "## What ran\n\n" + what_ran(by_problem),
        f"## Conditions\n\n{conditions}\n\n{versions(cells)}\n",
    ]
    paths = [folder / f"peers.{end}" for end in ("md", "png", "csv")]
    paths[0].write_text("\n".join(parts))
    paths[1].write_bytes(chart(by_problem, OURS))
    with paths[2].open("w", newline="") as file:
        csv.writer(file, lineterminator="\n").writerows(lines_of(cells))
    return paths


def verdicts(by_problem: dict[Problem, list[Cell]]) -> Iterator[str]:
    """What was asked of hybandit's speed, problem by problem; then where a peer is better."""
    for problem, cells in by_problem.items():
        found = list(demands(problem, cells))
        if not found:
            yield f"{problem.title}: nothing to compare."
        for times, whom, rival, ratio in found:
            name = rival.peer + (NEAREST if rival.said("nearest") else "")
            answer = "yes" if ratio >= times else "**no**"
            asked = f"at least {times:g} times {whom}" if times > 1 else f"faster than {whom}"
            yield f"{problem.title}, {asked}: {answer}, {ratio:.1f} times {name}."
    yield better("memory", by_problem, lambda cell, rounds: [run["memory"] for run in cell.runs])
    yield better("regret", by_problem, lambda cell, rounds: cell.regret(rounds))


def demands(problem: Problem, cells: list[Cell]) -> Iterator[tuple[float, str, Cell, float]]:
    """How many times whose speed is asked for, who that is, and the ratio found."""
    ours, peers = split(cells)
    for times, whom in [(1.0, "the fastest peer"), *ASKED.get(problem.name, [])]:
        meant = [cell for cell in peers if "true" not in whom or not cell.said("nearest")]
        if ours and meant:
            rival = min(meant, key=lambda cell: lead(ours, cell))
            yield times, whom, rival, lead(ours, rival)


def lead(ours: Cell, rival: Cell) -> float:
    """How many times as fast we are, on the rounds that both have played."""
    shared = min(ours.rounds, rival.rounds)
    return ours.rate_in(shared) / rival.rate_in(shared)


def missed(cells: list[Cell]) -> list[Problem]:
    """Where hybandit is slower than was asked."""
    return [
        problem
        for problem, its in sorted_out(cells).items()
        if any(ratio < times for times, _, _, ratio in demands(problem, its))
    ]


def sorted_out(cells: list[Cell]) -> dict[Problem, list[Cell]]:
    return {p: [cell for cell in cells if cell.problem == p.name] for p in PROBLEMS}


def split(cells: list[Cell]) -> tuple[Cell | None, list[Cell]]:
    measured = [cell for cell in cells if cell.runs]
    ours = next((cell for cell in measured if cell.peer == OURS), None)
    return ours, [cell for cell in measured if cell.peer != OURS]


def where_time_goes(problem: Problem, profile: Profile) -> str:
    total = sum(seconds for _, seconds in profile)
    shares = [f"`{name}` {seconds / total:.0%}" for name, seconds in profile[:LONGEST]]
    return (f"Where hybandit's time goes in {problem.title}, by Python's profiler: "
            f"{', '.join(shares)}.\n")  # fmt: skip


def better(what: str, by_problem: dict[Problem, list[Cell]], measure) -> str:
    """Who has less of it in every repeat, on the rounds that both have played."""
    found = []
    for problem, cells in by_problem.items():
        ours, peers = split(cells)
        names = []
        for cell in peers if ours else []:
            shared = min(cell.rounds, ours.rounds)
            if max(measure(cell, shared)) < min(measure(ours, shared)):
                names.append(cell.peer)
        if names:
            found.append(f"{problem.title}: {', '.join(names)}")
    return f"Less {what} than hybandit, in every repeat: {'; '.join(found) or 'none'}."


def table(problem: Problem, cells: list[Cell]) -> str:
    ours, peers = split(cells)
    ranked = sorted([*peers, *([ours] if ours else [])], key=lambda cell: -cell.rate)
    rows = [row(problem, cell, ours) for cell in ranked]
    rows += [[c.peer, c.failure, "", "", "", ""] for c in cells if not c.runs]
    unit = "rows" if problem.kind == "batch" else "rounds"
    columns = ["", f"{unit} per CPU second", "range", "hybandit is", "peak memory", "regret"]
    # The section's heading is the title.
    return TableView(problem.name, "", columns, rows).markdown()


def row(problem: Problem, cell: Cell, ours: Cell | None) -> list[str]:
    name = f"**{cell.peer}**" if cell is ours else cell.peer
    times = f"{lead(ours, cell):.1f} x" if ours and cell is not ours else ""
    regret = f"{mean(cell.regret(cell.rounds)):,.0f}"
    if cell.rounds < problem.rounds:
        regret += f" in {cell.rounds:,}"
        if ours and cell is not ours and ours.rounds >= cell.rounds:
            regret += f" (hybandit {mean(ours.regret(cell.rounds)):,.0f})"
    return [
        name + (NEAREST if cell.said("nearest") else ""),
        figures(cell.rate),
        f"{figures(min(cell.rates))} to {figures(max(cell.rates))}",
        times,
        f"{cell.memory:.0f} MB",
        regret,
    ]


def figures(rate: float) -> str:
    """Three of them."""
    return f"{float(f'{rate:.3g}'):,.0f}" if rate >= 10 else f"{rate:.2g}"


def what_ran(by_problem: dict[Problem, list[Cell]]) -> str:
    rows = [
        [cell.peer, problem.title, f"`{cell.said('setup')}`",
         "; ".join(filter(None, [cell.said("nearest"), cell.said("remark"), cell.failure]))]
        for problem, cells in by_problem.items() for cell in cells if cell.runs
    ]  # fmt: skip
    columns = ["peer", "problem", "what", "to know"]
    return TableView("ran", "", columns, rows, left=4).markdown()


def conditions(repeats: int, limit: float) -> str:
    day = datetime.now(UTC).strftime("%Y-%m-%d")
    return (f"{day}, {processor()}, {platform.system()}, Python {platform.python_version()}; "
            f"{repeats} repeats, the seed of the policy another each time, all peers in turn; "
            f"at most {limit:g} CPU seconds a run; load at the end {os.getloadavg()[1]:.1f} "
            f"on {os.cpu_count()} cores, of which the race itself is 1.")  # fmt: skip


def processor() -> str:
    try:
        text = Path("/proc/cpuinfo").read_text()
        return text.split("model name")[1].split(":", 1)[1].split("\n", 1)[0].strip()
    except (OSError, IndexError):
        return platform.processor() or platform.machine()


def versions(cells: list[Cell]) -> str:
    found = {cell.peer: cell.said("version") for cell in cells if cell.runs}
    return "Versions: " + ", ".join(f"{peer} {version}" for peer, version in found.items()) + "."


def lines_of(cells: list[Cell]) -> Iterator[list[object]]:
    yield ["problem", "peer", "version", "repeat", "rounds", "cpu seconds", "peak MB", "regret"]
    for cell in cells:
        for number, run in enumerate(cell.runs, 1):
            measured = round(run["seconds"], 4), round(run["memory"], 1), run["regret"][-1]
            yield [cell.problem, cell.peer, run["version"], number, run["rounds"], *measured]
