"""Progress of a command: a bar on a terminal, occasional lines elsewhere."""

from __future__ import annotations

import time
from typing import Any

from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    Task,
    TaskID,
    TextColumn,
    TimeElapsedColumn,
    TimeRemainingColumn,
)
from rich.table import Column

# Seconds between two lines.
PAUSE = 10.0


def progress(console: Console) -> Progress:
    """Bars that fit the terminal, or lines where there is none, as in a log of CI."""
    if not (console.is_terminal or console.is_jupyter):
        return ProgressInLines(console)
    one_line = Column(ratio=1, no_wrap=True, overflow="ellipsis")
    return Progress(
        TextColumn("{task.description}", markup=False, table_column=one_line),
        BarColumn(bar_width=16),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        TextColumn("left"),
        TimeRemainingColumn(),
        console=console,
        transient=True,
        expand=True,
    )


class ProgressInLines(Progress):
    """Reports the progress in a line about every ten seconds."""

    def __init__(self, console: Console) -> None:
        super().__init__(console=console, disable=True)
        self._told = time.monotonic()

    def stop(self) -> None:
        """Do nothing: there is no bar to end, and the base class would print an empty line."""

    def advance(self, task_id: TaskID, advance: float = 1) -> None:
        super().advance(task_id, advance)
        self._tell(task_id)

    def update(self, task_id: TaskID, **changes: Any) -> None:
        super().update(task_id, **changes)
        self._tell(task_id)

    def _tell(self, task_id: TaskID) -> None:
        now = time.monotonic()
        if now - self._told >= PAUSE:
            self._told = now
            line = _line(self._tasks[task_id])
            self.console.print(line, markup=False, highlight=False, soft_wrap=True)


def _line(task: Task) -> str:
    done = f"{int(task.completed):,} of {int(task.total or 0):,}"
    passed = f"{task.elapsed or 0.0:.0f} s"
    left = "" if task.time_remaining is None else f", about {task.time_remaining:.0f} s left"
    return f"{task.description}: {done} after {passed}{left}"
