"""Calls every policy with good, bad and odd input, and edits model files: nothing may break.

    python -m stress.fuzz --calls 100000        # all verbs: some minutes
    python -m stress.fuzz --files 10000         # model files with one value changed: as long
    NUMBA_BOUNDSCHECK=1 NUMBA_CACHE_DIR=checked python -m stress.fuzz --files 10000

A call must do its work or raise a HybanditError and leave the state as it was, generator included.
An edited file, written anew so that its checksums are right, must load as an equal policy, be
refused with ModelFileError, or work and stay finite. Files are tried in processes of their own, so
that a segmentation fault is counted. Prints what failed and ends with 1 if anything did.
"""

from __future__ import annotations

import argparse
import collections
import contextlib
import copy
import faulthandler
import json
import os
import subprocess
import sys
import tempfile
import time
import warnings
from decimal import Decimal
from fractions import Fraction
from pathlib import Path

import numpy as np
from rich.console import Console
from rich.progress import Progress

import hybandit
from hybandit.errors import HybanditError, ModelFileError
from hybandit.policies import ItemPolicy, find_policy, policy_names
from hybandit.reports.tables import TableView
from hybandit.validation.settings import settings_of

ARMS, SIZE = 3, 2
LIFE = 60  # Calls before a policy is made anew.
BATCH = 2500  # Files that one process tries.
PATIENCE = 120  # Seconds for one of them, compiling included.
NUMBERS = (0, -1, 1, 0.5, float("nan"), float("inf"), -float("inf"), 1e300, -1e300, 1e-320, 2**62)
SHARED = ("choose", "decide", "learn", "choose_many", "score_many", "learn_many", "save", "restore",
          "copy", "settings")  # fmt: skip


def raising(*names):
    """An object whose special methods fail."""

    def fail(*_, **__):
        raise RuntimeError("hostile")

    return type("Hostile" + "".join(names), (), {f"__{name}__": fail for name in names})()


class Liar:
    """Says it has three entries and gives one."""

    def __len__(self):
        return 3

    def __iter__(self):
        return iter([1.0])

    def __array__(self, dtype=None, copy=None):
        return np.array(["lie"])


def odd_values():
    """By kind; made anew each time, for a call may write to what it is given."""
    endless = [0.0]
    endless.append(endless)
    read_only = np.ones(SIZE)
    read_only.flags.writeable = False
    return {
        "None": None,
        "text": "abc",
        "bytes": b"ab",
        "NaN": float("nan"),
        "infinity": -float("inf"),
        "huge": 1e300,
        "huge int": 10**400,
        "negative": -1,
        "bool": True,
        "complex": 1j,
        "Decimal": Decimal("0.5"),
        "Fraction": Fraction(1, 3),
        "0-d array": np.array(0),
        "0-d float array": np.array(0.5),
        "empty": [],
        "ragged": [[1.0], [1.0, 2.0]],
        "nested": [[[[[1.0]]]]],
        "endless list": endless,
        "dict": {"a": 1.0},
        "set": {1.0, 2.0},
        "NaN entry": np.array([np.nan, 1.0]),
        "infinite entry": np.array([1.0, np.inf]),
        "huge entry": np.array([1e300, 1.0]),
        "integers": np.array([1, 2], np.uint8),
        "half": np.ones(SIZE, np.float16),
        "longdouble": np.longdouble(1),
        "longdouble array": np.array([1, 10**308], np.longdouble) * 10,
        "timedelta": np.timedelta64(1, "s"),
        "datetime array": np.array(["2020-01-01", "2020-01-02"], "datetime64[D]"),
        "masked": np.ma.masked_array([1.0, 2.0], [True, False]),
        "masked scalar": np.ma.masked,
        "object array": np.array([1.0, None], object),
        "text array": np.array(["a", "b"]),
        "structured": np.zeros(2, [("a", float), ("b", int)]),
        "read-only": read_only,
        "strided": np.ones(2 * SIZE)[::2],
        "transposed": np.ones((SIZE, ARMS)).T,
        "wide": np.ones(SIZE + 1),
        "many": np.ones((4, SIZE)),
        "cube": np.ones((4, ARMS, SIZE)),
        "flags": np.ones(ARMS, bool),
        "short flags": [True],
        "no flags": np.zeros(ARMS, bool),
        "generator": (number for number in (1.0, 2.0)),
        "range": range(2),
        "a type": float,
        "hostile array": raising("array"),
        "hostile length": raising("len", "iter", "getitem"),
        "hostile text": raising("repr", "str"),
        "hostile number": raising("float", "int", "index", "bool"),
        "hostile comparison": raising("eq", "lt", "le", "gt", "ge", "hash"),
        "liar": Liar(),
    }


def snapshot(policy):
    state = {name: (array.dtype.str, array.shape, array.tobytes())
             for name, array in policy.state().items()}  # fmt: skip
    return state, repr(policy._generator.bit_generator.state), repr(policy)


