"""The conformance suite that every policy must pass, ours or yours."""

from hybandit.testing.conformance import CHECKS, ITEM_CHECKS, check_policy

__all__ = ["CHECKS", "ITEM_CHECKS", "check_policy"]
