import io

import pytest
from rich.progress import Progress
from rich.table import Table

from hybandit.terminal import terminal, visible

NASTY = "tea\x1b[2J\x1b]0;owned\x07\x9b31m\u202e"


@pytest.fixture
def shown():
    """What is written to a terminal, apart from what rich itself needs."""
    out = io.StringIO()
    return terminal(file=out, force_terminal=True, width=100, color_system=None), out


@pytest.mark.parametrize("text", ["tea\tor\nbeer", "Grüße, 茶, 🍵", ""])
def test_plain_text_is_shown_as_it_is(text):
    assert visible(text) == text


def test_every_control_character_is_spelled_out():
    assert visible(NASTY) == r"tea\x1b[2J\x1b]0;owned\x07\x9b31m\u202e"
    assert not any(ord(letter) < 32 or 127 <= ord(letter) < 160 for letter in visible(NASTY))


def test_tables_and_lines_obey_no_escape_code(shown):
    console, out = shown
    table = Table(NASTY)
    table.add_row(NASTY)
    console.print(table)
    console.print(NASTY, markup=False)
    assert "\x1b" not in out.getvalue()
    assert out.getvalue().count(r"\x1b[2J") == 3


def test_progress_bars_move_and_their_titles_obey_nothing(shown):
    console, out = shown
    with Progress(console=console) as bars:
        bars.advance(bars.add_task(NASTY, total=1))
    assert "\x1b]0;" not in out.getvalue()
    assert "\x1b[2J" not in out.getvalue()
    assert "\x1b[?25l" in out.getvalue()