def new_policy(generator, name=None):
    name = name or str(generator.choice(policy_names()))
    settings = {"seed": int(generator.integers(1000))}
    if generator.random() < 0.3:
        settings["explore"] = 0.2
    family = family_of(find_policy(name))
    policy = family.new(name, settings, generator)
    for _ in range(int(generator.integers(12))):
        family.round(policy, generator)
    return policy


def family_of(kind):
    return Items if issubclass(kind, ItemPolicy) else Arms


class Arms:
    """How policies of arms are called."""

    verbs = (*SHARED, "add_arm", "retire_arm")

    @staticmethod
    def new(name, settings, generator):
        if generator.random() < 0.3:
            names = [f"arm {number}" for number in range(ARMS)]
            return hybandit.make_policy(name, arms=names, n_features=SIZE, **settings)
        return hybandit.make_policy(name, ARMS, SIZE, **settings)

    @staticmethod
    def round(policy, generator):
        context = generator.normal(size=getattr(policy, "n_features", SIZE))
        policy.learn(context, policy.choose(context), float(generator.random()))
        return policy.decide(context)

    @staticmethod
    def good(policy, generator):
        """Good arguments of every verb, by name."""
        count = policy.n_arms
        arm = int(generator.choice(np.flatnonzero(policy.active)))
        contexts = generator.normal(size=(4, SIZE))
        mask = generator.random(count) < 0.7
        mask[arm] = True
        named = arm
        if policy.arms is not None and generator.random() < 0.5:
            named = policy.arms[arm]
            mask = [name for name, allowed in zip(policy.arms, mask, strict=True) if allowed]
        return {
            "choose": {"context": contexts[0], "eligible": mask},
            "decide": {"context": generator.normal(size=(count, SIZE)), "eligible": mask},
            "learn": {"context": contexts[0], "arm": named, "reward": float(generator.random())},
            "choose_many": {"contexts": contexts, "eligible": mask},
            "score_many": {"contexts": contexts},
            "learn_many": {"contexts": contexts, "arms": [named] * 4, "rewards": [0.5] * 4},
            "add_arm": {} if policy.arms is None else {"name": f"new {count}"},
            "retire_arm": {"arm": named},
        }  # fmt: skip

    @staticmethod
    def sizes(policy):
        contextual = isinstance(policy, hybandit.ContextualPolicy)
        return {"n_arms": ARMS, "n_features": SIZE} if contextual else {"n_arms": ARMS}


class Items:
    """How policies of items are called."""

    verbs = (*SHARED, "rank", "forget_item")

    @staticmethod
    def new(name, settings, generator):
        if generator.random() < 0.3:
            settings["explore"] = "gap"
        return hybandit.make_policy(name, SIZE, SIZE, **settings)

    @staticmethod
    def round(policy, generator):
        offer = Items.offer(policy, generator)
        chosen = policy.choose(**offer)
        item, name = offer["items"][chosen], offer["ids"][chosen]
        policy.learn(offer["context"], item, float(generator.random()), id=name)
        return policy.decide(**offer)

    @staticmethod
    def offer(policy, generator):
        count = int(generator.integers(1, 5))
        ids = [["a", "b", 3, "d", -5][place] for place in generator.permutation(5)[:count]]
        return {
            "context": generator.normal(size=policy.n_context),
            "items": generator.normal(size=(count, policy.n_item)),
            "ids": ids,
        }

    @staticmethod
    def good(policy, generator):
        """Good arguments of every verb, by name."""
        offers = [Items.offer(policy, generator) for _ in range(4)]
        many = {"contexts": [offer["context"] for offer in offers],
                "items": [offer["items"] for offer in offers],
                "ids": [offer["ids"] for offer in offers]}  # fmt: skip
        first = offers[0]
        return {
            "choose": first,
            "decide": first,
            "rank": first,
            "learn": {"context": first["context"], "item": first["items"][0], "id": first["ids"][0],
                      "reward": float(generator.random())},
            "choose_many": many,
            "score_many": many,
            "learn_many": {"contexts": np.ones((4, SIZE)), "items": np.ones((4, SIZE)),
                           "ids": ["a", 3, "a", "e"], "rewards": [0.5] * 4},
            "forget_item": {"id": first["ids"][0]},
        }  # fmt: skip

    @staticmethod
    def sizes(policy):
        return {"n_context": SIZE, "n_item": SIZE}


def arguments(verb, policy, generator):
    """Good arguments of a verb, by name."""
    if verb == "save":
        return {"path": "policy.npz"}
    if verb == "restore":
        return {"arrays": {name: array.copy() for name, array in policy.state().items()}}
    return family_of(type(policy)).good(policy, generator).get(verb, {})


