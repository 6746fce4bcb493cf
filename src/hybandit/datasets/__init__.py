"""Where files come from, and what is in them."""

from hybandit.datasets.catalogue import DATASETS, find_dataset
from hybandit.datasets.contents import Dataset, EventLog, Graph, Table
from hybandit.datasets.csv import is_file, read_csv

__all__ = [
    "DATASETS",
    "Dataset",
    "EventLog",
    "Graph",
    "Table",
    "find_dataset",
    "is_file",
    "read_csv",
]
