"""Policies from other modules and from installed packages."""

from __future__ import annotations

import hashlib
import inspect
import warnings
from collections.abc import Callable
from functools import lru_cache
from importlib import import_module
from importlib.metadata import entry_points
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hybandit.errors import UnknownName
from hybandit.names import suggestion

if TYPE_CHECKING:
    from hybandit.policies.base.policy import Policy

GROUP = "hybandit.policies"


def is_reference(name: str) -> bool:
    """Whether this is written ``module:Class``."""
    return ":" in name


def imported(reference: str) -> type[Policy]:
    """The policy class that ``module:Class`` names."""
    from hybandit.policies.base.policy import Policy

    def is_policy(found: object) -> bool:
        return isinstance(found, type) and issubclass(found, Policy)

    policy: type[Policy] = referenced(reference, is_policy, "policy class")
    return policy


def referenced(reference: str, is_wanted: Callable[[object], bool], kind: str) -> Any:
    """What ``module:Name`` names, if it is wanted; the error says which `kind` of thing is."""
    module_name, _, wanted = reference.partition(":")
    try:
        module = import_module(module_name)
    except Exception as error:  # Someone's module may raise anything.
        why = f"{type(error).__name__}: {error}"
        if isinstance(error, ModuleNotFoundError) and error.name == module_name.partition(".")[0]:
            why += f" (run it from the folder of the module, not {Path.cwd()}, or set PYTHONPATH)"
        if module_name.endswith(".py"):
            why = f"write {module_name.removesuffix('.py')}:{wanted}, without .py"
        raise UnknownName(f"the module of {reference!r} cannot be imported: {why}") from error
    found = getattr(module, wanted, None)
    if not is_wanted(found):
        names = [
            name
            for name, each in vars(module).items()
            if is_wanted(each) and getattr(each, "__module__", "") == module_name
        ]
        raise UnknownName(f"{module_name} has no {kind} {wanted!r}{suggestion(wanted, names)}")
    return found


def source_of(found: Callable[..., Any]) -> str:
    """The sha256 of the source file of a class: an edited file counts as another one."""
    return hashlib.sha256(Path(inspect.getfile(found)).read_bytes()).hexdigest()


@lru_cache(maxsize=1)
def load_installed() -> list[Any]:
    """Import, once, the classes that packages offer under the entry point `hybandit.policies`.

    They register themselves.
    """
    found = []
    for entry in entry_points(group=GROUP):
        try:
            found.append(entry.load())
        except Exception as error:  # A package of others may raise anything.
            warnings.warn(
                f"the policy {entry.name!r} of {entry.value} cannot be loaded: {error}",
                stacklevel=2,
            )
    return found
