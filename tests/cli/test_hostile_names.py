"""Names with escape codes and markup, through every command that shows names."""

import csv
import io

import pytest

import hybandit
from hybandit.loop.overview import events_as_text

NAME = "\x1b[2J[red]x\x9b1m\u202e"
SHOWN = r"\x1b[2J[red]x\x9b1m\u202e"


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "loop.db"
    with hybandit.Loop(path, wait=None) as loop:
        for number in range(30):
            loop.rank({"n": number}, [NAME, "b"], event=f"{NAME}{number}")
            loop.reward(f"{NAME}{number}", number % 2)
    return path


def harmless(done):
    said = done.out + done.err
    for code in ("\x1b", "\x9b", "\u202e"):
        assert code not in said, ascii(said)
    return said


@pytest.mark.parametrize(
    ("arguments", "shows"),
    [
        (["explain", f"{NAME}1"], True),
        (["explain", f"{NAME}1", "--json"], False),
        (["explain", NAME], True),
        (["events"], True),
        (["events", "--json"], False),
        (["set", f"{NAME}=1"], True),
        (["switch", NAME], True),
        ([], False),
    ],
)
def test_loops(command, file, monkeypatch, arguments, shows):
    monkeypatch.setattr("sys.stdout.isatty", lambda: True, raising=False)
    # No bold headers: whatever escapes then, is of a name.
    monkeypatch.setenv("TERM", "dumb")
    done = command("loop", file, *arguments)
    said = harmless(done)
    if shows:
        assert SHOWN in said.replace("\\\\", "\\")


@pytest.mark.parametrize("show", [[], ["--json"]])
def test_evaluate_and_compare(drawing_command, tmp_path, show):
    with (tmp_path / "log.csv").open("w", newline="", encoding="utf-8") as file:
        lines = csv.writer(file)
        lines.writerow([f"{NAME}column", "x", "arm", "reward"])
        for number in range(60):
            lines.writerow([f"{NAME}{number % 3}", number % 5, f"{NAME}{number % 2}", number % 2])
    asked = ("--policies", "lin-ucb", *show)
    done = drawing_command("evaluate", "log.csv", "--arm", "arm", "--reward", "reward", *asked)
    assert done.code == 0, done.err
    assert show or SHOWN in harmless(done)
    done = drawing_command("compare", "--data", "log.csv", "--label", "arm", *asked)
    assert done.code == 0, done.err
    assert show or SHOWN in harmless(done)
    done = drawing_command("evaluate", f"{NAME}.csv", "--arm", "arm")
    assert done.code == 1
    assert SHOWN in harmless(done)


def test_a_csv_file_for_a_spreadsheet_has_no_formulas(command, tmp_path):
    with hybandit.Loop(tmp_path / "loop.db", wait=None) as loop:
        for name in ("=1+1", "+1", "-1", "@x", "plain"):
            loop.rank({}, [name], event=f"{name}!")
        table = loop.events()
    assert next(iter(events_as_text(table)["action"])) == "=1+1"
    done = command("loop", tmp_path / "loop.db", "events", "--spreadsheet")
    rows = list(csv.DictReader(io.StringIO(done.out)))
    assert [row["action"] for row in rows] == ["'=1+1", "'+1", "'-1", "'@x", "plain"]
    assert [row["event"][0] for row in rows] == ["'", "'", "'", "'", "p"]
    assert rows[0]["preferred"] == "'=1+1"
