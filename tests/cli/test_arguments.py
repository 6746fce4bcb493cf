"""Messages name what the caller wrote: parameters in Python, options on the command line."""

import re

import numpy as np
import pandas as pd
import pytest

import hybandit
from hybandit.errors import HybanditError, InvalidInput

COUNT = 60
AGES = np.random.default_rng(0).integers(18, 90, COUNT)


@pytest.fixture
def files(tmp_path):
    """A table, a table that looks like a log, a log, a file of one column, and one in latin-1."""
    old = np.where(AGES > 50, "yes", "no")
    shown = np.where(np.arange(COUNT) % 3, "tea", "beer")
    table = pd.DataFrame({"age": AGES, "old": old})
    log = pd.DataFrame({"age": AGES, "arm": shown, "reward": AGES % 2, "size": AGES / 7})
    table.to_csv(tmp_path / "table.csv", index=False)
    log.to_csv(tmp_path / "log.csv", index=False)
    table[["age"]].to_csv(tmp_path / "one.csv", index=False)
    (tmp_path / "latin.csv").write_bytes("age,old\n1,b\xe4r\n2,b\xe4r\n".encode("latin-1"))
    return tmp_path


TABLE = {"data": "table.csv", "label": "old"}
LOG = {"log": "log.csv", "arm": "arm", "reward": "reward"}
MISTAKES = [
    ("compare", {"data": "table.csv"}, "right answer by label=...;", "right answer by --label;"),
    ("compare", {"data": "one.csv"}, "give separator=...", "give --sep"),
    (
        "compare",
        {"data": "log.csv"},
        "hybandit.evaluate with arm=... and reward=...; if it is not, name",
        "'hybandit evaluate' with --arm and --reward; if it is not, name",
    ),
    ("compare", TABLE | {"label": "young"}, "'young'; .* (label=...)", "'young'; .* (--label)"),
    ("compare", TABLE | {"drop": ["town"]}, "'town'; .* (drop=...)", "'town'; .* (--drop)"),
    ("compare", TABLE | {"kinds": {"town": "number"}}, "(kinds=...)", "(--kind)"),
    (
        "compare",
        {"data": "latin.csv", "label": "old", "file_encoding": "ascii"},
        "give another with file_encoding=...",
        "give another with --file-encoding",
    ),
    ("compare", {"data": "digits", "label": "x"}, "'label' must be left", "--label must be left"),
    (
        "compare",
        {"data": "digits", "separator": ";"},
        "'separator' must be left out",
        "--sep must be left out",
    ),
    ("evaluate", {"log": "log.csv"}, "arm=... and reward=...; there", "--arm and --reward; there"),
    ("evaluate", LOG | {"reward": "arm"}, "numbers (reward=...)", "numbers (--reward)"),
    ("evaluate", LOG | {"arm": "size"}, "chosen by arm=...;", "chosen by --arm;"),
    ("evaluate", LOG | {"arm_features": "x_"}, "(arm_features=...)", "(--arm-features)"),
    ("evaluate", LOG | {"scaling": "most"}, "'scaling' must be", "--scaling must be"),
    ("evaluate", LOG | {"matches": 5}, "'matches' must be left", "--matches must be left"),
    ("evaluate", {"log": "digits"}, "are for hybandit.compare", "are for 'hybandit compare'"),
]


def words(name, value):
    """An argument of Python as words of a command line."""
    if name == "log":
        return [value]
    option = {"separator": "--sep", "kinds": "--kind"}.get(name, f"--{name.replace('_', '-')}")
    if isinstance(value, dict):
        value = "=".join(*value.items())
    return [option, ",".join(value) if isinstance(value, list) else value]


def pattern(told):
    return ".*".join(re.escape(part) for part in told.split(".* "))


@pytest.mark.parametrize(("name", "given", "in_python", "on_the_command_line"), MISTAKES)
def test_mistakes_name_parameters_in_python_and_options_on_the_command_line(
    command, files, name, given, in_python, on_the_command_line
):
    written = [word for pair in given.items() for word in words(*pair)]
    done = command(name, *written, "--policies", "ucb")
    assert done.code == 1
    assert re.search(pattern(on_the_command_line), done.err), done.err
    with pytest.raises(HybanditError, match=pattern(in_python)) as told:
        getattr(hybandit, name)(**given, policies="ucb")
    assert "--" not in str(told.value)


def test_notes_name_arguments_as_errors_do(command, files):
    frame = pd.read_csv("log.csv").assign(p=0.5)
    frame.to_csv("log.csv", index=False)
    told = command("train", "log.csv", "--arm", "arm", "--reward", "reward", "-o", "m.npz").out
    assert "give --propensity p" in " ".join(told.split())
    notes = hybandit.datasets.open_log(frame, "arm", "reward").reading.notes
    assert "if 'p' is the probability of the chosen arm, give propensity='p'" in notes


def test_an_error_keeps_its_parameter_whatever_it_is_called():
    from hybandit.errors import naming_options

    with naming_options({"label": "--label"}.get):
        error = InvalidInput("label", "a text", 5)
    assert (error.parameter, str(error)) == ("label", "--label must be a text; got 5")
    assert str(InvalidInput("label", "a text", 5)) == "'label' must be a text; got 5"
