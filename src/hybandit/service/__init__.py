"""`hybandit serve`: loops behind HTTP. Needs ``pip install 'hybandit[serve]'``."""

from hybandit.service.app import create_app
from hybandit.service.keys import Key, Keys
from hybandit.service.limits import Limits

__all__ = ["Key", "Keys", "Limits", "create_app"]
