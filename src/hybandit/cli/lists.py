"""`hybandit policies` and `hybandit datasets`: what there is."""

from __future__ import annotations

import inspect
from dataclasses import Field
from typing import Annotated, Any, Optional

import typer


def policies(
    name: Annotated[Optional[str], typer.Argument(help="One policy, in full.")] = None,  # noqa: UP045
) -> None:
    """List the policies, with a line on each; name one to see its settings."""
    from rich.console import Console, Group
    from rich.table import Table
    from rich.text import Text

    from hybandit.policies import find_policy, policy_names
    from hybandit.policies.settings import settings_of
    from hybandit.reports.tables import TableView

    console = Console()
    if name is None:
        grid = Table.grid(padding=(0, 2))
        for each in policy_names():
            settings = Text(", ".join(_own_settings(each)), style="dim")
            grid.add_row(each, Group(_first_line(find_policy(each)), settings))
        console.print(grid, highlight=False)
        console.print(
            "\nAll have ties, explore and seed too; 'hybandit policies NAME' tells more of one."
        )
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
    columns = ["setting", "default", "must be", "what it is"]
    console.print(TableView("settings", "", columns, rows, left=4).rich())


def datasets() -> None:
    """List the data sets: what is here, how big, and where it comes from."""
    from rich.console import Console

    from hybandit.datasets import DATASETS
    from hybandit.datasets.files import folders
    from hybandit.reports.tables import TableView

    rows = []
    for dataset in DATASETS.values():
        places = [file.find() for file in dataset.files]
        missing = [file for file, place in zip(dataset.files, places, strict=True) if not place]
        if not dataset.files:
            here = "always"
        elif not missing:
            here = f"yes, {sum(p.stat().st_size for p in places if p) / 1e6:.1f} MB"
        else:
            here = "no, can be downloaded" if all(file.url for file in missing) else "no"
        rows.append([dataset.name, dataset.about, dataset.shape, dataset.source, here])
    looked = ", ".join(str(folder) for folder in folders())
    table = TableView(
        "datasets",
        "",
        ["name", "about", "size", "source", "here"],
        rows,
        f"Looked in {looked}.",
        left=5,
    )
    Console().print(table.rich())


def _first_line(policy: type) -> str:
    return (policy.__doc__ or "").strip().splitlines()[0].replace("`", "")


def _explanation(policy: type) -> str:
    """The docstring up to its example, without the settings."""
    from hybandit.policies.settings import parameters

    text = inspect.cleandoc(policy.__doc__ or "").replace(parameters(policy), "")
    return text.split("\nExamples\n")[0].strip()


def _own_settings(name: str) -> list[str]:
    from hybandit.policies import find_policy
    from hybandit.policies.settings import settings_of

    shared = ("arms", "ties", "explore", "seed")
    entries = settings_of(find_policy(name))
    return [entry.name for entry in entries if entry.kw_only and entry.name not in shared]


def _default(entry: Field[Any]) -> str:
    return repr(entry.default) if entry.kw_only else "(required)"
