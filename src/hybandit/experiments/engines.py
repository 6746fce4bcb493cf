"""Engines that run tasks: processes of this machine, or Ray on many machines."""

from __future__ import annotations

import multiprocessing
import os
import pickle
import platform
import sys
from collections import ChainMap, Counter
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from importlib import import_module
from typing import Any, Protocol

from hybandit.errors import HybanditError, UnknownName, WorkerError
from hybandit.evaluation.progressive import Tick
from hybandit.experiments.compiling import compile_kernels
from hybandit.experiments.environments import ENVIRONMENTS, make_environment
from hybandit.experiments.runs import Run
from hybandit.experiments.specs import EnvironmentSpec, PolicySpec
from hybandit.experiments.task_environment import TaskEnvironment
from hybandit.experiments.tasks import Task
from hybandit.names import suggestion
from hybandit.validation.settings import either, nothing, whole
from hybandit.workers import deaf_to_interrupts, hand, start_worker

LIBRARIES = ("OMP", "OPENBLAS", "MKL", "NUMBA")
ONE_THREAD = {f"{library}_NUM_THREADS": "1" for library in LIBRARIES}
# Seconds between two looks at what workers have done.
PAUSE = 0.5
# The exit code of a worker whose script has no guard.
UNGUARDED = 86
Finished = tuple[Task, Run, str]
# Tasks that differ in their policies only, and are run at once.
Bundle = tuple[Task, ...]


class Engine(Protocol):
    """Runs tasks and yields each when it has finished, in any order."""

    def prepare(self, tasks: Sequence[Task], say: Callable[[str], None]) -> None:
        """Prepare, once, what all tasks need; `say` is called if that takes long."""
        ...

    def run(self, tasks: Sequence[Task]) -> Iterator[Finished]: ...


class LocalEngine:
    """Processes of this machine, one thread each.

    `tick` is called with the number of events that workers have gone through in logs since the
    last call.
    """

    def __init__(self, workers: int | None = None, tick: Tick | None = None) -> None:
        either(whole(1), nothing()).check("workers", workers)
        self.workers = workers or os.cpu_count() or 1
        self.tick = tick

    def prepare(self, tasks: Sequence[Task], say: Callable[[str], None]) -> None:
        """Compile all kernels here, so that workers need not compile them again."""
        _leave_if_unguarded()
        needs = [(task.policy, make_environment(task.environment).size) for task in tasks]
        compile_kernels(needs, say)

    def run(self, tasks: Sequence[Task]) -> Iterator[Finished]:
        """Yield runs as they finish; however this ends, no worker is left running."""
        _leave_if_unguarded()
        context = multiprocessing.get_context("spawn")
        counter = context.Value("q", 0)
        work = Work(tasks)
        pool = ProcessPoolExecutor(
            min(self.workers, len(work.waiting)) or 1,
            mp_context=context,
            initializer=start_worker,
            initargs=(counter, pickle.dumps(work.handed())),
        )
        before = {name: os.environ.get(name) for name in ONE_THREAD}
        # A worker must find the thread limits set when it loads its libraries.
        os.environ.update(ONE_THREAD)
        try:
            with deaf_to_interrupts():
                modules = registered_modules()
                futures = {pool.submit(worked, *each, modules): each for each in work.waiting}
            waiting, told = set(futures), 0
            while waiting:
                done, waiting = wait(waiting, PAUSE, return_when=FIRST_COMPLETED)
                if self.tick is not None and counter.value > told:
                    self.tick(counter.value - told)
                    told = counter.value
                for future in done:
                    yield from work.done(*futures[future], *future.result())
        except BrokenProcessPool as error:
            raise WorkerError(_cause(pool)) from error
        finally:
            _stop(pool)
            for name, value in before.items():
                if value is None:
                    del os.environ[name]
                else:
                    os.environ[name] = value


class RayEngine:
    """Runs tasks by Ray, on a running cluster (RAY_ADDRESS) or a local one."""

    def __init__(self, workers: int | None = None) -> None:
        try:
            import ray
        except ImportError as error:
            raise HybanditError(
                "the engine 'ray' needs the package of that name: pip install ray"
            ) from error
        either(whole(1), nothing()).check("workers", workers)
        self._ray = ray
        self.workers = workers

    def prepare(self, tasks: Sequence[Task], say: Callable[[str], None]) -> None:
        """Nothing: every machine compiles for itself."""

    def run(self, tasks: Sequence[Task]) -> Iterator[Finished]:
        """Yield runs as they finish; if Ray is started here, it is stopped again."""
        ray = self._ray
        started = not ray.is_initialized()
        if started:
            ray.init(
                num_cpus=None if os.environ.get("RAY_ADDRESS") else self.workers,
                runtime_env={"env_vars": ONE_THREAD},
                include_dashboard=False,
                log_to_driver=False,
                logging_level="warning",
            )
        try:
            remote = ray.remote(num_cpus=1, max_calls=0)(worked)
            work, modules = Work(tasks), registered_modules()
            given = ray.put(work.handed())
            waiting = {remote.remote(*each, modules, given): each for each in work.waiting}
            while waiting:
                (ready,), _ = ray.wait(list(waiting), num_returns=1)
                yield from work.done(*waiting.pop(ready), *ray.get(ready))
        except ray.exceptions.RayTaskError as error:
            raise WorkerError(f"a Ray task failed: {error.cause}") from error
        except ray.exceptions.RayError as error:
            raise WorkerError(f"Ray gave up on a task: {error}") from error
        finally:
            if started:
                ray.shutdown()


