"""Twenty files as people have them: each is read right, or refused with what to do."""

import codecs

import numpy as np
import pandas as pd
import pytest
from messy import COUNT, GENERATOR, broken, log_frame, people, read_log, written

from hybandit.datasets import read_labelled
from hybandit.errors import DataFileError, UnknownName


def column(reading, name):
    return next(each for each in reading.columns if each.name == name)


def assert_right(table, reading, width=5):
    assert table.classes == ("no", "yes")
    assert table.labels.tolist() == (table.frame["age"] > 50).astype(int).tolist()
    assert reading.used == len(table.labels)
    assert reading.encoder.width == width


def test_01_one_class(tmp_path):
    path = written(tmp_path, people().assign(bought="yes"))
    with pytest.raises(DataFileError, match=r"'bought' .* has one class only, 'yes': .* label="):
        read_labelled(path, "bought")


def test_02_a_label_of_real_numbers(tmp_path):
    path = written(tmp_path, people().assign(bought=GENERATOR.normal(size=COUNT)))
    with pytest.raises(
        DataFileError, match=r"holds real numbers .* label=...; there are age, town"
    ):
        read_labelled(path, "bought")


def test_03_the_label_first(tmp_path):
    frame = people()[["bought", "age", "town"]]
    path = written(tmp_path, frame)
    assert_right(*read_labelled(path, "bought"))
    with pytest.raises(UnknownName, match="has no column 'bough'; did you mean 'bought'"):
        read_labelled(path, "bough")


def test_04_ids(tmp_path):
    codes = [f"u-{number:05d}" for number in range(COUNT)]
    table, reading = read_labelled(
        written(tmp_path, people(user_id=GENERATOR.permutation(COUNT), code=codes)), "bought"
    )
    assert_right(table, reading)
    assert (column(reading, "user_id").kind, column(reading, "user_id").role) == ("id", "dropped")
    assert column(reading, "code").reason == "200 different values in 200 rows"


def test_05_money(tmp_path):
    amounts = GENERATOR.uniform(-50, 5000, COUNT).round(2)
    prices = [f"${amount:,.2f}".replace("$-", "-$") for amount in amounts]
    table, reading = read_labelled(written(tmp_path, people(price=prices)), "bought")
    assert_right(table, reading, width=6)
    np.testing.assert_allclose(table.frame["price"], amounts)


def test_06_dates(tmp_path):
    days = pd.date_range("2024-01-01", periods=COUNT, freq="31h")
    table, reading = read_labelled(
        written(tmp_path, people(seen=days.strftime("%d.%m.%Y %H:%M"))), "bought"
    )
    assert column(reading, "seen").kind == "date"
    assert "day first" in column(reading, "seen").reason
    assert table.frame["seen.days"].diff().dropna().to_numpy() == pytest.approx(31 / 24)
    assert table.frame["seen.weekday"].nunique() == 7
    assert table.frame["seen.month"].tolist() == days.strftime("%m").tolist()
    assert table.frame["seen.hour"].tolist() == days.hour.tolist()


@pytest.mark.parametrize(("sign", "name"), [(";", "data.csv"), ("\t", "data.tsv")])
def test_07_and_08_other_separators(tmp_path, sign, name):
    assert_right(*read_labelled(written(tmp_path, people(), name, sep=sign), "bought"))


def test_07b_semicolons_with_decimal_commas(tmp_path):
    heights = GENERATOR.uniform(1.5, 2.0, COUNT).round(3)
    path = written(tmp_path, people(height=heights), sep=";", decimal=",")
    table, _ = read_labelled(path, "bought")
    np.testing.assert_allclose(table.frame["height"], heights)


def test_09_latin_1(tmp_path):
    table, reading = read_labelled(written(tmp_path, people(), encoding="latin-1"), "bought")
    assert_right(table, reading)
    assert "Köln" in set(table.frame["town"])
    assert "latin-1" in reading.notes[0]


