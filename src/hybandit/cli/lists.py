"""`hybandit policies` and `hybandit datasets`: what there is."""

from __future__ import annotations

import inspect
import re
from dataclasses import Field
from typing import Annotated, Any, Optional

import typer

from hybandit.cli.documents import print_document
from hybandit.cli.options import Json


def policies(
    name: Annotated[
        Optional[str],  # noqa: UP045
        typer.Argument(metavar="NAME", help="The policy to explain."),
    ] = None,
    json: Json = False,
) -> None:
    """List all policies; name one to see its settings."""
    from rich.table import Table

    from hybandit.policies import find_policy, policy_names
    from hybandit.reports.tables import TableView
    from hybandit.terminal import terminal
    from hybandit.validation.settings import settings_of

    console = terminal()
    if json:
        print_document(_policies_document() if name is None else _policy_document(name))
        return
    if name is None:
        grid = Table.grid(padding=(0, 2))
        for each in policy_names():
            grid.add_row(each, _first_line(find_policy(each)))
        console.print(grid, highlight=False)
        console.print("\n'hybandit policies NAME' explains one policy and lists its settings.")
        return
    policy = find_policy(name)
    rows = [
        [entry.name, _default(entry), entry.metadata["rule"].text, entry.metadata["doc"]]
        for entry in settings_of(policy)
    ]
    ours = policy.__module__.startswith("hybandit.")
    module = "hybandit" if ours else policy.__module__
    title = f"{policy.name}, in Python {module}.{policy.__name__}"
    console.print(title, style="bold", highlight=False)
    console.print(_explanation(policy), highlight=False, markup=False, soft_wrap=True)
    console.print()
    columns = ["setting", "default", "must be", "what it is"]
    console.print(TableView("settings", "", columns, rows, left=4).rich())


def datasets(json: Json = False) -> None:
    """List the built-in data sets, and which of them are here."""
    from hybandit.datasets import DATASETS
    from hybandit.datasets.files import folders
    from hybandit.reports.tables import TableView
    from hybandit.terminal import terminal

    if json:
        print_document(_datasets_document())
        return
    rows = [
        [dataset.name, f"{dataset.about} ({dataset.source})", dataset.shape, dataset.here]
        for dataset in DATASETS.values()
    ]
    looked = " and ".join(str(folder) for folder in folders())
    note = (
        f"Looked in {looked}. 'At first use' means that 'hybandit compare --data NAME' downloads "
        "it. The documentation page on experiments says where to get the others."
    )
    table = TableView("datasets", "", ["name", "about", "size", "here"], rows, note, left=4)
    terminal().print(table.rich())


def _policies_document() -> dict[str, object]:
    from hybandit.policies import find_policy, policy_names

    return {
        "policies": [
            {
                "name": name,
                "about": _first_line(find_policy(name)),
                "settings": _own_settings(name),
            }
            for name in policy_names()
        ]
    }


def _policy_document(name: str) -> dict[str, object]:
    from hybandit.policies import find_policy
    from hybandit.validation.settings import settings_of

    policy = find_policy(name)
    return {
        "name": policy.name,
        "class": f"{policy.__module__}.{policy.__name__}",
        "about": _explanation(policy),
        "settings": [
            {
                "name": entry.name,
                "required": not entry.kw_only,
                "default": entry.default if entry.kw_only else None,
                "rule": entry.metadata["rule"].text,
                "about": entry.metadata["doc"],
            }
            for entry in settings_of(policy)
        ],
    }


def _datasets_document() -> dict[str, object]:
    from hybandit.datasets import DATASETS
    from hybandit.datasets.files import folders

    return {
        "datasets": [
            {
                "name": dataset.name,
                "about": dataset.about,
                "size": dataset.shape,
                "source": dataset.source,
                "here": all(file.find() for file in dataset.files),
            }
            for dataset in DATASETS.values()
        ],
        "folders": folders(),
    }


def _first_line(policy: type) -> str:
    return (policy.__doc__ or "").strip().splitlines()[0].replace("`", "")


def _explanation(policy: type) -> str:
    """The docstring up to its example, without the settings."""
    from hybandit.validation.settings import parameters

    text = inspect.cleandoc(policy.__doc__ or "").replace(parameters(policy), "")
    text = text.split("\nExamples\n")[0].replace("``", "").replace("`", "")
    text = text.replace("References\n----------\n", "References:\n")
    return re.sub(r"\n{3,}", "\n\n", text).strip()


def _own_settings(name: str) -> list[str]:
    from hybandit.policies import find_policy
    from hybandit.validation.settings import settings_of

    shared = ("arms", "ties", "explore", "seed")
    entries = settings_of(find_policy(name))
    return [entry.name for entry in entries if entry.kw_only and entry.name not in shared]


def _default(entry: Field[Any]) -> str:
    return repr(entry.default) if entry.kw_only else "(required)"
