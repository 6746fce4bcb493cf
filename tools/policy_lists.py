"""Lists of policies that follow from the files in `policies/`.

They are read, not imported, so that a list that is out of date can be mended.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable
from pathlib import Path

ROOT = Path(__file__).parents[1]
PACKAGE = ROOT / "src" / "hybandit"
# What `hybandit.policies` offers besides the policies, by module; `hybandit` offers those marked.
OTHERS = {
    "hybandit.estimators.limits": ("reservoir*", "window*"),
    "hybandit.policies.base.arms": ("ArmPolicy*",),
    "hybandit.policies.base.contextual": ("ContextualPolicy*",),
    "hybandit.policies.base.decision": ("Decision", "ItemDecision"),
    "hybandit.policies.base.items": ("ItemPolicy*",),
    "hybandit.policies.base.policy": ("Policy*", "load*"),
    "hybandit.policies.base.registry": (
        "find_policy",
        "make_policy*",
        "named_settings",
        "named_text",
        "policy_names",
    ),
}


def found() -> dict[str, tuple[str, str]]:
    """The class and the module of every policy, by name."""
    policies = {}
    for path in sorted((PACKAGE / "policies").glob("*.py")):
        for node in ast.parse(path.read_text()).body:
            if isinstance(node, ast.ClassDef) and (name := _name_of(node)):
                policies[name] = node.name, f"hybandit.policies.{path.stem}"
    return policies


def _name_of(policy: ast.ClassDef) -> str | None:
    """What its line ``name = "..."`` says, if there is one."""
    for node in policy.body:
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "name":
            return str(ast.literal_eval(node.value))
    return None


def package_of_policies() -> str:
    """`hybandit/policies/__init__.py`."""
    modules: dict[str, tuple[str, ...]] = {module: (name,) for name, module in found().values()}
    modules |= {module: tuple(n.rstrip("*") for n in names) for module, names in OTHERS.items()}
    lines = [
        '"""The policies, one in each file: how an estimate and a rate make a choice."""',
        "",
        *(_import(module, modules[module]) for module in sorted(modules)),
        "",
        _all(name for names in modules.values() for name in names),
    ]
    return "\n".join(lines) + "\n"


def _import(module: str, names: tuple[str, ...]) -> str:
    line = f"from {module} import {', '.join(names)}"
    if len(line) <= 100:
        return line
    return "\n    ".join([f"from {module} import (", *(f"{name}," for name in names)]) + "\n)"


def package() -> str:
    """`hybandit/__init__.py`, with the names of the policies of today."""
    text = (PACKAGE / "__init__.py").read_text()
    block = re.compile(r"from hybandit\.policies import \((.*?)\n    \)", re.DOTALL)
    known = set(re.findall(r"\w+", block.search(text)[1]))  # type: ignore[index]
    names = {policy for policy, _ in found().values()}
    names |= {n.rstrip("*") for each in OTHERS.values() for n in each if n.endswith("*")}
    shown = "".join(f"\n        {name}," for name in sorted(names, key=_imported))
    text = block.sub(f"from hybandit.policies import ({shown}\n    )", text)
    listed = re.compile(r"__all__ = \[.*?\n\]", re.DOTALL)
    others = set(re.findall(r'"(\w+)"', listed.search(text)[0])) - known  # type: ignore[index]
    return listed.sub(_all(names | others), text)


def _all(names: Iterable[str]) -> str:
    return "\n".join(["__all__ = [", *(f'    "{n}",' for n in sorted(names, key=_listed)), "]"])


def _listed(name: str) -> tuple[int, str]:
    """Capitals first, then classes, then the rest, as ruff sorts lists."""
    return 0 if name.isupper() else 1 if name[0].isupper() else 2, name


def _imported(name: str) -> tuple[int, str]:
    """As `_listed`, but whatever the case, as ruff sorts imports."""
    return _listed(name)[0], name.lower()


def readme() -> str:
    """The README: its table has every policy, a new one in a row of its own, and no others."""
    text = (ROOT / "README.md").read_text()
    start = text.index("|---|---|\n", text.index("## Policies")) + len("|---|---|\n")
    end = text.index("\n\n", start)
    policies, seen, rows = found(), set(), []
    for row in text[start:end].splitlines():
        names, told = row.strip("| ").split(" | ", 1)
        kept = [name for name in re.findall(r"`(.+?)`", names) if name in policies]
        seen |= set(kept)
        if kept:
            rows.append(_row(kept, told))
    rows += [_row([name], _first_line(name)) for name in policies if name not in seen]
    return text[:start] + "\n".join(rows) + text[end:]


def _row(names: Iterable[str], told: str) -> str:
    return f"| {', '.join(f'`{name}`' for name in names)} | {told} |"


def _first_line(name: str) -> str:
    kind, module = found()[name]
    tree = ast.parse((PACKAGE / "policies" / f"{module.rsplit('.', 1)[1]}.py").read_text())
    policy = next(n for n in tree.body if isinstance(n, ast.ClassDef) and n.name == kind)
    return (ast.get_docstring(policy) or "").split("\n\n")[0].replace("\n", " ").rstrip(".")


LISTS = {
    "src/hybandit/policies/__init__.py": package_of_policies,
    "src/hybandit/__init__.py": package,
}
