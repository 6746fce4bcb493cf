"""Small changes of a program: which there are in a source, and the source with one of them."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from dataclasses import dataclass

FLIPPED: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.GtE, ast.LtE: ast.Gt, ast.Gt: ast.LtE, ast.GtE: ast.Lt, ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq, ast.Is: ast.IsNot, ast.IsNot: ast.Is, ast.In: ast.NotIn, ast.NotIn: ast.In,
}  # fmt: skip
BOUNDARY: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt,
}  # fmt: skip
SWAPPED: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.Div, ast.Div: ast.Mult,
    ast.FloorDiv: ast.Mult, ast.Mod: ast.Mult, ast.Pow: ast.Mult,
}  # fmt: skip
OTHER_END = {"max": "min", "min": "max", "argmax": "argmin", "argmin": "argmax",
             "any": "all", "all": "any"}  # fmt: skip
# Annotations are not run.
SKIPPED = ("annotation", "returns", "decorator_list")
Undo = Callable[[], None]
Change = Callable[[], Undo]


@dataclass(frozen=True)
class Mutation:
    """The `number`-th change of a module, and what it does."""

    number: int
    line: int
    kind: str
    before: str
    after: str


def mutations(source: str) -> list[Mutation]:
    """Every change that is known for this source.

    Examples
    --------
    >>> [(each.kind, each.after) for each in mutations("x = a < 2")]
    [('comparison', 'a >= 2'), ('boundary', 'a <= 2'), ('constant', '3')]
    """
    found = []
    for number, (node, kind, change) in enumerate(_changes(ast.parse(source))):
        before = _line(node)
        undo = change()
        found.append(Mutation(number, node.lineno, kind, before, _line(node)))
        undo()
    return found


def mutated(source: str, number: int) -> str:
    """The source with one change; comments are lost."""
    tree = ast.parse(source)
    _changes(tree)[number][2]()
    return ast.unparse(ast.fix_missing_locations(tree))


def plain(source: str) -> str:
    """The source without any change, written as `mutated` writes."""
    return ast.unparse(ast.parse(source))


def _line(node: ast.AST) -> str:
    return ast.unparse(ast.fix_missing_locations(node)).splitlines()[0][:100]


def _changes(tree: ast.Module) -> list[tuple[ast.expr | ast.stmt, str, Change]]:
    return [
        (node, kind, change) for node in _run(tree) for kind, change in _of(node)
    ]  # fmt: skip


def _run(node: ast.AST) -> Iterator[ast.expr | ast.stmt]:
    """Whatever is run: no annotations, no documentation."""
    if isinstance(node, (ast.expr, ast.stmt)):
        yield node
    for name, value in ast.iter_fields(node):
        if name in SKIPPED:
            continue
        for child in value if isinstance(value, list) else [value]:
            if isinstance(child, ast.AST) and not _documents(child):
                yield from _run(child)


def _documents(node: ast.AST) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)


def _of(node: ast.expr | ast.stmt) -> Iterator[tuple[str, Change]]:
    """The changes of one node, each made in place."""
    if isinstance(node, ast.Compare):
        yield from _compared(node)
    elif isinstance(node, (ast.BinOp, ast.AugAssign)) and type(node.op) in SWAPPED:
        yield "arithmetic", _setting(node, "op", SWAPPED[type(node.op)]())
    elif isinstance(node, ast.BoolOp):
        yield "logic", _setting(node, "op", ast.Or() if isinstance(node.op, ast.And) else ast.And())
    elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        yield "dropped not", _setting(node, "operand", _negated(node.operand))
    elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        yield "sign", _setting(node, "op", ast.UAdd())
    elif isinstance(node, ast.Constant):
        yield from _constant(node)
    elif isinstance(node, (ast.If, ast.IfExp)):
        yield "condition", _setting(node, "test", _negated(node.test))
    elif isinstance(node, ast.Return) and node.value is not None:
        yield from _returned(node, node.value)
    elif isinstance(node, ast.Expr) and isinstance(node.value, ast.Call):
        yield "dropped call", _setting(node, "value", ast.Constant(None))
    elif isinstance(node, ast.Name) and node.id in OTHER_END:
        yield "other end", _setting(node, "id", OTHER_END[node.id])
    elif isinstance(node, ast.Attribute) and node.attr in OTHER_END:
        yield "other end", _setting(node, "attr", OTHER_END[node.attr])


def _compared(node: ast.Compare) -> Iterator[tuple[str, Change]]:
    for place, operator in enumerate(node.ops):
        for kind, others in (("comparison", FLIPPED), ("boundary", BOUNDARY)):
            if type(operator) in others:
                changed = [*node.ops]
                changed[place] = others[type(operator)]()
                yield kind, _setting(node, "ops", changed)


def _constant(node: ast.Constant) -> Iterator[tuple[str, Change]]:
    value = node.value
    if isinstance(value, bool):
        yield "constant", _setting(node, "value", not value)
    elif isinstance(value, int):
        yield "constant", _setting(node, "value", value + 1)
    elif isinstance(value, float):
        yield "constant", _setting(node, "value", value * 2.0 if value else 1.0)


def _returned(node: ast.Return, value: ast.expr) -> Iterator[tuple[str, Change]]:
    if isinstance(value, (ast.Compare, ast.BoolOp)):
        yield "returned negation", _setting(node, "value", _negated(value))
    elif isinstance(value, ast.BinOp) and type(value.op) in SWAPPED:
        negative = ast.UnaryOp(ast.USub(), value)
        yield "returned negation", _setting(node, "value", negative)
    elif not isinstance(value, ast.Constant):
        yield "returned nothing", _setting(node, "value", ast.Constant(None))


def _negated(value: ast.expr) -> ast.expr:
    return ast.UnaryOp(ast.Not(), value)


def _setting(node: ast.AST, name: str, value: object) -> Change:
    def change() -> Undo:
        former = getattr(node, name)
        setattr(node, name, value)
        return lambda: setattr(node, name, former)

    return change
