"""Where files come from, and what is in them."""

from hybandit.datasets.catalogue import DATASETS, find_dataset
from hybandit.datasets.kinds import Dataset, Graph, Log, Table

__all__ = ["DATASETS", "Dataset", "Graph", "Log", "Table", "find_dataset"]
