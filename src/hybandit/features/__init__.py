"""Tables to vectors."""

from hybandit.features.encoding import ENCODINGS, encode, unit_rows
from hybandit.features.online import OnlineEncoder

__all__ = ["ENCODINGS", "OnlineEncoder", "encode", "unit_rows"]
