"""The command as people meet it; in a process of its own where that is the point."""

import csv
import json
import subprocess
import sys
from pathlib import Path

import pytest

from hybandit import __version__
from hybandit.experiments import Store, engines

QUICK = ("--policies", "lin-ucb,ucb", "--rounds", "80", "--runs", "2")


def test_help_needs_nothing_heavy():
    code = (
        "import sys; sys.argv[1:] = ['--help']\n"
        "from hybandit.cli import main\n"
        "try: main()\nexcept SystemExit: pass\n"
        "heavy = {'numba', 'numpy', 'sklearn', 'pandas', 'matplotlib'} & set(sys.modules)\n"
        "sys.exit(f'loaded {heavy}' if heavy else 0)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    for command in (
        "compare",
        "evaluate",
        "train",
        "decide",
        "reproduce",
        "report",
        "policies",
        "datasets",
    ):
        assert command in done.stdout


def test_the_version_is_told(command):
    done = command("--version")
    assert (done.code, done.out) == (0, f"hybandit {__version__}\n")


def test_compare_prints_a_table_and_writes_figure_report_and_store(drawing_command, tmp_path):
    done = drawing_command("compare", *QUICK)
    assert done.code == 0, done.err
    assert "lin-ucb" in done.out
    folder = tmp_path / "hybandit-results"
    assert (folder / "latest" / "regret-curves.png").read_bytes().startswith(b"\x89PNG")
    assert "<html" in (folder / "latest" / "report.html").read_text()
    assert len(Store(folder / "results.sqlite").tasks()) == 4
    first = (folder / "latest").resolve()
    again = drawing_command("compare", *QUICK)
    assert again.out.splitlines()[:-2] == done.out.splitlines()[:-2]
    assert (folder / "latest").resolve() != first
    assert (first / "report.html").exists()
    assert len(Store(folder / "results.sqlite").tasks()) == 4


@pytest.fixture
def without_data(tmp_path, monkeypatch):
    monkeypatch.setenv("HYBANDIT_DATA", "")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))


@pytest.mark.usefixtures("without_data")
def test_reproduce_skips_what_has_no_data_and_report_writes_it_again(command, tmp_path):
    asked = ("reproduce", "news", "theory", "--quick", "--runs", "1", "--out", "r")
    done = command(*asked)
    assert done.code == 3
    for part in ("Theorem 2", "Conclusions", " checks of Theorem 1", "Every printed number"):
        assert part in " ".join(done.out.split())
    assert "of news: no data news" in done.err
    assert "news/dataset.txt" in done.err.replace("\n", "")
    assert "Traceback" not in done.err
    assert "NOT FINISHED" in (tmp_path / "r" / "latest" / "report.md").read_text()
    first = (tmp_path / "r" / "reproduce" / "theory.csv").read_text()
    assert command("report", "r/results.sqlite", "--out", "again").code == 0
    assert (tmp_path / "again" / "theory.csv").read_text() == first
    runs = [tmp_path / folder / "runs.csv.gz" for folder in ("r/reproduce", "again")]
    assert runs[0].read_bytes() == runs[1].read_bytes()
    told = json.loads(command(*asked, "--json").out)
    assert "theory" in [section["id"] for section in told["sections"]]
    assert list(told["skipped"]) == ["news"]


@pytest.mark.slow
@pytest.mark.usefixtures("data_folder")
def test_the_news_fixed_points_through_the_command_line(command, tmp_path):
    done = command("reproduce", "news", "--runs", "1")
    assert done.code == 0, done.err
    with (tmp_path / "hybandit-results" / "reproduce" / "news.csv").open() as file:
        clicks = {row["model, alpha"]: float(row["arm, raw mean"]) for row in csv.DictReader(file)}
    for row, expected in {
        "LinUCB, 0.01": 584, "LinUCB, 0.1": 567, "LinUCB, 1": 424, "LinUCB, 10": 98,
        "(Lin+k-NN)-UCB, 0.1": 665, "(Lin+k-NN)-UCB, 1": 617, "(Lin+k-NN)-UCB, 10": 160,
    }.items():  # fmt: skip
        assert clicks[row] == expected


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("compare", "--data", "digit"), "did you mean 'digits'"),
        (("compare", "--policies", "lnucbta"), "did you mean 'lnucb-ta'"),
        (("compare", "--policies", "lnucb-ta:alfa=1"), "did you mean 'alpha'"),
        (("compare", "--policies", "lnucb-ta:alpha=-1", "--runs", "1"), "'alpha' must be"),
        (("compare", *QUICK, "--encoding", "standart"), "did you mean 'standard"),
        (("compare", "--engine", "spark"), "no engine is called 'spark'"),
        (("reproduce", "regrets"), "did you mean 'regret'"),
        (("report", "missing.sqlite"), "no store"),
        (("policies", "linucb"), "did you mean 'lin-ucb'"),
    ],
)
def test_mistakes_are_one_clear_line(command, arguments, message):
    done = command(*arguments)
    assert done.code == 1
    assert message in done.err
    assert "Traceback" not in done.err


