"""The data sets of the paper, digits, which ships with scikit-learn, and those of river."""

from __future__ import annotations

import io
import os
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pandas as pd

from hybandit.datasets.contents import Dataset, EventLog, Graph, Table, classified
from hybandit.datasets.files import DataFile
from hybandit.datasets.packaged import PACKAGED
from hybandit.errors import UnknownName
from hybandit.names import check_name

UCI = "https://archive.ics.uci.edu/ml/machine-learning-databases"
MNIST = "https://ossci-datasets.s3.amazonaws.com/mnist"


def find_dataset(name: str) -> Dataset:
    """The data set that goes by this name.

    Examples
    --------
    >>> table = find_dataset("digits").load()
    >>> table.frame.shape, len(table.classes)
    ((1797, 64), 10)
    """
    if isinstance(name, str) and name not in DATASETS and os.path.exists(name):
        raise UnknownName(
            f"no data set is called {name!r}; for the file or folder give {os.path.join('.', name)}"
        )
    check_name("name", "data set", name, DATASETS)
    return DATASETS[name]


def _digits(_: Sequence[bytes]) -> Table:
    """Read from scikit-learn's folder: importing it would take each worker 1.7 seconds."""
    package = find_spec("sklearn")
    assert package is not None
    assert package.origin is not None
    rows = np.loadtxt(Path(package.origin).parent / "datasets/data/digits.csv.gz", delimiter=",")
    return Table(
        pd.DataFrame(rows[:, :-1]), rows[:, -1].astype(np.int64), _numbered(10), one_unit=True
    )


def _adult(contents: Sequence[bytes]) -> Table:
    train, test = (
        pd.read_csv(
            io.BytesIO(content), header=None, skiprows=skip, skipinitialspace=True, na_values="?"
        )
        for content, skip in zip(contents, (0, 1), strict=True)
    )
    rows = pd.concat([train, test], ignore_index=True)
    return classified(rows.iloc[:, :-1], rows.iloc[:, -1].str.rstrip("."))


def _magic(contents: Sequence[bytes]) -> Table:
    rows = pd.read_csv(io.BytesIO(contents[0]), header=None)
    return classified(rows.iloc[:, :-1], rows.iloc[:, -1])


def _mushroom(contents: Sequence[bytes]) -> Table:
    rows = pd.read_csv(io.BytesIO(contents[0]), header=None, keep_default_na=False)
    return classified(rows.iloc[:, 1:], rows.iloc[:, 0])


def _mnist(contents: Sequence[bytes]) -> Table:
    images = [np.frombuffer(content, np.uint8, offset=16) for content in contents[::2]]
    labels = [np.frombuffer(content, np.uint8, offset=8) for content in contents[1::2]]
    frame = pd.DataFrame(np.concatenate(images).reshape(-1, 784))
    return Table(frame, np.concatenate(labels).astype(np.int64), _numbered(10), one_unit=True)


def _news(contents: Sequence[bytes]) -> EventLog:
    events = np.loadtxt(io.BytesIO(contents[0]))
    arms = events[:, 0].astype(np.int64) - 1
    features = events[:, 2:].reshape(-1, 10, 10)
    return EventLog(arms, events[:, 1].copy(), features, np.full(len(events), 0.1))


def _astroph(contents: Sequence[bytes]) -> Graph:
    pairs = np.loadtxt(io.BytesIO(contents[0]), dtype=np.int64)
    names, numbers = np.unique(pairs, return_inverse=True)
    edges = np.sort(numbers.reshape(-1, 2), axis=1)
    edges = np.unique(edges[edges[:, 0] != edges[:, 1]], axis=0)
    return Graph(len(names), edges)


def _numbered(count: int) -> tuple[str, ...]:
    return tuple(str(number) for number in range(count))


DATASETS: dict[str, Dataset] = {
    dataset.name: dataset
    for dataset in (
        Dataset(
            "digits", "handwritten digits, 8 x 8 pixels", "1,797 x 64, 10 classes",
            "ships with scikit-learn", (), _digits, 1_797, 64,
        ),
        Dataset(
            "adult", "who earns more than 50,000 dollars", "48,842 x 14, 2 classes", "UCI",
            (
                DataFile("adult/adult.data", 3_974_305,
                         "5b00264637dbfec36bdeaab5676b0b309ff9eb788d63554ca0a249491c86603d",
                         f"{UCI}/adult/adult.data"),
                DataFile("adult/adult.test", 2_003_153,
                         "a2a9044bc167a35b2361efbabec64e89d69ce82d9790d2980119aac5fd7e9c05",
                         f"{UCI}/adult/adult.test"),
            ),
            _adult, 48_842, 14,
        ),
        Dataset(
            "magic", "gamma rays or hadrons in a telescope", "19,020 x 10, 2 classes", "UCI",
            (
                DataFile("magic/magic04.data", 1_477_391,
                         "e9314b7ebd4b4b59a3b3d65f7316663963777b16a46786877651dbbaa640b36a",
                         f"{UCI}/magic/magic04.data"),
            ),
            _magic, 19_020, 10,
        ),
        Dataset(
            "mushroom", "edible or poisonous", "8,124 x 22, 2 classes", "UCI",
            (
                DataFile("mushroom/agaricus-lepiota.data", 373_704,
                         "e65d082030501a3ebcbcd7c9f7c71aa9d28fdfff463bf4cf4716a3fe13ac360e",
                         f"{UCI}/mushroom/agaricus-lepiota.data"),
            ),
            _mushroom, 8_124, 22,
        ),
        Dataset(
            "mnist", "handwritten digits, 28 x 28 pixels", "70,000 x 784, 10 classes",
            "LeCun, Cortes, Burges",
            (
                DataFile("mnist/train-images-idx3-ubyte", 47_040_016,
                         "ba891046e6505d7aadcbbe25680a0738ad16aec93bde7f9b65e87a2fc25776db",
                         f"{MNIST}/train-images-idx3-ubyte.gz"),
                DataFile("mnist/train-labels-idx1-ubyte", 60_008,
                         "65a50cbbf4e906d70832878ad85ccda5333a97f0f4c3dd2ef09a8a9eef7101c5",
                         f"{MNIST}/train-labels-idx1-ubyte.gz"),
                DataFile("mnist/t10k-images-idx3-ubyte", 7_840_016,
                         "0fa7898d509279e482958e8ce81c8e77db3f2f8254e26661ceb7762c4d494ce7",
                         f"{MNIST}/t10k-images-idx3-ubyte.gz"),
                DataFile("mnist/t10k-labels-idx1-ubyte", 10_008,
                         "ff7bcfd416de33731a308c3f266cc351222c34898ecbeaf847f06e48f7ec33f2",
                         f"{MNIST}/t10k-labels-idx1-ubyte.gz"),
            ),
            _mnist, 70_000, 784,
        ),
        Dataset(
            "news", "clicks on news articles, shown at random", "10,000 events, 10 arms of 10",
            "Columbia University",
            (
                DataFile("news/dataset.txt", 2_139_159,
                         "3827d827a28018fa0a6f88a1eaed2a044ae74245f8812bbf43e4d6b00308ee36"),
            ),
            _news,
        ),
        Dataset(
            "ca-astroph", "who wrote with whom in astrophysics", "18,772 nodes, 198,050 edges",
            "SNAP",
            (
                DataFile("ca-astroph/ca-AstroPh.txt", 2_444_402,
                         "0a2433352e4fb504861b7c0ce67b235dfe7fe0b30c7cb239cc9ad5ea2c9530cb"),
            ),
            _astroph,
        ),
        *PACKAGED,
    )
}  # fmt: skip
