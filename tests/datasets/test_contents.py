import hashlib

import numpy as np
import pandas as pd
import pytest

from hybandit.datasets import Dataset, Graph, Table, read_labelled
from hybandit.datasets.contents import classified
from hybandit.datasets.files import DataFile
from hybandit.features import encode

FRAME = pd.DataFrame({"a": [3.0, 0.0, 1.0], "b": [4.0, 2.0, 1.0]})


@pytest.mark.parametrize("encoding", ["ordinal", "standard-raw", "raw", "unit"])
def test_a_table_is_encoded_as_its_frame(encoding):
    table = Table(FRAME, np.zeros(3, int), ("x",))
    assert np.array_equal(table.encoded(encoding), encode(FRAME, encoding))


@pytest.mark.parametrize("encoding", ["standard", "online"])
def test_a_data_set_has_the_constant_column_that_peoples_files_have(encoding):
    table = Table(FRAME, np.zeros(3, int), ("x",))
    own, _ = read_labelled(FRAME.assign(label=["x", "y", "x"]), "label")
    assert np.array_equal(table.encoded(encoding), own.encoded(encoding))
    rows = table.contexts(encoding)
    assert np.array_equal(table.encoded(encoding), [rows[number] for number in range(3)])
    assert (table.encoded(encoding)[:, -1] > 0.0).all()
    # A table that has it already gets no second one.
    assert own.encoded(encoding).shape == (3, 3)


def test_at_unit_length_a_row_still_tells_how_large_it_was():
    """Without the constant, two columns at unit length lie on a circle."""
    frame = pd.DataFrame({"a": [-1.0, -2.0, 1.0, 2.0], "b": [-1.0, -2.0, 1.0, 2.0]})
    inner, outer = Table(frame, np.zeros(4, int), ("x",)).encoded("standard")[2:]
    assert np.linalg.norm(inner - outer) > 0.1
    lost = encode(frame, "standard")
    assert lost[2] == pytest.approx(lost[3])


@pytest.mark.parametrize(
    ("asked", "given"),
    [("ordinal", "unit"), ("standard", "unit"), ("online", "unit"), ("raw", "raw")],
)
def test_columns_of_one_unit_are_never_standardised(asked, given):
    table = Table(FRAME, np.zeros(3, int), ("x",), one_unit=True)
    assert np.array_equal(table.encoded(asked), encode(FRAME, given))


def test_raw_pixels_are_divided_by_the_largest_of_all():
    table = Table(FRAME, np.zeros(3, int), ("x",), one_unit=True)
    assert np.array_equal(table.encoded("standard-raw"), FRAME.to_numpy() / 4.0)
    dark = Table(FRAME * 0.0, np.zeros(3, int), ("x",), one_unit=True)
    assert not dark.encoded("standard-raw").any()


def test_classes_are_numbered_in_order_of_their_names():
    table = classified(FRAME, pd.Series(["pear", "fig", "pear"]))
    assert table.classes == ("fig", "pear")
    assert table.labels.tolist() == [1, 0, 1]
    assert list(table.frame) == [0, 1]


def test_the_giant_component_is_renumbered_in_order():
    edges = np.array([[0, 1], [2, 4], [4, 5], [2, 5]])
    giant = Graph(7, edges).giant_component()
    assert giant.n_nodes == 3
    assert sorted(map(tuple, giant.edges.tolist())) == [(0, 1), (0, 2), (1, 2)]


def test_a_data_set_parses_the_contents_of_its_files_in_order(tmp_path, monkeypatch):
    monkeypatch.setenv("HYBANDIT_DATA", str(tmp_path))
    files = []
    for name, content in (("b", b"first"), ("a", b"second")):
        (tmp_path / name).write_bytes(content)
        digest = hashlib.sha256(content).hexdigest()
        files.append(DataFile(name, len(content), digest))
    dataset = Dataset("own", "", "", "", tuple(files), b"+".join)
    assert dataset.load() == b"first+second"
