"""Runs the tasks that are not in the store yet, and stores them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from rich.console import Console

from hybandit.experiments.compiling import compile_kernels
from hybandit.experiments.engines import Engine, Finished, LocalEngine, bundles, timed
from hybandit.experiments.environments import make_environment
from hybandit.experiments.logs import JudgingTask, ticking, walks_of
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


def run_on_log(
    tasks: Sequence[Task],
    store: Store,
    *,
    events: int,
    engine: Engine | None = None,
    console: Console | None = None,
) -> dict[str, Run]:
    """As `run`, for the policies of one log of so many `events`, with progress by events.

    Without an engine, one task after another in this process, where a short log is read once.
    """
    console = console or terminal(stderr=True)
    done = _finished(tasks, store, console)
    missing = [task for task in tasks if task.key not in done]
    compile_kernels(
        [(task.policy, make_environment(task.environment).size) for task in missing],
        lambda line: console.print(line, highlight=False, markup=False),
    )
    with progress(console) as bars:
        bar = bars.add_task("preparing the log", total=None)
        if missing:
            # Propensities that the log lacks are estimated here, once for all policies.
            environment = make_environment(missing[0].environment)
            assert isinstance(environment, JudgingTask)
            environment.prepared()
            ways = len(bundles(missing)) * len(walks_of(environment.estimators))
            bars.update(bar, total=events * ways)
        bars.update(bar, description=f"{len(done)} of {len(tasks)} policies")

        def tick(count: int) -> None:
            bars.advance(bar, count)

        if isinstance(engine, LocalEngine):
            engine.tick = tick
        with ticking(tick):
            for task, result, machine in engine.run(missing) if engine else _here(missing):
                store.add(task, result, machine=machine)
                done[task.key] = result
                bars.update(bar, description=f"{len(done)} of {len(tasks)} policies")
    return done


def _here(tasks: Sequence[Task]) -> Iterator[Finished]:
    for bundle in bundles(tasks):
        results, machine = timed(bundle)
        for task, result in zip(bundle, results, strict=True):
            yield task, result, machine


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
