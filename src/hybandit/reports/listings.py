"""What policies and data sets there are: a table for people, a document for programs."""

from __future__ import annotations

import inspect
import re
from dataclasses import dataclass

from hybandit.datasets import DATASETS
from hybandit.datasets.files import folders
from hybandit.policies import find_policy, policy_names
from hybandit.reports.tables import TableView
from hybandit.validation.settings import parameters, settings_of

# Settings that all policies have.
SHARED = ("arms", "ties", "explore", "seed")


@dataclass(frozen=True)
class Listing:
    """What a command prints, with `--json` the document alone."""

    document: dict[str, object]
    table: TableView
    title: str = ""
    text: str = ""


def policies_listed() -> Listing:
    found = {name: find_policy(name) for name in policy_names()}
    about = {name: _first_line(policy) for name, policy in found.items()}
    entries: list[object] = [
        {
            "name": name,
            "about": about[name],
            "settings": [
                entry.name
                for entry in settings_of(policy)
                if entry.kw_only and entry.name not in SHARED
            ],
        }
        for name, policy in found.items()
    ]
    table = TableView("policies", "", ["", ""], [list(pair) for pair in about.items()], left=2)
    return Listing({"policies": entries}, table)


def policy_explained(name: str) -> Listing:
    policy = find_policy(name)
    settings = [
        {
            "name": entry.name,
            "required": not entry.kw_only,
            "default": entry.default if entry.kw_only else None,
            "rule": entry.metadata["rule"].text,
            "about": entry.metadata["doc"],
        }
        for entry in settings_of(policy)
    ]
    rows = [
        [each["name"], "(required)" if each["required"] else repr(each["default"]),
         each["rule"], each["about"]]
        for each in settings
    ]  # fmt: skip
    text = _explanation(policy)
    place = f"{policy.__module__}.{policy.__name__}"
    short = f"hybandit.{policy.__name__}" if place.startswith("hybandit.") else place
    return Listing(
        {"name": policy.name, "class": place, "about": text, "settings": settings},
        TableView("settings", "", ["setting", "default", "must be", "what it is"], rows, left=4),
        f"{policy.name}, in Python {short}",
        text,
    )


def datasets_listed() -> Listing:
    rows = [
        [dataset.name, f"{dataset.about} ({dataset.source})", dataset.shape, dataset.here]
        for dataset in DATASETS.values()
    ]
    looked = " and ".join(str(folder) for folder in folders())
    note = (
        f"Looked in {looked}. 'At first use' means that 'hybandit compare --data NAME' downloads "
        "it. The documentation page on experiments says where to get the others."
    )
    entries = [
        {
            "name": dataset.name,
            "about": dataset.about,
            "size": dataset.shape,
            "source": dataset.source,
            "here": all(file.find() for file in dataset.files),
        }
        for dataset in DATASETS.values()
    ]
    table = TableView("datasets", "", ["name", "about", "size", "here"], rows, note, left=4)
    return Listing({"datasets": entries, "folders": folders()}, table)


def _first_line(policy: type) -> str:
    return (policy.__doc__ or "").strip().splitlines()[0].replace("`", "")


def _explanation(policy: type) -> str:
    """The docstring up to its example, without the settings."""
    text = inspect.cleandoc(policy.__doc__ or "").replace(parameters(policy), "")
    text = text.split("\nExamples\n")[0].replace("``", "").replace("`", "")
    text = text.replace("References\n----------\n", "References:\n")
    return re.sub(r"\n{3,}", "\n\n", text).strip()
