"""Conformance suites: what every policy, and every storage of a loop, must pass, ours or yours."""

from hybandit.testing.conformance import CHECKS, ITEM_CHECKS, check_policy
from hybandit.testing.storage import STORAGE_CHECKS, check_storage

__all__ = ["CHECKS", "ITEM_CHECKS", "STORAGE_CHECKS", "check_policy", "check_storage"]
