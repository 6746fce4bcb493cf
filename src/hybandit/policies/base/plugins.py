"""Policies from other modules and from installed packages."""

from __future__ import annotations

import hashlib
import inspect
import warnings
from functools import lru_cache
from importlib import import_module
from importlib.metadata import entry_points
from pathlib import Path
from typing import TYPE_CHECKING

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

    module_name, _, class_name = reference.partition(":")
    try:
        module = import_module(module_name)
    except Exception as error:  # Someone's module may raise anything.
        why = f"{type(error).__name__}: {error}"
        if module_name.endswith(".py"):
            why = f"write {module_name.removesuffix('.py')}:{class_name}, without .py"
        raise UnknownName(f"the module of {reference!r} cannot be imported: {why}") from error
    found = getattr(module, class_name, None)
    if not isinstance(found, type) or not issubclass(found, Policy):
        kinds = [
            name
            for name, each in vars(module).items()
            if isinstance(each, type)
            and issubclass(each, Policy)
            and each.__module__ == module_name
        ]
        raise UnknownName(
            f"{module_name} has no policy class {class_name!r}{suggestion(class_name, kinds)}"
        )
    return found


def source_of(policy: type[Policy]) -> str:
    """The sha256 of the source file of a policy: an edited file counts as another policy."""
    return hashlib.sha256(Path(inspect.getfile(policy)).read_bytes()).hexdigest()


@lru_cache(maxsize=1)
def load_installed() -> None:
    """Import, once, what packages offer under the entry point `hybandit.policies`.

    The classes register themselves.
    """
    for entry in entry_points(group=GROUP):
        try:
            entry.load()
        except Exception as error:  # A package of others may raise anything.
            warnings.warn(
                f"the policy {entry.name!r} of {entry.value} cannot be loaded: {error}",
                stacklevel=2,
            )