def perform(verb, policy, given, folder):
    if verb == "save" and isinstance(given["path"], str):
        path = folder / "policy.npz"
        policy.save(path)
        assert snapshot(hybandit.load(path)) == snapshot(policy), "loading changed the state"
    elif verb == "copy":
        before = snapshot(policy)
        for twin in (copy.copy(policy), copy.deepcopy(policy)):
            family_of(type(twin)).round(twin, np.random.default_rng(0))
            assert snapshot(policy) == before, "a copy shares state"
    elif verb == "settings":
        type(policy)(**given)
    else:
        checked(verb, policy, given, getattr(policy, verb)(**given))


def checked(verb, policy, given, result):
    if verb == "choose":
        assert type(result) is int, "the choice is no int"
        retired = isinstance(policy, hybandit.ArmPolicy) and not policy.active[result]
        assert not retired, "a retired arm was chosen"
    elif verb == "decide":
        assert abs(result.probabilities.sum() - 1.0) < 1e-9, "probabilities do not sum to 1"
        assert result.probability > 0.0, "something of probability 0 was chosen"
        json.dumps(result.to_dict(), allow_nan=False)
    elif verb in ("choose_many", "score_many"):
        told = given["contexts"]
        lost = isinstance(told, np.ndarray) and len(result) != len(told)
        assert not lost, "not one answer for each"


def spoiled(verb, policy, given, generator):
    """The arguments with one of them odd, and what kind of oddity."""
    kinds = odd_values()
    kind = str(generator.choice(list(kinds)))
    if verb == "settings":
        names = [entry.name for entry in settings_of(policy)]
        sizes = family_of(type(policy)).sizes(policy)
        return {**sizes, str(generator.choice(names)): kinds[kind]}, kind
    if verb == "restore" and generator.random() < 0.8:
        name = str(generator.choice(list(given["arrays"])))
        return {"arrays": {**given["arrays"], name: kinds[kind]}}, f"array {kind}"
    if given:
        name = str(generator.choice(list(given)))
        return {**given, name: kinds[kind]}, f"{name} {kind}"
    return given, "good"


def one_call(policy, generator, folder):
    """What went wrong, or None, and the outcome."""
    verb = str(generator.choice(family_of(type(policy)).verbs))
    given, kind = arguments(verb, policy, generator), "good"
    if verb == "settings" or generator.random() < 0.75:
        given, kind = spoiled(verb, policy, given, generator)
    before = snapshot(policy)
    try:
        perform(verb, policy, given, folder)
    except HybanditError as error:
        if snapshot(policy) != before:
            return (verb, kind, f"changed state: {type(error).__name__}"), "changed"
        if kind != "good" or (verb == "retire_arm" and policy.active.sum() == 1):
            return None, "refused"
        return (verb, kind, f"good input refused: {error}"), "raw"
    except Exception as error:
        changed = ", state changed" if snapshot(policy) != before else ""
        text = f"{type(error).__name__}: {str(error)[:50]}{changed}"
        return (verb, kind, text), "changed" if changed else "raw"
    looked_at = not isinstance(policy, hybandit.ArmPolicy) or hasattr(policy, "n_features")
    if looked_at and kind.startswith("context") and "masked" in kind:
        return (verb, kind, "the value under a mask was used"), "raw"
    return None, "done"


def fuzz_calls(count, seed, progress):
    generator = np.random.default_rng(seed)
    outcomes, failures, policy = collections.Counter(), collections.Counter(), None
    task = progress.add_task("calls", total=count)
    with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):
        for number in range(count):
            if number % LIFE == 0 or getattr(policy, "n_arms", 0) > 12:
                policy = new_policy(generator)
            failure, outcome = one_call(policy, generator, Path(folder))
            outcomes[outcome] += 1
            if failure:
                failures[failure] += 1
                policy = new_policy(generator)
            progress.advance(task)
    return outcomes, failures


def edited(path, target, generator):
    """Write the model file with one value changed; says which."""
    with np.load(path) as file:
        arrays = dict(file)
    value = NUMBERS[generator.integers(len(NUMBERS))]
    full = [name for name in arrays if name != "manifest" and arrays[name].size]
    if generator.random() < 0.7:
        name = str(generator.choice(full))
        array = arrays[name]
        place = generator.integers(array.size)
        with warnings.catch_warnings(), np.errstate(all="ignore"):
            warnings.simplefilter("ignore")
            array.flat[place] = np.array(value).astype(array.dtype)
        told = f"{name} = {value}"
    else:
        manifest = json.loads(str(arrays["manifest"]))
        inner = [manifest, manifest["settings"], manifest["generator"],
                 manifest["generator"]["state"]][generator.integers(4)]  # fmt: skip
        key = str(generator.choice(list(inner)))
        inner[key] = [*NUMBERS, None, "x", [], {}, True][generator.integers(len(NUMBERS) + 5)]
        arrays["manifest"] = np.array(json.dumps(manifest))
        told = f"manifest {key} = {inner[key]!r}"
    np.savez(target, **arrays)
    return told


