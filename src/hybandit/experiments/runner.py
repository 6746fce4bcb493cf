"""Runs the tasks that are not in the store yet, and stores them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from rich.console import Console

from hybandit.experiments.compiling import compile_kernels
from hybandit.experiments.engines import Engine, LocalEngine, bundles, timed
from hybandit.experiments.environments import make_environment
from hybandit.experiments.logs import ticking
from hybandit.experiments.progress import progress
from hybandit.experiments.runs import Run
from hybandit.experiments.store import Found, Store
from hybandit.experiments.tasks import Task
from hybandit.terminal import terminal


def run(
    tasks: Iterable[Task],
    store: Store,
    *,
    engine: Engine | None = None,
    title: str = "running",
    console: Console | None = None,
) -> dict[str, Run]:
    """The run of every task by key, from the store or run now.

    Each run is stored as soon as it has finished: after a kill or Ctrl-C the same call
    continues where this one stopped.

    Examples
    --------
    >>> import tempfile
    >>> from hybandit.experiments import EnvironmentSpec, PolicySpec
    >>> world = EnvironmentSpec("synthetic", {"kind": "linear", "rounds": 50})
    >>> tasks = [Task(world, PolicySpec("ucb"), seed) for seed in range(2)]
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     store = Store(f"{folder}/results.sqlite")
    ...     for task in tasks:
    ...         store.add(task, timed((task,))[0][0], machine="here")
    ...     len(run(tasks, store))  # Both are in the store: nothing runs.
    2
    """
    wanted = {task.key: task for task in tasks}
    console = console or terminal(stderr=True)
    done = _finished(list(wanted.values()), store, console)
    missing = [task for key, task in wanted.items() if key not in done]
    if not missing:
        return done
    engine = engine or LocalEngine()
    engine.prepare(missing, lambda line: console.print(line, highlight=False, markup=False))
    try:
        with progress(console) as bars:
            bar = bars.add_task(title, total=len(wanted), completed=len(done))
            for task, result, machine in engine.run(missing):
                store.add(task, result, machine=machine)
                done[task.key] = result
                bars.update(bar, advance=1, description=f"{title}: {task.policy.label}")
    except KeyboardInterrupt:
        kept = f"{len(done)} of {len(wanted)} runs are kept in {store.path}"
        console.print(f"stopped; {kept}: the same command goes on from there", markup=False)
        raise
    return done


def run_here(
    tasks: Sequence[Task], store: Store, *, events: int, console: Console | None = None
) -> dict[str, Run]:
    """As `run`, for logs: one task after another in this process, with progress by events.

    A log is read once and stays in memory; `events` is how many it has.
    """
    console = console or terminal(stderr=True)
    done = _finished(tasks, store, console)
    missing = [task for task in tasks if task.key not in done]
    compile_kernels(
        [(task.policy, make_environment(task.environment).size) for task in missing],
        lambda line: console.print(line, highlight=False, markup=False),
    )
    with progress(console) as bars:
        for bundle in bundles(missing):
            label = ", ".join(task.policy.label for task in bundle)
            bar = bars.add_task(label, total=events * len(bundle))
            with ticking(lambda count, bar=bar: bars.advance(bar, count)):  # type: ignore[misc]
                results, machine = timed(bundle)
            bars.remove_task(bar)
            for task, result in zip(bundle, results, strict=True):
                store.add(task, result, machine=machine)
                done[task.key] = result
    return done


def _finished(tasks: Sequence[Task], store: Store, console: Console) -> dict[str, Run]:
    """The runs that are in the store; damaged ones are taken out, so that they run again."""
    found = store.find(tasks)
    for line in remarks(found, store):
        console.print(line, style="yellow", markup=False, highlight=False)
    store.remove(found.damaged)
    return found.runs


def remarks(found: Found, store: Store) -> list[str]:
    """Messages about runs that are in the store but not used."""
    lines = []
    if found.outdated:
        lines.append(
            f"{found.outdated} runs in {store.path} are of other results versions: "
            "they are kept, and not used"
        )
    lines += [
        f"the run of {task.label} in {store.path} is damaged: "
        "hybandit compare or reproduce takes it out and runs it again"
        for task in found.damaged
    ]
    return lines