def test_10_a_byte_order_mark(tmp_path):
    path = written(tmp_path, people()[["bought", "age", "town"]], encoding="utf-8-sig")
    assert path.read_bytes().startswith(codecs.BOM_UTF8)
    assert_right(*read_labelled(path, "bought"))


def test_11_a_header_and_nothing_else(tmp_path):
    with pytest.raises(DataFileError, match="has no rows"):
        read_labelled(written(tmp_path, people().head(0)), "bought")


def test_12_an_empty_file(tmp_path):
    (tmp_path / "data.csv").write_bytes(b"")
    with pytest.raises(DataFileError, match="is empty"):
        read_labelled(tmp_path / "data.csv", "bought")


def test_13_five_per_cent_broken_rows(tmp_path):
    table, reading = read_labelled(broken(written(tmp_path, people()), 0.05), "bought")
    assert_right(table, reading)
    assert (reading.rows, reading.used, len(reading.set_aside)) == (COUNT, 190, 10)
    assert "10 rows set aside" in reading.counted()
    reading.write_set_aside(tmp_path / "set-aside.csv")
    listed = pd.read_csv(tmp_path / "set-aside.csv")
    assert listed["line"].tolist() == list(range(2, 12))
    assert listed["reason"][0] == "1 field where the header has 3"


def test_14_thirty_per_cent_broken_rows(tmp_path):
    with pytest.raises(DataFileError, match=r"60 of the 200 rows .* more than 20%: 1 field where"):
        read_labelled(broken(written(tmp_path, people()), 0.3), "bought")


def test_15_duplicate_columns(tmp_path):
    frame = people(other=GENERATOR.normal(size=COUNT)).rename(columns={"other": "age"})
    table, reading = read_labelled(written(tmp_path, frame), "bought")
    assert_right(table, reading, width=6)
    names = [each.name for each in reading.columns]
    assert names == ["bought", "age", "town", "age.2", "(constant)"]
    with pytest.raises(DataFileError, match="two columns called 'age': rename one"):
        read_labelled(written(tmp_path, frame), "age")


def test_16_a_thousand_classes(tmp_path):
    frame = pd.DataFrame({"x": GENERATOR.normal(size=5000), "y": np.arange(5000) % 1000})
    table, reading = read_labelled(written(tmp_path, frame), "y")
    assert table.classes[:3] == ("0", "1", "2")
    assert table.labels.tolist() == frame["y"].tolist()
    assert reading.notes == ("1,000 classes make 1,000 arms",)


def test_17_two_hundred_thousand_rows(tmp_path):
    table, reading = read_labelled(written(tmp_path, people(200_000)), "bought")
    assert_right(table, reading)
    assert reading.used == 200_000


def test_18_a_log_given_as_a_table(tmp_path):
    with pytest.raises(
        DataFileError, match=r"looks like a log of decisions, .*hybandit\.evaluate with arm"
    ):
        read_labelled(written(tmp_path, log_frame()))


def test_19_arms_numbered_from_1_are_names(tmp_path):
    frame = log_frame().assign(action=np.arange(COUNT) % 12 + 1)
    log, reading = read_log(written(tmp_path, frame), "action", "clicked", propensity="propensity")
    assert log.names == tuple(str(number) for number in range(1, 13))
    assert log.arms.tolist() == (frame["action"] - 1).tolist()
    assert (reading.used, log.features.shape) == (COUNT, (COUNT, 2))


def test_20_arms_that_are_words_in_parquet(tmp_path):
    pytest.importorskip("pyarrow")
    frame = log_frame()
    frame.to_parquet(tmp_path / "log.parquet")
    log, reading = read_log(tmp_path / "log.parquet", "action", "clicked", propensity="propensity")
    assert log.names == ("beer", "tea", "wine")
    assert [log.names[arm] for arm in log.arms] == frame["action"].tolist()
    assert log.propensities == pytest.approx(np.full(COUNT, 1 / 3))
    roles = [each.role for each in reading.columns]
    assert roles == ["arm", "reward", "propensity", "feature", "feature"]
