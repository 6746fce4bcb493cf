"""Statements of every call: compiled once, and run by the driver's own cursor."""

from __future__ import annotations

from collections import namedtuple
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import sqlalchemy as sql


class Compiled(NamedTuple):
    """A statement as one driver takes it: its text, its values, and its rows."""

    text: str
    values: Callable[[dict[str, Any]], Any]
    row: Callable[[Sequence[Any]], Any]


class Statement:
    """A statement of SQLAlchemy that the driver itself runs, in the same transaction.

    Rows have a name for each column; errors are those that SQLAlchemy raises.

    Examples
    --------
    >>> doubled = Statement(sql.select((sql.bindparam("n", type_=sql.Integer) * 2).label("twice")))
    >>> with sql.create_engine("sqlite://").connect() as connection:
    ...     doubled(connection, n=21)[0].twice
    42
    """

    def __init__(self, statement: sql.Select[Any] | sql.Insert) -> None:
        self._statement = statement
        self._compiled: dict[str, Compiled] = {}

    def __call__(self, connection: sql.Connection, **values: Any) -> list[Any]:
        """Run it once, and fetch all rows."""
        return self._run(connection, [values])

    def many(self, connection: sql.Connection, lines: Sequence[dict[str, Any]]) -> None:
        """Run it with each of these values."""
        self._run(connection, lines)

    def _run(self, connection: sql.Connection, lines: Sequence[dict[str, Any]]) -> list[Any]:
        dialect = connection.dialect
        text, values, row = self._compiled.get(dialect.name) or self._compile(dialect, lines[0])
        database = dialect.loaded_dbapi
        try:
            cursor = connection.connection.cursor()
            try:
                if len(lines) > 1:
                    cursor.executemany(text, [values(line) for line in lines])
                    return []
                cursor.execute(text, values(lines[0]))
                return list(map(row, cursor.fetchall())) if cursor.description else []
            finally:
                cursor.close()
        except database.Error as error:
            told = sql.exc.DBAPIError.instance(text, None, error, database.Error)
            raise told from error

    def _compile(self, dialect: sql.Dialect, example: dict[str, Any]) -> Compiled:
        compiled: Any = self._statement.compile(dialect=dialect, column_keys=list(example))
        order = compiled.positiontup
        # Before a fixed value of the statement, such as a literal, goes one that is given.
        fixed = {name: value for name, value in compiled.params.items() if name not in example}

        def values(given: dict[str, Any]) -> Any:
            found = fixed | given
            return found if order is None else list(map(found.__getitem__, order))

        ready = Compiled(str(compiled), values, self._row())
        self._compiled[dialect.name] = ready
        return ready

    def _row(self) -> Callable[[Sequence[Any]], Any]:
        """How a driver's row becomes one with names; SQLite has no truth values."""
        columns = list(self._statement.exported_columns)
        names = [str(column.key) for column in columns]
        kind: Any = namedtuple("Row", names)  # type: ignore[misc]
        made: Callable[[Sequence[Any]], Any] = kind._make
        truths = [place for place, each in enumerate(columns) if _is_truth(each)]
        if not truths:
            return made

        def row(found: Sequence[Any]) -> Any:
            told = list(found)
            for place in truths:
                told[place] = None if told[place] is None else bool(told[place])
            return made(told)

        return row


def _is_truth(column: Any) -> bool:
    return isinstance(column.type, sql.Boolean)
