#!/usr/bin/env python3
"""served: answers tests/served.sh.

A request on stdin is "N", and N words, each ended by a NUL byte: a verb and its operands.  The answer on stdout ends with
a line "=STATUS".
"""
import os
import re
import sys

sys.path.insert(0, "tests")
from tap import Stage  # noqa: E402

STAGES = {}
STYLE = re.compile(rb"^<style>.*\n(?:.*\n)*?.*</style>.*\n|^<g id=\"missing\".*\n(?:.*\n)*?</g>.*\n", re.M)


def content(path):
    with open(path, "rb") as file:
        return file.read()


def run(shell, stage, out, err, *args):
    """As shell, a process, would: in its directory, with what it has as descriptor 7 as stdin."""
    if stage not in STAGES:
        STAGES[stage] = Stage(stage)
    place = f"/proc/{int(shell)}/cwd"
    with open(os.path.join(place, out), "wb") as out_file, open(f"/proc/{int(shell)}/fd/7", "rb") as stdin, \
            (out_file if err == out else open(os.path.join(place, err), "wb")) as err_file:
        status = STAGES[stage].start(args, (stdin, out_file, err_file), directory=place)
    return status if status >= 0 else 128 - status


def same_bytes(one, other):
    return 0 if os.path.exists(one) and os.path.exists(other) and content(one) == content(other) else 1


def holds(path, text):
    return 0 if os.path.exists(path) and os.fsencode(text) in content(path) else 1


def unstyled(picture, to):
    """A picture but for its style sheet, and for the words about a script that is missing."""
    text = STYLE.sub(b"", content(picture))
    with open(to, "wb") as file:
        file.write(re.sub(rb'^<svg id="chart"', b"<svg", text, flags=re.M))
    return 0


def carriage_returns(path):
    """As sed 's/$/\\r/' does."""
    text = content(path).replace(b"\n", b"\r\n")
    with open(path, "wb") as file:
        file.write(text if text.endswith(b"\n") else text + b"\r")
    return 0


VERBS = {verb.__name__: verb for verb in (run, same_bytes, holds, unstyled, carriage_returns)}


def words():
    """The words of each request, until the test has ended."""
    rest = b""
    while True:
        while (end := rest.find(b"\0")) < 0:
            if not (more := os.read(0, 65536)):
                return
            rest += more
        count, rest = int(rest[:end]), rest[end + 1:]
        while rest.count(b"\0") < count:
            rest += os.read(0, 65536)
        *found, rest = rest.split(b"\0", count)
        yield [os.fsdecode(word) for word in found]


for verb, *operands in words():
    status = VERBS[verb](*operands)
    os.write(1, b"=%d\n" % status)
