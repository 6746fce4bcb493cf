import numpy as np
import pytest
from sklearn.datasets import load_digits

from hybandit.datasets import DATASETS, find_dataset
from hybandit.errors import UnknownName


def counts(table):
    return dict(zip(table.classes, np.bincount(table.labels).tolist(), strict=True))


def test_digits_ship_with_the_package():
    table = find_dataset("digits").load()
    assert table.frame.shape == (1797, 64)
    assert table.classes == tuple("0123456789")
    assert np.bincount(table.labels).sum() == 1797
    assert table.encoded("standard").shape == (1797, 64)
    np.testing.assert_allclose(np.linalg.norm(table.encoded("standard"), axis=1), 1.0)


def test_digits_are_those_of_scikit_learn():
    table, digits = find_dataset("digits").load(), load_digits()
    np.testing.assert_array_equal(table.frame.to_numpy(), digits.data)
    np.testing.assert_array_equal(table.labels, digits.target)


def test_an_unknown_data_set_is_answered_with_the_nearest():
    with pytest.raises(
        UnknownName, match="no data set is called 'mushrom'; did you mean 'mushroom'"
    ):
        find_dataset("mushrom")


def test_a_folder_of_that_name_is_pointed_out(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name in ("visits", "digits"):
        (tmp_path / name).mkdir()
    with pytest.raises(UnknownName, match=r"for the file or folder give .*visits"):
        find_dataset("visits")
    assert find_dataset("digits").name == "digits"


def test_every_data_set_says_what_it_is():
    for name, dataset in DATASETS.items():
        assert dataset.name == name
        assert dataset.about
        assert dataset.shape
        assert dataset.source


def test_adult(data_folder):
    table = find_dataset("adult").load()
    assert table.frame.shape == (48_842, 14)
    assert counts(table) == {"<=50K": 37_155, ">50K": 11_687}
    assert table.frame.isna().any(axis=None)
    assert not (table.frame == "?").any(axis=None)
    encoded = table.encoded("ordinal")
    assert encoded.shape == (48_842, 14)
    assert (encoded < 0).sum() == table.frame.isna().sum().sum()


def test_magic(data_folder):
    table = find_dataset("magic").load()
    assert table.frame.shape == (19_020, 10)
    assert counts(table) == {"g": 12_332, "h": 6_688}
    assert (np.diff(table.labels) >= 0).all()


def test_mushroom(data_folder):
    table = find_dataset("mushroom").load()
    assert table.frame.shape == (8_124, 22)
    assert counts(table) == {"e": 4_208, "p": 3_916}
    assert not table.frame.isna().any(axis=None)
    assert "?" in set(table.frame[10])
    assert table.encoded("standard-raw").shape == (8_124, 117)


def test_mnist(data_folder):
    table = find_dataset("mnist").load()
    assert table.frame.shape == (70_000, 784)
    assert table.frame.to_numpy().max() == 255
    assert np.bincount(table.labels).tolist() == [
        6903, 7877, 6990, 7141, 6824, 6313, 6876, 7293, 6825, 6958
    ]  # fmt: skip
    assert table.labels[:5].tolist() == [5, 0, 4, 1, 9]
    assert table.labels[60_000:60_005].tolist() == [7, 2, 1, 0, 4]


def test_news(data_folder):
    log = find_dataset("news").load()
    assert log.features.shape == (10_000, 10, 10)
    assert log.rewards.mean() == pytest.approx(0.1039)
    assert set(log.rewards) == {0.0, 1.0}
    assert sorted(set(log.arms)) == list(range(10))


def test_news_rows_are_an_arm_a_click_and_ten_features_for_each_arm(data_folder):
    log = find_dataset("news").load()
    first = find_dataset("news").files[0].read().split(b"\n")[0].split()
    assert log.arms[0] == int(first[0]) - 1
    assert log.rewards[0] == int(first[1])
    assert log.features[0, 3].tolist() == [float(entry) for entry in first[32:42]]


def test_astroph(data_folder):
    graph = find_dataset("ca-astroph").load()
    assert graph.n_nodes == 18_772
    assert len(graph.edges) == 198_110 - 60
    assert (graph.edges[:, 0] < graph.edges[:, 1]).all()
    giant = graph.giant_component()
    assert (giant.n_nodes, len(giant.edges)) == (17_903, 196_972)
    assert np.unique(giant.edges).tolist() == list(range(17_903))
