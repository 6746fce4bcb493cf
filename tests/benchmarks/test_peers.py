"""The race's harness, without any peer: hybandit's adapter here, and one that fails."""

import sys
from pathlib import Path

import numpy as np
import pytest

from benchmarks.peers import report
from benchmarks.peers.cells import HERE, Cell, play
from benchmarks.peers.play import STEP
from benchmarks.peers.problems import ARMS, PROBLEMS
from benchmarks.peers.venvs import NotInstalled, run

FAKE = """
from player import Player

PACKAGE = "numpy"


class Stubborn(Player):
    def __init__(self, arms, features, seed):
        raise RuntimeError("I would rather not")


class First(Player):
    setup = "always the first"

    def __init__(self, arms, features, seed):
        pass

    def choose(self, context):
        return 0

    def learn(self, context, arm, reward):
        pass


PLAYERS = {"lin-ucb": Stubborn, "lin-ts": First}
ABSENT = {"knn": "no neighbours"}
"""


@pytest.fixture(scope="module")
def streams(tmp_path_factory):
    folder = tmp_path_factory.mktemp("streams")
    for problem in PROBLEMS:
        problem.save(folder / f"{problem.name}.npz", rounds=3 * STEP)
    return folder


@pytest.fixture
def fake(tmp_path):
    path = tmp_path / "fake.py"
    path.write_text(FAKE)
    return path


def played(adapter, problem, streams, limit=60.0, *more):
    stream = streams / f"{problem}.npz"
    kind = next(each.kind for each in PROBLEMS if each.name == problem)
    return play(Path(sys.executable), adapter, kind, stream, 1, limit, *more)


def test_every_problem_has_rewards_around_their_means(streams):
    for problem in PROBLEMS:
        with np.load(streams / f"{problem.name}.npz") as stream:
            rounds = problem.log + 3 * STEP
            assert stream["contexts"].shape == (rounds, problem.features)
            assert np.linalg.norm(stream["contexts"], axis=1) == pytest.approx(1.0)
            assert stream["rewards"].shape == stream["means"].shape == (rounds, ARMS)
            assert abs((stream["rewards"] - stream["means"]).mean()) < 0.05
            assert len(stream["log"]) == problem.log


@pytest.mark.parametrize("problem", ["lin-ucb-20", "batch-100"])
def test_hybandit_plays(problem, streams):
    found = played(HERE / "adapters" / "hybandit.py", problem, streams)
    assert found["rounds"] == 3 * STEP
    assert 0 < found["clock"][0] < found["clock"][2] == pytest.approx(found["seconds"], abs=1e-6)
    assert found["memory"] > 10
    assert len(found["regret"]) == 3
    assert found["regret"] == sorted(found["regret"])
    assert "LinUCB" in found["setup"]


def test_regret_is_that_of_the_choices(fake, streams):
    found = played(fake, "lin-ts-100", streams)
    with np.load(streams / "lin-ts-100.npz") as stream:
        lost = stream["means"].max(axis=1) - stream["means"][:, 0]
    assert found["regret"] == pytest.approx([lost[: n * STEP].sum() for n in (1, 2, 3)], abs=1e-3)


def test_a_run_stops_at_its_limit(fake, streams):
    assert played(fake, "lin-ts-100", streams, limit=0.0)["rounds"] == STEP


def test_a_peer_that_fails_or_lacks_the_algorithm_says_so(fake, streams):
    assert played(fake, "lin-ucb-20", streams) == {
        "failure": "failed: RuntimeError: I would rather not"
    }
    assert played(fake, "knn-20", streams)["absent"] == "no neighbours"


def test_a_peer_that_does_not_install_says_why():
    command = [sys.executable, "-m", "pip", "install", "--no-index", "no-such-package"]
    with pytest.raises(NotInstalled, match="no-such-package"):
        run(command)


def run_of(rounds, seconds, regret, **said):
    run = {"setup": "Its(alpha=1)", "nearest": "", "remark": "", "version": "1.2", "memory": 99.0}
    curve = np.linspace(0, 1, rounds // STEP + 1)[1:]
    # The second half of the rounds takes three times as long as the first.
    clock = np.interp(curve, [0, 0.5, 1], [0, 0.25 * seconds, seconds])
    run |= {"rounds": rounds, "seconds": seconds, "clock": clock.tolist()}
    return {**run, "regret": (regret * curve).tolist(), **said}


@pytest.fixture
def cells():
    ours = Cell("lin-ucb-100", "hybandit", [run_of(10_000, s, 900) for s in (0.1, 0.2, 0.4)])
    true = Cell("lin-ucb-100", "slow", [run_of(1_000, 2.0, 60, memory=50.0)])
    near = Cell("lin-ucb-100", "near", [run_of(10_000, 0.1, 9_000, nearest="only near")])
    none = Cell("lin-ucb-100", "none", failure="does not install")
    return [ours, true, near, none]


def test_the_report_says_who_is_ahead(cells, tmp_path):
    (problem,) = report.missed(cells)
    profiles = {problem: [("kernel", 3.0), ("checks", 1.0)]}
    page, chart, runs = report.write(tmp_path, cells, profiles, "On a Monday.")
    text = page.read_text()
    assert "LinUCB, d = 100, faster than the fastest peer: **no**, 0.5 times near°" in text
    assert "8 times the fastest peer with a true LinUCB: yes, 200.0 times slow." in text
    assert "time goes in LinUCB, d = 100, by Python's profiler: `kernel` 75%, `checks` 25%" in text
    assert "| **hybandit** | 50,000 | 25,000 to 100,000 |  | 99 MB | 900 |" in text
    assert "| slow | 500 | 500 to 500 | 200.0 x | 50 MB | 60 in 1,000 (hybandit 90) |" in text
    assert "| none | does not install |" in text
    assert "Less memory than hybandit, in every repeat: LinUCB, d = 100: slow." in text
    assert "Less regret than hybandit, in every repeat: LinUCB, d = 100: slow." in text
    assert "On a Monday." in text
    assert "slow 1.2" in text
    assert chart.read_bytes().startswith(b"\x89PNG")
    assert len(runs.read_text().splitlines()) == 1 + 5
