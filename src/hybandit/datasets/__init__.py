"""Data sets: where their files come from, and how they are read."""

from hybandit.datasets.catalogue import DATASETS, find_dataset
from hybandit.datasets.contents import Dataset, EventLog, Graph, Table, check_arms
from hybandit.datasets.facts import Facts
from hybandit.datasets.labelled import read_labelled
from hybandit.datasets.log import Log
from hybandit.datasets.logged import arm_rows, open_log
from hybandit.datasets.reading import ReadColumn, Reading
from hybandit.datasets.sources import Source, is_file
from hybandit.datasets.streamed import StreamedLog

__all__ = [
    "DATASETS",
    "Dataset",
    "EventLog",
    "Facts",
    "Graph",
    "Log",
    "ReadColumn",
    "Reading",
    "Source",
    "StreamedLog",
    "Table",
    "arm_rows",
    "check_arms",
    "find_dataset",
    "is_file",
    "open_log",
    "read_labelled",
]
