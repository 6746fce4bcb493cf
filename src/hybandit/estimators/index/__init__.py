"""Search for the nearest stored entries: a scan, a tree, and the choice between them.

Each finds ``ks[a]`` of every arm or k of all, nearest first, among equally near ones the older
first. A tree is told of every new observation after it is stored, and of a removal before.
"""

from hybandit.estimators.index.adaptive import AdaptiveIndex, tree_from
from hybandit.estimators.index.query import Query
from hybandit.estimators.index.scan import Scan
from hybandit.estimators.index.tree import TreeIndex
from hybandit.kernels.neighbours import Entries, Neighbours

__all__ = [
    "AdaptiveIndex",
    "Entries",
    "Neighbours",
    "Query",
    "Scan",
    "TreeIndex",
    "tree_from",
]
