"""Pages and golden lists that the program itself writes."""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from importlib import import_module
from typing import Any

import typer

import hybandit
from hybandit.cli import EXIT_CODES, app
from hybandit.validation.settings import settings_of
from tools import policy_lists

MADE = "<!-- Made by python -m tools.reference: do not edit. -->"
# These are Typer's, and their words differ between its versions.
FROM_TYPER = {"--install-completion", "--show-completion", "--help"}
ABOUT_CLI = """\
`hybandit` alone shows three things to try, and `-h` explains any command. `hybandit
--install-completion` makes the shell complete commands and options (bash, zsh, fish and
PowerShell); `hybandit --show-completion` prints what it would install.

Tables are for people. With `--json` a command prints one JSON document on standard output and
nothing else there; rows of tables have the names of the columns of the CSV files in the report's
folder. Progress and warnings go to standard error: a bar on a terminal, a line every ten seconds
elsewhere. Ctrl-C keeps every finished run."""


def command_line() -> str:
    """The page on all commands."""
    parts = [MADE, "# The command line", ABOUT_CLI, "## Exit codes", _exit_codes()]
    parts += _command("hybandit", typer.main.get_command(app))
    return "\n\n".join(parts) + "\n"


def _exit_codes() -> str:
    return _table(["code", "meaning"], [[str(code), told] for code, told in EXIT_CODES.items()])


def _command(name: str, command: Any) -> list[str]:
    """A command's section, and those of the commands below it."""
    arguments = [each for each in command.params if each.param_type_name == "argument"]
    options = [each for each in command.params if each.param_type_name == "option"]
    options = [each for each in options if not FROM_TYPER & set(each.opts) and not each.hidden]
    below = sorted(getattr(command, "commands", {}).items())
    words = [name, *(_placeholder(each) for each in arguments)]
    call = " ".join(words + ["COMMAND"] * bool(below))
    parts = [f"## {name}", _prose(command.help), f"```text\n{call} [OPTIONS]\n```"]
    rows = [[f"`{_placeholder(each)}`", _escaped(each.help), ""] for each in arguments]
    rows += [[_names(each), _escaped(each.help), _default(each)] for each in options]
    if rows:
        parts.append(_table(["argument or option", "what it is", "default"], rows))
    for word, each in below:
        parts += _command(f"{' '.join(words)} {word}", each)
    return parts


def _placeholder(argument: Any) -> str:
    name = str(argument.metavar or argument.name.upper())
    return f"[{name}]..." if argument.nargs == -1 else name


def _names(option: Any) -> str:
    metavar = option.metavar or "" if option.is_flag else option.metavar or option.name.upper()
    return ", ".join(f"`{f'{name} {metavar}'.strip()}`" for name in option.opts)


def _default(option: Any) -> str:
    shown = option.required or not (option.is_flag or option.default is None)
    return ("required" if option.required else f"`{option.default}`") if shown else ""


def _prose(text: str | None) -> str:
    return _escaped(inspect.cleandoc(text or ""))


def _escaped(text: str | None) -> str:
    return (text or "").replace("*", "\\*").replace("_", "\\_").replace("|", "\\|")


def _policies() -> Iterator[tuple[str, Any]]:
    """Every policy of the package with its class, whether listed already or not."""
    for name, (kind, module) in policy_lists.found().items():
        yield name, getattr(import_module(module), kind)


def settings() -> str:
    """The page on the settings of every policy."""
    about = (
        "What `hybandit policies NAME` shows, for all. Settings are keywords; those without a "
        "default are required."
    )
    parts = [MADE, "# Settings of all policies", about]
    for name, policy in _policies():
        first = (policy.__doc__ or "").strip().splitlines()[0].replace("`", "")
        link = f"[`{policy.__name__}`](policies.md#hybandit.policies.{policy.__name__})"
        rows = [
            [
                f"`{entry.name}`",
                f"`{entry.default!r}`" if entry.kw_only else "",
                _escaped(entry.metadata["rule"].text),
                _escaped(entry.metadata["doc"]),
            ]
            for entry in settings_of(policy)
        ]
        table = _table(["setting", "default", "must be", "what it is"], rows)
        parts += [f"## {name}", f"{link}: {_escaped(first)}", table]
    return "\n\n".join(parts) + "\n"


def defaults() -> str:
    """Every setting of every policy with its default and rule."""
    lines = []
    for name, policy in _policies():
        lines.append(f"{name} (results version {policy.results_version})")
        lines += [
            f"  {entry.name} = {entry.default!r}: {entry.metadata['rule'].text}"
            for entry in settings_of(policy)
            if entry.kw_only
        ]
    return "\n".join(lines) + "\n"


def names() -> str:
    """The page on every name of the package, with where it is explained."""
    about = (
        "All names of `hybandit`, each on its page. `import hybandit` loads nothing heavy: a name "
        "is loaded when it is first used."
    )
    rows = [[_link(name), _first_line(name)] for name in hybandit.__all__]
    return "\n\n".join([MADE, "# Reference", about, _table(["name", "what it is"], rows)]) + "\n"


def _link(name: str) -> str:
    found = getattr(hybandit, name)
    if inspect.ismodule(found):
        page = "../cli.md" if name == "cli" else f"{name}.md"
        return f"[`{name}`]({page})"
    homes = ("errors", "policies", "loop", "experiments")
    home = next(room for room in homes if hasattr(getattr(hybandit, room), name))
    return f"[`{name}`]({home}.md#hybandit.{home}.{name})"


def _first_line(name: str) -> str:
    text = inspect.cleandoc(getattr(hybandit, name).__doc__ or "").split("\n\n")[0]
    return _escaped(" ".join(text.split()).replace("`", ""))


def _table(heads: list[str], rows: list[list[str]]) -> str:
    lines = [heads, ["---"] * len(heads), *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


PAGES = {
    "README.md": policy_lists.readme,
    "docs/cli.md": command_line,
    "docs/reference/settings.md": settings,
    "docs/reference/index.md": names,
    "tests/policies/defaults.txt": defaults,
}
