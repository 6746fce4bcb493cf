"""Tables to vectors."""

from hybandit.features.encoding import ENCODINGS, encode, unit_rows
from hybandit.features.online import OnlineEncoder, OnlineRows

__all__ = ["ENCODINGS", "OnlineEncoder", "OnlineRows", "encode", "unit_rows"]
