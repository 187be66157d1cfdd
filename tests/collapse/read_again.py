#!/usr/bin/env python3
"""What collapse writes, it reads: the same lines, in its order.

    read_again.py FILE...    prints TAP lines, of those files that are folded text with a header
"""
import os
import sys

sys.path.insert(0, "tests")
from tap import Stage, same  # noqa: E402

STAGE = Stage("collapse")


def ordered(text):
    return b"".join(sorted(text.splitlines(True)))


for path in sys.argv[1:]:
    with open(path, "rb") as file:
        content = file.read()
    if content.startswith(b"# pyrograph: ") or b"\n# pyrograph: " in content:
        once = STAGE.run("--format", "folded", "-q", path).out
        twice = STAGE.run("--format", "folded", "-q", stdin=once).out
        same(f"{os.path.basename(path)}: read twice", twice, once)
        same("... nothing is lost", ordered(once), ordered(content))
