"""Help, completion, JSON, progress and Ctrl-C, as a person at a terminal meets them."""

import json
import os
import signal
import subprocess
import sys
import time
from contextlib import suppress

import pytest
from typer.testing import CliRunner

import hybandit
from hybandit.cli import EXIT_CODES, app

COMMANDS = [
    (), ("compare",), ("evaluate",), ("train",), ("decide",), ("reproduce",), ("report",),
    ("policies",), ("datasets",), ("loop",),
    *(("loop", "FILE", name) for name in ("explain", "events", "rollback", "export", "verify")),
]  # fmt: skip


@pytest.mark.parametrize("words", COMMANDS, ids=" ".join)
def test_short_help_is_everywhere(words):
    found = CliRunner().invoke(app, [*words, "-h"])
    assert found.exit_code == 0
    assert "Usage:" in found.output


def test_alone_it_shows_three_things_to_try(command):
    done = command()
    assert done.code == 0
    assert len([line for line in done.out.splitlines() if line.startswith("  hybandit ")]) == 3
    assert max(map(len, done.out.splitlines())) <= 80


def test_the_exit_codes_are_in_the_help(command):
    told = " ".join(command("--help").out.split())
    assert all(f"{code}: {meaning}." in told for code, meaning in EXIT_CODES.items())


