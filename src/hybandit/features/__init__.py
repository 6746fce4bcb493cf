"""Encoders that turn tables and dicts into vectors."""

from hybandit.features.columns import Recognised, misfits, recognise
from hybandit.features.encoder import Encoder
from hybandit.features.encoding import ENCODINGS, encode, unit_rows
from hybandit.features.fitting import Feature, Fitting
from hybandit.features.hashing import HashingEncoder
from hybandit.features.online import OnlineEncoder, OnlineRows

__all__ = [
    "ENCODINGS",
    "Encoder",
    "Feature",
    "Fitting",
    "HashingEncoder",
    "OnlineEncoder",
    "OnlineRows",
    "Recognised",
    "encode",
    "misfits",
    "recognise",
    "unit_rows",
]