def try_file(path, expected):
    """How an edited file behaves: equal, refused, working, or what went wrong."""
    try:
        policy = hybandit.load(path)
    except ModelFileError:
        return "refused"
    if snapshot(policy) == expected:
        return "equal"
    generator = np.random.default_rng(0)
    for _ in range(6):
        decision = family_of(type(policy)).round(policy, generator)
        if not np.isfinite(decision.probabilities).all():
            return "probabilities not finite"
        if np.isnan(decision.scores).any():
            return "a score is NaN"
    finite = all(np.isfinite(array).all() for array in policy.state().values())
    return "working" if finite else "state not finite"


def child(start, count, seed):
    """Try some edited files, one line each: told before it is tried, so that a crash has a name."""
    warnings.simplefilter("ignore")
    names = policy_names()
    with tempfile.TemporaryDirectory() as folder:
        kept, target = Path(folder) / "kept.npz", Path(folder) / "edited.npz"
        for number in range(start, start + count):
            generator = np.random.default_rng((seed, number))
            name = names[number % len(names)]
            policy = new_policy(generator, name)
            policy.save(kept)
            told = edited(kept, target, generator)
            print(json.dumps([number, name, told]), flush=True)
            faulthandler.dump_traceback_later(PATIENCE, exit=True)
            try:
                outcome = try_file(target, snapshot(policy))
            except Exception as error:
                outcome = f"{type(error).__name__}: {str(error)[:60]}"
            print(json.dumps(outcome), flush=True)


def fuzz_files(count, seed, progress):
    outcomes, failures = collections.Counter(), collections.Counter()
    task = progress.add_task("files", total=count)
    at = 0
    while at < count:
        lines, stopped = tried_files(at, min(BATCH, count - at), seed)
        for told, outcome in zip(lines[::2], [*lines[1::2], json.dumps(stopped)], strict=False):
            at, name, edit = json.loads(told)
            at += 1
            result = json.loads(outcome)
            good = result in ("equal", "refused", "working")
            outcomes[result if good else "failed"] += 1
            if not good:
                failures[name, edit, result] += 1
        if not lines:
            raise SystemExit(f"no file could be tried: {stopped}")
        progress.update(task, completed=at)
    return outcomes, failures


def tried_files(start, count, seed):
    """What a process that tries some files says, and why it stopped, if before its end."""
    command = [sys.executable, "-m", "stress.fuzz", "--seed", str(seed),
               "--child", str(start), str(count)]  # fmt: skip
    with tempfile.TemporaryDirectory() as folder:
        given = {**os.environ, "TMPDIR": folder}
        ran = subprocess.run(command, capture_output=True, text=True, env=given, check=False)
    stopped = f"the process ended with {ran.returncode}" if ran.returncode else ""
    late = f"took over {PATIENCE} s" if "Timeout" in ran.stderr else stopped
    return ran.stdout.splitlines(), late


def show(console, title, outcomes, failures):
    rows = [[outcome, f"{number:,}"] for outcome, number in outcomes.most_common()]
    columns = ["outcome", "number"]
    console.print(TableView("outcomes", f"Outcomes of {title}", columns, rows, left=1).rich())
    grouped = collections.defaultdict(collections.Counter)
    for (subject, given, happened), number in failures.items():
        grouped[subject, happened][given] += number
    rows = [
        [*key, ", ".join(kind for kind, _ in kinds.most_common(3)), f"{kinds.total():,}"]
        for key, kinds in sorted(grouped.items(), key=lambda item: -item[1].total())
    ]
    if rows:
        columns = ["verb or policy", "what happened", "with, for example", "times"]
        console.print(TableView("failures", f"Failures of {title}", columns, rows, left=3).rich())


def main():
    parser = argparse.ArgumentParser(description="Nothing may break a policy.")
    parser.add_argument("--calls", type=int, default=0, help="how many calls")
    parser.add_argument("--files", type=int, default=0, help="how many edits of model files")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--child", type=int, nargs=2, help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.child:
        child(*given.child, given.seed)
        return
    warnings.simplefilter("ignore")
    console, start = Console(width=140), time.monotonic()
    asked = [("calls", fuzz_calls, given.calls), ("files", fuzz_files, given.files)]
    failed = False
    for title, fuzz, count in asked:
        if not count:
            continue
        with Progress(console=console, transient=True) as progress:
            outcomes, failures = fuzz(count, given.seed, progress)
        show(console, title, outcomes, failures)
        failed = failed or bool(failures)
    console.print(f"{time.monotonic() - start:.0f} s, seed {given.seed}")
    sys.exit(failed)


if __name__ == "__main__":
    main()
