"""The conformance suite: what every policy must hold, ours or yours."""

from hybandit.testing.conformance import CHECKS, ITEM_CHECKS, check_policy

__all__ = ["CHECKS", "ITEM_CHECKS", "check_policy"]
