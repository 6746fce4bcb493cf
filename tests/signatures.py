"""What constructors and functions take where nothing is told."""

import inspect


def defaults_of(room):
    """Every public class and function of a package with its defaults, a line each."""
    lines = []
    for name in sorted(room.__all__):
        given = getattr(room, name)
        if not inspect.isclass(given) and not inspect.isfunction(given):
            continue
        told = [
            f"  {entry.name} = {entry.default!r}"
            for entry in inspect.signature(given).parameters.values()
            if entry.default is not entry.empty
        ]
        lines += [name, *told] if told else []
    return "\n".join(lines) + "\n"