def make_engine(name: str, workers: int | None = None) -> Engine:
    """An engine by name."""
    if name not in ENGINES:
        raise UnknownName(f"no engine is called {name!r}{suggestion(name, ENGINES)}")
    return ENGINES[name](workers)


ENGINES: dict[str, type[LocalEngine] | type[RayEngine]] = {"local": LocalEngine, "ray": RayEngine}


def registered_modules() -> list[str]:
    """The modules of environments that rooms above have registered, for workers to import."""
    modules = {kind.__module__ for kind in ENVIRONMENTS.values()}
    return sorted(each for each in modules if not each.startswith("hybandit.experiments."))


def bundles(tasks: Sequence[Task]) -> list[Bundle]:
    """The tasks, those together that are run at once."""
    by_place: dict[tuple[EnvironmentSpec, int], dict[PolicySpec, Task]] = {}
    for task in tasks:
        by_place.setdefault((task.environment, task.seed), {})[task.policy] = task
    return [
        tuple(of_policy[policy] for policy in policies)
        for (environment, _), of_policy in by_place.items()
        for policies in make_environment(environment).together(list(of_policy))
    ]


class Work:
    """Tasks as pieces for workers, and what these have found, until a bundle is complete."""

    def __init__(self, tasks: Sequence[Task]) -> None:
        self.waiting = [
            (bundle, number)
            for bundle in bundles(tasks)
            for number in range(_environment(bundle).pieces(_policies(bundle)))
        ]
        self._found: dict[Bundle, dict[int, Any]] = {bundle: {} for bundle, _ in self.waiting}
        self._counts = Counter(bundle for bundle, _ in self.waiting)

    def handed(self) -> dict[str, Any]:
        """What is handed to the workers."""
        environments = {bundle[0].environment for bundle in self._found}
        return dict(ChainMap(*(make_environment(each).handed() for each in environments)))

    def done(self, bundle: Bundle, number: int, found: Any, machine: str) -> Iterator[Finished]:
        """The tasks that this piece completes."""
        pieces = self._found[bundle]
        pieces[number] = found
        if len(pieces) == self._counts[bundle]:
            ordered = [pieces[each] for each in range(len(pieces))]
            runs = _environment(bundle).joined(_policies(bundle), bundle[0].seed, ordered)
            for task, run in zip(bundle, runs, strict=True):
                yield task, run, machine


def timed(bundle: Bundle) -> tuple[list[Run], str]:
    """Run tasks here, and name this machine."""
    return _environment(bundle).run_all(_policies(bundle), bundle[0].seed), _machine()


def worked(
    bundle: Bundle, number: int, modules: Sequence[str], given: dict[str, Any] | None = None
) -> tuple[Any, str]:
    """In a worker: run a piece of a bundle, and name the machine.

    The modules register what tasks may need; what is `given` they need not read.
    """
    if given is not None:
        hand(given)
    for module in modules:
        import_module(module)
    found = _environment(bundle).run_piece(_policies(bundle), bundle[0].seed, number)
    return found, _machine()


def _machine() -> str:
    return f"{platform.machine()} {platform.system()}, {os.cpu_count()} cores"


def _environment(bundle: Bundle) -> TaskEnvironment:
    return make_environment(bundle[0].environment)


def _policies(bundle: Bundle) -> list[PolicySpec]:
    return [task.policy for task in bundle]


def _leave_if_unguarded() -> None:
    """Exit if this is a worker that would start workers while it imports the user's script."""
    if getattr(multiprocessing.current_process(), "_inheriting", False):
        sys.exit(UNGUARDED)


def _cause(pool: ProcessPoolExecutor) -> str:
    """The reason why a worker died, for the message."""
    processes = list((pool._processes or {}).values())
    for process in processes:
        process.join(5.0)
    if any(process.exitcode == UNGUARDED for process in processes):
        script = getattr(sys.modules["__main__"], "__file__", "the script")
        return (
            f"{script} starts worker processes, which load it too, and so must have its "
            'calls under: if __name__ == "__main__":'
        )
    return (
        "a worker process was killed (out of memory?); finished runs are in the "
        "store, and the same command goes on from there"
    )


def _stop(pool: ProcessPoolExecutor) -> None:
    processes = list((pool._processes or {}).values())
    pool.shutdown(wait=False, cancel_futures=True)
    for process in processes:
        if process.is_alive():
            process.terminate()
    for process in processes:
        process.join(5.0)
