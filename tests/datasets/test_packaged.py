import importlib.util

import numpy as np
import pytest

from hybandit.datasets import find_dataset, packaged
from hybandit.errors import DataFileError

# Rows, features and how often each class comes.
CONTENTS = {
    "segments": (18, [330] * 7),
    "phishing": (9, [702, 548]),
    "bananas": (2, [2924, 2376]),
    "flares": (12, [147, 211, 239, 95, 43, 331]),
}


@pytest.mark.parametrize("name", CONTENTS)
def test_tables_of_river(name):
    if importlib.util.find_spec("river") is None:
        pytest.skip("pip install river to run this test")
    dataset = find_dataset(name)
    table = dataset.load()
    features, counts = CONTENTS[name]
    assert table.frame.shape == (dataset.rows, dataset.features) == (sum(counts), features)
    assert np.bincount(table.labels).tolist() == counts
    encoded = table.encoded("standard")
    assert np.isfinite(encoded).all()


@pytest.mark.parametrize("name", CONTENTS)
def test_without_the_package_the_remedy_is_named_and_nothing_downloaded(name, monkeypatch):
    monkeypatch.setattr(packaged, "find_spec", lambda _: None)
    monkeypatch.setattr("urllib.request.urlopen", lambda *_, **__: pytest.fail("downloads"))
    monkeypatch.delenv("HYBANDIT_DATA", raising=False)
    with pytest.raises(DataFileError, match="pip install river"):
        find_dataset(name).load()


def test_an_altered_file_is_refused(monkeypatch, tmp_path):
    folder = tmp_path / "river"
    (folder / "datasets").mkdir(parents=True)
    (folder / "datasets/banana.zip").write_bytes(b"x" * 49_917)
    spec = importlib.util.spec_from_loader("river", None, is_package=True)
    spec.submodule_search_locations = [str(folder)]
    monkeypatch.setattr(packaged, "find_spec", lambda _: spec)
    with pytest.raises(DataFileError, match="altered"):
        find_dataset("bananas").load()