def test_output_without_a_reader_ends_the_command_quietly():
    process = subprocess.Popen(
        [sys.executable, "-m", "hybandit", "policies"], stdout=subprocess.PIPE,
        stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    process.stdout.close()
    assert (process.stderr.read(), process.wait()) == ("", 1)
    process.stderr.close()


def test_the_shell_can_complete():
    words = {"_HYBANDIT_COMPLETE": "complete_bash", "COMP_WORDS": "hybandit co", "COMP_CWORD": "1"}
    done = subprocess.run(
        [sys.executable, "-m", "hybandit"], env={**os.environ, **words},
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert "compare" in done.stdout
    assert "--install-completion" in CliRunner().invoke(app, ["--help"]).output


@pytest.fixture
def table(tmp_path):
    rows = [f"{n % 7},{'yes' if n % 2 else 'no'},{n % 2},0.5" for n in range(60)]
    (tmp_path / "mine.csv").write_text("\n".join(["number,shown,clicked,p", *rows]) + "\n")
    return "mine.csv"


@pytest.fixture
def live(tmp_path):
    path = tmp_path / "loop.db"
    with hybandit.Loop(path, wait=None) as loop:
        for number in range(12):
            d = loop.rank({"n": number % 3}, {"a": {"x": 1}, "b": None}, event=f"e{number}")
            loop.reward(d.event, float(number % 2))
    return path


def test_compare_in_json(command, table):
    done = command(
        "compare", "--data", table, "--label", "shown", "--policies", "lin-ucb,ucb", "--runs", 2,
        "--json",
    )  # fmt: skip
    told = json.loads(done.out)
    assert set(told) == {"title", "verdict", "rows", "watch", "reading", "files"}
    assert set(told["rows"][0]) >= {"policy", "regret mean", "regret sd", "rounds/s"}
    assert told["rows"][0]["more than the best mean"] is None
    assert told["reading"]["used"] == 60
    assert told["files"]["report"].endswith("report.html")


def test_evaluate_in_json(command, table):
    done = command(
        "evaluate", table, "--arm", "shown", "--reward", "clicked", "--propensity", "p",
        "--policies", "ucb", "--estimators", "ips", "--json",
    )  # fmt: skip
    told = json.loads(done.out)
    assert [row["policy"] for row in told["rows"]] == [
        "ucb",
        "always:yes",
        "always:no",
        "(the log itself)",
    ]


def test_train_in_json(command, table):
    done = command(
        "train", table, "--arm", "shown", "--reward", "clicked", "--policy", "ucb", "-o", "m.npz",
        "--json",
    )  # fmt: skip
    assert json.loads(done.out)["files"] == {"model": "m.npz", "set_aside": None}


def test_lists_in_json(command):
    listed = json.loads(command("policies", "--json").out)["policies"]
    assert "lin-ucb" in [one["name"] for one in listed]
    one = json.loads(command("policies", "lnucb-ta", "--json").out)
    settings = {setting["name"]: setting for setting in one["settings"]}
    assert (settings["kappa"]["default"], settings["kappa"]["required"]) == (0.5, False)
    found = {one["name"]: one for one in json.loads(command("datasets", "--json").out)["datasets"]}
    assert found["digits"]["here"] is True


def test_a_loop_in_json(command, live):
    status = json.loads(command("loop", live, "--json").out)
    assert (status["events"], status["version"]) == (12, 12)
    # Too few events for a curve.
    assert status["curve"] == []
    assert json.loads(command("loop", live, "explain", "e3", "--json").out)["learned"] == 4
    events = json.loads(command("loop", live, "events", "--json").out)["events"]
    assert events[0]["context"] == {"n": 0}
    judged = json.loads(command("evaluate", live, "--json").out)
    assert set(judged) == {"title", "verdict", "rows", "watch", "reading", "files"}
    trained = json.loads(command("train", live, "-o", "m.npz", "--json").out)
    assert (trained["events"], trained["files"]["model"]) == (12, "m.npz")


# Runs the command and tells when it begins to load.
# Ctrl-C as in a terminal: tests may run where a shell has switched it off, and that is inherited.
TERMINAL = """
import signal, sys
signal.signal(signal.SIGINT, signal.default_int_handler)
from hybandit.__main__ import main
"""
LOADING = f"""{TERMINAL}
class Watch:
    def find_spec(self, name, *_):
        if name == "hybandit.cli":
            print("here", flush=True)
sys.meta_path.insert(0, Watch())
main()
"""


@pytest.mark.skipif(os.name == "nt", reason="sends the signal of Ctrl-C to a group of processes")
@pytest.mark.parametrize(
    "seconds", [pytest.param(seconds, marks=pytest.mark.slow) for seconds in (0.0, 1.5)] + [0.3]
)
def test_ctrl_c_is_an_exit_code_and_no_traceback(tmp_path, seconds):
    process = subprocess.Popen(
        [sys.executable, "-c", LOADING, "compare", "--runs", "50"], cwd=tmp_path,
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True,
    )  # fmt: skip
    assert process.stdout.readline() == "here\n"
    time.sleep(seconds)
    os.killpg(process.pid, signal.SIGINT)
    try:
        said = "".join(process.communicate(timeout=60))
    finally:
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
    assert "Traceback" not in said
    assert process.returncode == 130


# What a command runs into, each a function `run`.
HIDDEN = {
    "python makes another error of it": """
class Part:
    def __set_name__(self, owner, name):
        os.kill(os.getpid(), signal.SIGINT)
        time.sleep(1)

def run():
    class Mine:
        part = Part()
""",
    "a library makes another error of it": """
def run():
    try:
        os.kill(os.getpid(), signal.SIGINT)
    except KeyboardInterrupt:
        pass
    raise RuntimeError("no compiled object yet")
""",
    "a callback of LLVM prints it and goes on": """
names = {"__name__": "llvmlite.binding.ffi", "os": os, "signal": signal}
exec('''
def callback():
    try:
        os.kill(os.getpid(), signal.SIGINT)
    except KeyboardInterrupt:
        pass
''', names)

def run():
    names["callback"]()
    print("went on")
""",
}


@pytest.mark.skipif(os.name == "nt", reason="sends itself the signal of Ctrl-C")
@pytest.mark.parametrize("script", HIDDEN.values(), ids=HIDDEN)
def test_ctrl_c_that_somebody_hides_stops_the_command_too(script):
    code = f"{TERMINAL}import os, time, hybandit.cli\n{script}\nhybandit.cli.main = run\nmain()"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (130, "", "")
