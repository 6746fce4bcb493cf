"""Tables and dicts to vectors."""

from hybandit.features.encoding import ENCODINGS, encode, unit_rows
from hybandit.features.hashing import HashingEncoder
from hybandit.features.online import OnlineEncoder, OnlineRows

__all__ = ["ENCODINGS", "HashingEncoder", "OnlineEncoder", "OnlineRows", "encode", "unit_rows"]
