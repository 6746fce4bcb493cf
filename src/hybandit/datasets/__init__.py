"""Where files come from, and what is in them."""

from hybandit.datasets.catalogue import DATASETS, find_dataset
from hybandit.datasets.contents import Dataset, EventLog, Graph, Table, check_arms
from hybandit.datasets.labelled import read_labelled
from hybandit.datasets.logged import read_log
from hybandit.datasets.reading import ReadColumn, Reading, is_file

__all__ = [
    "DATASETS",
    "Dataset",
    "EventLog",
    "Graph",
    "ReadColumn",
    "Reading",
    "Table",
    "check_arms",
    "find_dataset",
    "is_file",
    "read_labelled",
    "read_log",
]
