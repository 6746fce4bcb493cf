"""Search for the nearest stored entries: a scan, a tree, and the choice between them."""

from hybandit.estimators.index.adaptive import AdaptiveIndex, tree_from
from hybandit.estimators.index.protocol import Index, Query
from hybandit.estimators.index.scan import Scan
from hybandit.estimators.index.tree import TreeIndex
from hybandit.kernels.neighbours import Entries, Neighbours

__all__ = [
    "AdaptiveIndex",
    "Entries",
    "Index",
    "Neighbours",
    "Query",
    "Scan",
    "TreeIndex",
    "tree_from",
]
