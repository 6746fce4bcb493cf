"""The OpenAPI document, made from the table of operations and the types of their bodies."""

from __future__ import annotations

import re
from collections.abc import Iterable
from http import HTTPStatus
from inspect import getdoc
from typing import TYPE_CHECKING, Any, get_type_hints

import msgspec

from hybandit._version import __version__
from hybandit.loop.loops import NAME
from hybandit.loop.storage.contract import LONGEST_NAME
from hybandit.service.keys import ANY

if TYPE_CHECKING:
    from hybandit.service.operations import Operation

PARAMETERS = {
    "name": {"type": "string", "pattern": f"^{NAME.pattern}$"},
    "event": {"type": "string", "minLength": 1, "maxLength": LONGEST_NAME},
    "version": {"type": "string", "pattern": "^[0-9]+$"},
}
ONCE = {
    "name": "Idempotency-Key",
    "in": "header",
    "description": "The same key again makes a retry count once.",
    "schema": {"type": "string", "pattern": f"^[!-~]{{1,{LONGEST_NAME}}}$"},
}
# Refusals by what an operation has: a body, a loop, a right.
ANYWHERE = (HTTPStatus.INTERNAL_SERVER_ERROR, HTTPStatus.SERVICE_UNAVAILABLE)
WITH_BODY = (
    HTTPStatus.REQUEST_TIMEOUT,
    HTTPStatus.REQUEST_ENTITY_TOO_LARGE,
    HTTPStatus.UNSUPPORTED_MEDIA_TYPE,
)
WITH_LOOP = (HTTPStatus.BAD_REQUEST, HTTPStatus.NOT_FOUND, HTTPStatus.CONFLICT)
WITH_RIGHT = (HTTPStatus.UNAUTHORIZED, HTTPStatus.FORBIDDEN, HTTPStatus.TOO_MANY_REQUESTS)


def described(operations: Iterable[Operation]) -> dict[str, Any]:
    """The OpenAPI document of these operations."""
    operations = tuple(operations)
    kinds = [kind for each in operations for kind in _kinds(each)]
    schemas, components = msgspec.json.schema_components(
        kinds, schema_hook=_anything, ref_template="#/components/schemas/{name}"
    )
    refer = dict(zip(kinds, schemas, strict=True))
    paths: dict[str, Any] = {}
    for each in operations:
        entry = paths.setdefault(each.path.replace(":path}", "}"), {})
        entry[each.method.lower()] = _described(each, refer, components)
    return {
        "openapi": "3.1.0",
        "info": {"title": "hybandit", "version": __version__},
        "paths": paths,
        "components": {
            "schemas": components,
            "securitySchemes": {
                "bearer": {"type": "http", "scheme": "bearer"},
                "personalizer": {
                    "type": "apiKey", "in": "header", "name": "Ocp-Apim-Subscription-Key",
                },
            },
        },
    }  # fmt: skip


def _kinds(operation: Operation) -> list[type]:
    kinds = (operation.body, operation.query, operation.answer, _refused(operation))
    return [kind for kind in kinds if kind is not None]


def _refused(operation: Operation) -> Any:
    return get_type_hints(operation.refusal)["return"]


def _described(
    operation: Operation, refer: dict[Any, Any], components: dict[str, Any]
) -> dict[str, Any]:
    parts = [part for part in re.split(r"\W+", operation.path) if part not in ("path", "")]
    told: dict[str, Any] = {
        "operationId": "-".join([operation.method.lower(), *parts]),
        "tags": ["personalizer" if "personalizer" in parts else parts[0]],
        "summary": (getdoc(operation.work) or "").partition("\n")[0],
        "parameters": _parameters(operation, components),
        "responses": _responses(operation, refer),
    }
    if operation.right is not None:
        told["security"] = [{"bearer": []}, {"personalizer": []}]
        told["description"] = (
            "Any key may ask for it."
            if operation.right == ANY
            else f"Needs the right `{operation.right}`"
            + (" of a key for all loops." if operation.everywhere else ".")
        )
    if operation.body is not None:
        content = {"application/json": {"schema": refer[operation.body]}}
        told["requestBody"] = {"required": True, "content": content}
    return told


def _parameters(operation: Operation, components: dict[str, Any]) -> list[dict[str, Any]]:
    named = re.findall(r"{(\w+)", operation.path)
    found: list[dict[str, Any]] = [
        {"name": name, "in": "path", "required": True, "schema": PARAMETERS[name]} for name in named
    ]
    if operation.query is not None:
        values = components[operation.query.__name__]["properties"]
        found += [
            {"name": name, "in": "query", "schema": _in_query(schema)}
            for name, schema in values.items()
        ]
    return found + ([ONCE] if operation.method == "POST" and operation.body is not None else [])


def _in_query(schema: dict[str, Any]) -> dict[str, Any]:
    """Where nothing is said there is no value: a query cannot say null."""
    some = [each for each in schema.get("anyOf", ()) if each != {"type": "null"}]
    return some[0] if some else schema


def _responses(operation: Operation, refer: dict[Any, Any]) -> dict[str, Any]:
    good: dict[str, Any] = {"description": operation.status.phrase}
    if operation.answer is not None:
        good["content"] = {"application/json": {"schema": refer[operation.answer]}}
    elif operation.media is not None:
        good["content"] = {operation.media: {"schema": {"type": "string"}}}
    refusals: list[HTTPStatus] = [*ANYWHERE]
    refusals += WITH_BODY if operation.body is not None else ()
    refusals += WITH_LOOP if "{name}" in operation.path else ()
    refusals += WITH_RIGHT if operation.right is not None else ()
    content = {"application/json": {"schema": refer[_refused(operation)]}}
    told = {
        str(int(status)): {"description": status.phrase, "content": content}
        for status in sorted(refusals)
    }
    return {str(int(operation.status)): good} | told


def _anything(kind: type) -> dict[str, Any]:
    """The schema of `object`, of which nothing more is known."""
    return {"description": "any value"}
