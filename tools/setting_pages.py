"""Shows the settings of a policy in the reference by default, rule and meaning, not as code."""

from __future__ import annotations

import importlib
from dataclasses import fields
from typing import Any

import griffe


class Settings(griffe.Extension):
    """Rewrites each attribute that is declared by `setting`, or by one of the shared `settings`."""

    def on_attribute_instance(self, *, attr: griffe.Attribute, **_: Any) -> None:
        declared = attr.value
        if not isinstance(declared, griffe.ExprCall):
            return
        if str(declared.function).partition(".")[0] not in ("setting", "settings"):
            return
        assert attr.parent is not None
        module = importlib.import_module(attr.parent.module.path)
        entry = next(
            each for each in fields(getattr(module, attr.parent.name)) if each.name == attr.name
        )
        attr.value = repr(entry.default) if entry.kw_only else None
        doc, rule = entry.metadata["doc"], entry.metadata["rule"].text
        attr.docstring = griffe.Docstring(f"{doc[:1].upper()}{doc[1:]}. Must be {rule}.")
