"""Loops behind HTTP, as `hybandit serve` runs them. Needs ``pip install 'hybandit[serve]'``.

`hybandit.service.app.create_app` makes the application, `hybandit.service.keys.Keys` its keys.
"""
