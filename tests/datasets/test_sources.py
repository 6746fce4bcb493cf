"""The same log from every source, as a whole and batch by batch."""

import numpy as np
import pandas as pd
import pytest
from messy import read_log

from hybandit.datasets import open_log, sources
from hybandit.datasets.sources import parts_of
from hybandit.errors import DataFileError

COUNT = 1000


def frame(count=COUNT):
    generator = np.random.default_rng(0)
    seen = pd.Timestamp("2024-03-01") + pd.to_timedelta(generator.integers(0, 9000, count), "h")
    return pd.DataFrame(
        {
            "age": np.where(generator.random(count) < 0.1, np.nan, generator.normal(40, 9, count)),
            "town": generator.choice(["Ulm", "Bonn", "Köln"], count),
            "seen": seen,
            "row_id": np.arange(count),
            "shown": generator.choice(["tea", "beer", "wine"], count),
            "clicked": generator.integers(0, 2, count),
            "p": np.full(count, 1 / 3),
        }
    )


def as_csv(table, folder):
    table.to_csv(folder / "log.csv", index=False)
    return folder / "log.csv"


def as_parquet(table, folder):
    table.to_parquet(folder / "log.parquet", row_group_size=170)
    return str(folder / "log.parquet")


def as_folder(table, folder):
    inside = folder / "logs" / "2024"
    inside.mkdir(parents=True)
    for number in range(4):
        part = table.iloc[number * 250 : (number + 1) * 250]
        part.to_parquet(inside / f"part-{number}.parquet")
    return folder / "logs"


def as_polars(table, folder):
    return pytest.importorskip("polars").from_pandas(table)


def as_arrow(table, folder):
    import pyarrow

    return pyarrow.Table.from_pandas(table)


def as_reader(table, folder):
    """One that can be read only once."""
    return as_arrow(table, folder).to_reader(max_chunksize=77)


def as_duckdb(table, folder):
    duckdb = pytest.importorskip("duckdb")
    return duckdb.connect().from_arrow(as_arrow(table, folder))


@pytest.mark.parametrize(
    "made", [as_csv, as_parquet, as_folder, as_polars, as_arrow, as_reader, as_duckdb]
)
@pytest.mark.parametrize("propensity", ["p", None])
def test_a_log_is_the_same_from_every_source_and_in_any_batches(
    tmp_path, monkeypatch, made, propensity
):
    table = frame()
    whole, reading = read_log(table, "shown", "clicked", propensity=propensity)
    monkeypatch.setattr(sources, "ROWS", 128)
    log = open_log(made(table, tmp_path), "shown", "clicked", propensity=propensity)
    told, known = ({each.name: each for each in of.columns} for of in (log.reading, reading))
    assert told.pop("seen").features == known.pop("seen").features == 21
    assert told == known
    assert (log.names, len(log), log.sizes) == (whole.names, COUNT, whole.sizes)
    for _ in range(2):
        batches = list(log.batches(300))
        assert [len(batch) for batch in batches] == [300, 300, 300, 100]
        for name in ("arms", "rewards", "features"):
            found = np.concatenate([getattr(batch, name) for batch in batches])
            np.testing.assert_allclose(found, getattr(whole, name), atol=1e-9)
    np.testing.assert_allclose(log.in_memory().features, whole.features, atol=1e-9)
    assert log.facts.by_choice() == pytest.approx(whole.facts.by_choice())
    (sample, places), (same, known) = log.sample(200), whole.sample(200)
    assert places.tolist() == known.tolist()
    np.testing.assert_allclose(sample.features, same.features, atol=1e-9)


@pytest.mark.parametrize("made", [as_csv, as_parquet, as_folder, as_polars, lambda table, _: table])
def test_a_part_of_a_log_begins_at_any_event_whatever_was_set_aside_before(
    tmp_path, monkeypatch, made
):
    monkeypatch.setattr(sources, "ROWS", 64)
    table = frame()
    table.loc[[3, 90, 91, 500], "clicked"] = np.nan
    log = open_log(made(table, tmp_path), "shown", "clicked", propensity="p")
    whole = log.in_memory()
    assert len(log) == COUNT - 4
    for start, stop in ((0, 1), (63, 200), (190, None), (500, 500), (700, 996)):
        found = list(log.batches(100, slice(start, stop)))
        assert [len(batch) for batch in found[:-1]] == [100] * (len(found) - 1)
        rows = [batch.features for batch in found] or [whole.features[:0]]
        np.testing.assert_array_equal(np.concatenate(rows), whole.features[start:stop])


def test_later_rows_that_do_not_fit_the_sample_are_set_aside_with_their_lines(
    tmp_path, monkeypatch
):
    monkeypatch.setattr(sources, "ROWS", 64)
    monkeypatch.setattr(sources, "LOOKED_AT", 200)
    table = frame().astype({"age": object, "clicked": object})
    table.loc[700, "age"] = "old"
    table.loc[800, "clicked"] = None
    table.loc[900, "town"] = "Kiel"
    path = as_csv(table, tmp_path)
    text = path.read_text().splitlines()
    text[300] += ",surplus"
    path.write_text("\n".join(text) + "\n")
    log = open_log(path, "shown", "clicked", propensity="p")
    told = [(row.line, row.reason) for row in log.reading.set_aside]
    assert told == [
        (301, "8 fields where the header has 7"),
        (702, "age: 'old' is not a number"),
        (802, "no value in 'clicked'"),
    ]
    assert (log.reading.rows, log.reading.used) == (COUNT, COUNT - 3)
    town = next(each for each in log.reading.encoder.features if each.column == "town")
    assert town.categories == ("Bonn", "Kiel", "Köln", "Ulm")
    assert "the kinds of columns were recognised in 256 rows" in log.reading.notes[-1]


def test_an_arm_that_the_sample_lacks_has_its_features_too(tmp_path, monkeypatch):
    monkeypatch.setattr(sources, "ROWS", 64)
    monkeypatch.setattr(sources, "LOOKED_AT", 100)
    table = frame()[["age", "shown", "clicked", "p"]]
    table.loc[:400, "shown"] = np.where(table["shown"][:401] == "wine", "tea", table["shown"][:401])
    generator = np.random.default_rng(1)
    for arm in ("tea", "beer", "wine"):
        table[f"x_{arm}_price"] = generator.random(COUNT)
    columns = {"propensity": "p", "arm_features": "x_", "scaling": "raw"}
    log = open_log(as_parquet(table, tmp_path), "shown", "clicked", **columns)
    whole, _ = read_log(table, "shown", "clicked", **columns)
    assert log.names == ("beer", "tea", "wine")
    np.testing.assert_allclose(log.in_memory().features, whole.features, atol=1e-9)


def test_what_is_no_table_is_refused(tmp_path):
    with pytest.raises(DataFileError, match="is a folder without Parquet files"):
        parts_of(tmp_path)
    with pytest.raises(DataFileError, match="there is no file"):
        parts_of(tmp_path / "log.parquet")


def test_only_the_columns_that_are_used_are_read(tmp_path):
    log = open_log(as_parquet(frame(), tmp_path), "shown", "clicked", propensity="p")
    part = next(log._table.parts(log._columns.used))
    assert list(part.frame.columns) == ["age", "town", "seen", "shown", "clicked", "p"]
