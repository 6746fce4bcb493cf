"""The registry of policies by name; the classes register themselves."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from hybandit.errors import HybanditError, InvalidInput, PolicyError, UnknownName
from hybandit.names import suggestion
from hybandit.policies.base import plugins
from hybandit.validation.settings import settings_of

if TYPE_CHECKING:
    from hybandit.policies.base.policy import Policy

# Preferred suggestions for a misspelt name.
FLAGSHIPS = ("lnucb-ta", "stacked-hybrid")
# Sizes that a policy without contexts ignores.
NAME = r"[a-z0-9]+(-[a-z0-9]+)*"
SIZES = ("n_arms", "n_features")
_policies: dict[str, type[Policy]] = {}


def register(policy: type[Policy]) -> None:
    """Register a class under its name. The classes call this themselves."""
    if not re.fullmatch(NAME, policy.name):
        rule = "made of lower-case letters, digits and hyphens, such as 'my-policy'"
        raise InvalidInput(f"{policy.__name__}.name", rule, policy.name)
    known = _policies.get(policy.name)
    if known and (known.__module__, known.__qualname__) != (policy.__module__, policy.__qualname__):
        raise HybanditError(
            f"the policy name {policy.name!r} is taken by {known.__module__}.{known.__qualname__}"
        )
    _policies[policy.name] = policy


def has_own_name(policy: type[Policy]) -> bool:
    """Whether a class gives itself a name, under which it is registered."""
    return "name" in vars(policy)


def check_own_name(policy: type[Policy]) -> None:
    """Refuse a class without a name of its own where it must be found again by that name."""
    if not has_own_name(policy):
        rule = "a name of its own: write name = 'my-policy' in the class"
        raise PolicyError(f"{policy.__module__}:{policy.__qualname__} needs {rule}")


def defined_policy(name: Any) -> type[Policy] | None:
    """The class that is registered under this name by now; nothing is imported for it."""
    plugins.load_installed()
    return _policies.get(name)


def is_importable(policy: type[Policy]) -> bool:
    """Whether another process can import a class from its module."""
    return policy.__module__ != "__main__" and policy.__qualname__.isidentifier()


def reference_of(policy: type[Policy]) -> str:
    """The text by which every process finds a class: its name, or else ``module:Class``."""
    if policy.__module__.startswith("hybandit.") or policy in plugins.load_installed():
        return policy.name
    return f"{policy.__module__}:{policy.__qualname__}"


def policy_names(kind: type[Any] = object) -> list[str]:
    """The names of all policies, or of those that extend `kind`, in order.

    Examples
    --------
    >>> "lnucb-ta" in policy_names()
    True
    """
    plugins.load_installed()
    return sorted(name for name, policy in _policies.items() if issubclass(policy, kind))


def find_policy(name: str) -> type[Policy]:
    """The class that goes by this name, or by its own; or ``module:Class``, which is imported.

    Examples
    --------
    >>> find_policy("lnucb-ta").__name__
    'LNUCBTA'
    >>> find_policy("LNUCBTA").name
    'lnucb-ta'
    >>> find_policy("lnucbta")  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    ...
    hybandit.errors.UnknownName: no policy is called 'lnucbta' ...; did you mean 'lnucb-ta'?
    """
    if not isinstance(name, str):
        raise InvalidInput("name", "the name of a policy", name)
    if name in _policies:
        return _policies[name]
    if plugins.is_reference(name):
        found = plugins.imported(name)
        check_own_name(found)
        return found
    plugins.load_installed()
    by_class = {policy.__name__: policy for policy in _policies.values()} | _policies
    if name not in by_class:
        raise no_policy(name, _policies)
    return by_class[name]


def no_policy(name: str, known: Iterable[str]) -> UnknownName:
    """The error for a name that no policy has."""
    near = suggestion(name, known, FLAGSHIPS)
    return UnknownName(f"no policy is called {name!r} (one of your own: module:Class){near}")


def instead(policy: type[Policy] | None, key: str, known: Iterable[str]) -> str:
    """What to say of a setting that a policy lacks: it may have a plain attribute of this name."""
    value = getattr(policy, key, None)
    if key.startswith("_") or not isinstance(value, (bool, int, float, str)):
        return suggestion(key, known)
    typed = f"{key}: {type(value).__name__} = setting(default={value!r}, rule=..., doc=...)"
    return f"; {key} = {value!r} in the class is none: write {typed}"


def make_policy(name: str, *sizes: int, **settings: Any) -> Any:
    """A policy by name, of the class that has it.

    `sizes` are those that the policy declares, in order: `n_arms` and `n_features`, or
    `n_context` and `n_item`. A policy that needs fewer ignores the rest, so that all policies
    of arms can be made alike.

    Examples
    --------
    >>> make_policy("ucb", 3, 64, rho=1.5, seed=1)
    UCB(n_arms=3, seed=1, rho=1.5)
    """
    policy = find_policy(name)
    known = [entry.name for entry in settings_of(policy)]
    for key in settings:
        if key not in known and key not in SIZES:
            raise UnknownName(f"{name} has no setting {key!r}{instead(policy, key, known)}")
    declared = [entry.name for entry in settings_of(policy) if not entry.kw_only]
    given = {key: value for key, value in settings.items() if key in known}
    return policy(*sizes[: len(declared)], **given)


def named_settings(text: str, parameter: str = "policies") -> tuple[str, dict[str, Any]]:
    """The name and the settings in ``name:setting=value,...``, neither of them checked.

    A policy of one's own is ``module:Class`` or ``module:Class:setting=value,...``. The error
    names `parameter`.

    Examples
    --------
    >>> named_settings("lnucb-ta:alpha=10,target=reward")
    ('lnucb-ta', {'alpha': 10, 'target': 'reward'})
    """
    name, _, rest = text.strip().partition(":")
    class_name, _, after = rest.partition(":")
    # A module may have the name of a policy.
    could_be = all(part.isidentifier() for part in (*name.split("."), class_name))
    if rest and "=" not in class_name and (could_be or name not in policy_names()):
        name, rest = f"{name}:{class_name}", after
    settings: dict[str, Any] = {}
    for pair in rest.split(",") if rest else []:
        key, sign, value = pair.partition("=")
        if not sign:
            raise InvalidInput(parameter, "written name:setting=value,...", text)
        settings[key] = _value(value)
    return name, settings


def named_text(name: str, settings: dict[str, Any]) -> str:
    """The text that `named_settings` reads."""
    pairs = ",".join(f"{key}={value}" for key, value in settings.items())
    return f"{name}:{pairs}" if pairs else name


def _value(text: str) -> Any:
    try:
        return json.loads(text)
    except json.JSONDecodeError:
        return {"True": True, "False": False, "None": None}.get(text, text)
