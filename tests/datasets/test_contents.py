import hashlib

import numpy as np
import pandas as pd
import pytest

from hybandit.datasets import Dataset, Graph, Table
from hybandit.datasets.contents import classified
from hybandit.datasets.files import DataFile
from hybandit.features import encode

FRAME = pd.DataFrame({"a": [3.0, 0.0, 1.0], "b": [4.0, 2.0, 1.0]})


@pytest.mark.parametrize(
    "encoding", ["ordinal", "standard", "standard-raw", "online", "raw", "unit"]
)
def test_a_table_is_encoded_as_its_frame(encoding):
    table = Table(FRAME, np.zeros(3, int), ("x",))
    assert np.array_equal(table.encoded(encoding), encode(FRAME, encoding))


@pytest.mark.parametrize(
    ("asked", "given"),
    [
        ("ordinal", "unit"),
        ("standard", "unit"),
        ("online", "unit"),
        ("standard-raw", "raw"),
        ("raw", "raw"),
    ],
)
def test_columns_of_one_unit_are_never_standardised(asked, given):
    table = Table(FRAME, np.zeros(3, int), ("x",), one_unit=True)
    assert np.array_equal(table.encoded(asked), encode(FRAME, given))


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
