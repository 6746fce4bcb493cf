"""Public data sets that come with the package river; nothing here was tuned on them."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pandas as pd

from hybandit.datasets.contents import Dataset, Table, classified
from hybandit.datasets.files import DataFile
from hybandit.errors import DataFileError


@dataclass(frozen=True)
class PackagedFile(DataFile):
    """A file below an installed package, whose name its path starts with; never downloaded."""

    def find(self) -> Path | None:
        package, _, rest = self.path.partition("/")
        spec = find_spec(package)
        for folder in (spec.submodule_search_locations if spec else None) or ():
            place = Path(folder) / rest
            if place.is_file():
                return place
        return super().find()

    def _download(self) -> Path:
        package = self.path.partition("/")[0]
        raise DataFileError(
            f"{self.path} comes with the package {package}, which is not installed or has it no "
            f"more: pip install {package}"
        )


def _unzipped(content: bytes) -> io.BytesIO:
    """The first file of an archive."""
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        return io.BytesIO(archive.read(archive.namelist()[0]))


def _last_is_class(rows: pd.DataFrame) -> Table:
    return classified(rows.iloc[:, :-1], rows.iloc[:, -1])


def _segments(contents: Sequence[bytes]) -> Table:
    return _last_is_class(pd.read_csv(_unzipped(contents[0])))


def _bananas(contents: Sequence[bytes]) -> Table:
    """Lines such as ``-1 1:1.617 2:-0.919``."""
    lines = _unzipped(contents[0]).read().decode().splitlines()
    parts = [line.replace(":", " ").split() for line in lines if line.strip()]
    rows = np.array([[part[0], part[2], part[4]] for part in parts], np.float64)
    return classified(pd.DataFrame(rows[:, 1:]), pd.Series(rows[:, 0].astype(np.int64)))


def _flares(contents: Sequence[bytes]) -> Table:
    """The first column is the class."""
    rows = pd.read_csv(_unzipped(contents[0]))
    return classified(rows.iloc[:, 1:], rows.iloc[:, 0])


def _csv(contents: Sequence[bytes]) -> Table:
    return _last_is_class(pd.read_csv(io.BytesIO(contents[0])))


SOURCE = "ships with river"
PACKAGED = (
    Dataset(
        "segments", "what a piece of a picture shows", "2,310 x 18, 7 classes", SOURCE,
        (PackagedFile("river/datasets/segment.csv.zip", 122_552,
                      "91e4402efcb6f6a4087e4bcfcd074976dd8e48819d290f45bae6bd652bd16d75"),),
        _segments, 2_310, 18,
    ),
    Dataset(
        "phishing", "web sites that phish", "1,250 x 9, 2 classes", SOURCE,
        (PackagedFile("river/datasets/phishing.csv.gz", 42_652,
                      "cfe77f0b77dd706ac5491842d7ad787c80b5805eb315a47a4b89d0172c760fca"),),
        _csv, 1_250, 9,
    ),
    Dataset(
        "bananas", "two interlocked shapes", "5,300 x 2, 2 classes", SOURCE,
        (PackagedFile("river/datasets/banana.zip", 49_917,
                      "0095525598e245d0f075fa65e4553eeadaba51ddf393e449e6959e061ed3303f"),),
        _bananas, 5_300, 2,
    ),
    Dataset(
        "flares", "kinds of sunspot groups, and the flares after them", "1,066 x 12, 6 classes",
        SOURCE,
        (PackagedFile("river/datasets/solar-flare.csv.zip", 3_117,
                      "79a904a6c30ca6cb11ca7e05fcca1c43be9750ad29d0b8e1aa6c209e07b55d1c"),),
        _flares, 1_066, 12,
    ),
)  # fmt: skip
