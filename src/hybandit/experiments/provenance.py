"""Where the numbers of a report come from."""

from __future__ import annotations

from hybandit.experiments.store import Store
from hybandit.reports.page import versions


def provenance(store: Store) -> list[str]:
    """Where the numbers of a store come from."""
    lines = [
        f"{runs:,} run{'s' if runs > 1 else ''} by hybandit {own} on {machine}, "
        f"{_minute(first)} to {_minute(last)} UTC"
        for machine, own, first, last, runs in store.provenance()
    ]
    command = store.noted("command")
    if command:
        lines.insert(0, f"Command: {command}")
    return [*lines, versions()]


def _minute(moment: str) -> str:
    return moment[:16].replace("T", " ")
