"""Golden files of named blocks: a name on a line, and lines that are indented below it."""

BREAK = "\n  "


def block(name, lines):
    return BREAK.join([name, *lines])


def read(path):
    """The blocks by name."""
    blocks = path.read_text().rstrip("\n").replace(BREAK, "\0").split("\n")
    return {each.split("\0")[0]: each.replace("\0", BREAK) for each in blocks}


def write(path, blocks):
    path.write_text("".join(f"{each}\n" for each in blocks))
