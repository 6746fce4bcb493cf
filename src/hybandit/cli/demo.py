"""`hybandit demo`: two minutes that show what this is."""

from __future__ import annotations

from typing import Annotated

import typer

from hybandit.cli.serve import check_installed


def demo(
    seconds: Annotated[float, typer.Option(min=1, help="How long visitors come.")] = 120.0,
    rate: Annotated[float, typer.Option(min=1, help="Visitors a second.")] = 100.0,
    seed: Annotated[int, typer.Option(min=0, help="Which shop, and which visitors.")] = 1,
) -> None:
    """Watch a loop learn, in a browser: a simulated shop, and rivals before the same visitors.

    A third of the way a new article arrives, and after two thirds tastes change. It ends by itself.
    """
    check_installed("hybandit demo")
    from hybandit.service.demo.run import demo as run

    run(seconds, rate, seed, lambda line: print(line, flush=True))
