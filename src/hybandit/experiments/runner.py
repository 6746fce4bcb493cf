"""Runs what is not in the store yet, and puts it there."""

from __future__ import annotations

from collections.abc import Iterable

from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    TextColumn,
    TimeElapsedColumn,
    TimeRemainingColumn,
)

from hybandit.experiments.engines import Engine, LocalEngine
from hybandit.experiments.store import Run, Store
from hybandit.experiments.tasks import Task


def run(
    tasks: Iterable[Task],
    store: Store,
    *,
    engine: Engine | None = None,
    title: str = "running",
    console: Console | None = None,
) -> dict[str, Run]:
    """Every task's run by key: from the store where it is there, else run now.

    Each finished run is in the store before the next is waited for: after a kill or
    Ctrl-C the same call goes on where this one stopped.
    """
    wanted = {task.key: task for task in tasks}
    done = store.get_many(wanted.values())
    missing = [task for key, task in wanted.items() if key not in done]
    if not missing:
        return done
    bars = _progress(console)
    try:
        with bars:
            bar = bars.add_task(title, total=len(wanted), completed=len(done))
            for task, result, machine in (engine or LocalEngine()).run(missing):
                store.add(task, result, machine=machine)
                done[task.key] = result
                bars.update(bar, advance=1, description=f"{title}: {task.policy.label}")
    except KeyboardInterrupt:
        kept = f"{len(done)} of {len(wanted)} runs are kept in {store.path}"
        bars.console.print(f"stopped; {kept}: the same command goes on from there")
        raise
    return done


def _progress(console: Console | None) -> Progress:
    return Progress(
        TextColumn("{task.description:<48.48}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        TextColumn("left"),
        TimeRemainingColumn(),
        console=console or Console(stderr=True),
        transient=True,
    )