FAULTY = """
import numpy as np
from hybandit.policies import ArmPolicy

class Late(ArmPolicy):
    name = "late-policy"

    def _scores(self, contexts, allowed, exact):
        # Later than the rounds that compile kernels, so that a worker meets it.
        late = self.statistics.counts.sum() > 20
        return np.full(self.n_arms, np.nan if late else 0.0)

class Short(ArmPolicy):
    name = "short-policy"

    def _scores(self, contexts, allowed, exact):
        return np.zeros(self.n_arms - 1)
"""


@pytest.mark.parametrize(
    ("policy", "message"),
    [
        ("Late", "Late._scores must return an array of 10 numbers, one for each arm; "
                 "got nan for arm 0"),
        ("Short", "Short._scores must return an array of 10 numbers, one for each arm; "
                  "got an array of shape (9,) and type float64"),
    ],
)  # fmt: skip
def test_a_faulty_policy_is_one_clear_line(command, tmp_path, policy, message):
    (tmp_path / "mine.py").write_text(FAULTY)
    done = command("compare", "--policies", f"mine:{policy}", "--runs", "1", "--rounds", "50")
    assert done.code == 1
    assert f"hybandit: {message}\n" in done.err
    assert "Traceback" not in done.err


def test_a_report_needs_only_the_store(command, tmp_path):
    rows = [f"{n % 7},{'yes' if n % 2 else 'no'}" for n in range(60)]
    (tmp_path / "mine.csv").write_text("\n".join(["number,answer", *rows]) + "\n")
    assert (
        command(
            "compare", "--data", "mine.csv", "--label", "answer", *QUICK[:2], "--runs", "2"
        ).code
        == 0
    )
    (tmp_path / "mine.csv").unlink()
    done = command("report", "hybandit-results/results.sqlite", "--out", "again")
    assert done.code == 0, done.err
    assert "lin-ucb" in (tmp_path / "again" / "report.md").read_text()


@pytest.mark.usefixtures("without_data")
def test_missing_data_says_which_file_to_put_where(command):
    done = command("compare", "--data", "news", *QUICK)
    assert done.code == 1
    told = done.err.replace("\n", "")
    assert "news/dataset.txt" in told
    assert "HYBANDIT_DATA" in told


def test_a_compare_that_was_stopped_has_a_report_of_what_it_has_and_goes_on(command, monkeypatch):
    class Stopped(engines.ENGINES["local"]):
        def run(self, tasks):
            yield next(super().run(tasks))
            raise KeyboardInterrupt

    monkeypatch.setitem(engines.ENGINES, "stopped", Stopped)
    assert command("compare", *QUICK, "--engine", "stopped").code == 130
    assert command("report", "hybandit-results/results.sqlite").code == 0
    store = Store(Path("hybandit-results/results.sqlite"))
    assert (store.path.parent / "unfinished" / "report.html").exists()
    before = store.tasks()
    assert command("compare", *QUICK).code == 0
    assert store.tasks()[: len(before)] == before
    assert (len(before), len(store.tasks())) == (1, 4)


def test_lists_name_everything(command):
    from hybandit.datasets import DATASETS
    from hybandit.policies import policy_names

    listed = command("policies").out
    assert all(name in listed for name in policy_names())
    assert all(name in command("datasets").out for name in DATASETS)
    assert "kappa" in command("policies", "lnucb-ta").out
