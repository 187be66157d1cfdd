#!/usr/bin/env python3
"""Damages the debug information of a program and has us look it up; prints a TAP line.

    damaged_debug.py LOOKUP PROGRAM RUNS

LOOKUP must end within the time limit, with status 0, or 2 for damage that it saw, without a signal or
a sanitizer's report.  The damage comes from a fixed seed."""
import random
import re
import subprocess
import sys

TIME_LIMIT_S = 60


def sections(program):
    """(name, offset, size) of each .debug section."""
    text = subprocess.run(["readelf", "-SW", program], capture_output=True, text=True, check=True).stdout
    for match in re.finditer(r"\] (\.debug\S*)\s+\S+\s+[0-9a-f]+ ([0-9a-f]+) ([0-9a-f]+)", text):
        yield match[1], int(match[2], 16), int(match[3], 16)


def mutate(data, where, rng):
    data = bytearray(data)
    for _ in range(rng.randint(1, 20)):
        _, offset, size = rng.choice(where)
        at = offset + rng.randrange(size)
        kind = rng.randrange(4)
        if kind == 0:
            data[at] = rng.randrange(256)
        elif kind == 1:
            data[at] = rng.choice([0, 0x7f, 0x80, 0xff])
        elif kind == 2:
            end = min(offset + size, at + 8)
            data[at:end] = bytes([rng.choice([0, 0xff])]) * (end - at)
        else:  # a stretch of it somewhere else
            count = min(rng.randint(1, 64), offset + size - at)
            start = offset + rng.randrange(size - count + 1)
            data[at:at + count] = data[start:start + count]
    return data


def main():
    lookup, program, runs = sys.argv[1], sys.argv[2], int(sys.argv[3])
    where, whole = list(sections(program)), open(program, "rb").read()
    addresses = open(program + ".addresses").read()
    bad, noticed = [], 0
    for n in range(runs):
        with open(program + ".damaged", "wb") as out:
            out.write(mutate(whole, where, random.Random(n)))
        try:
            done = subprocess.run([lookup, program + ".damaged"], input=addresses.encode(),
                                  stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, timeout=TIME_LIMIT_S)
        except subprocess.TimeoutExpired:
            bad.append("%d: more than %d s" % (n, TIME_LIMIT_S))
            continue
        noticed += done.returncode == 2
        if done.returncode not in (0, 2) or b"Sanitizer" in done.stderr or b"runtime error" in done.stderr:
            bad.append("%d: status %d %s" % (n, done.returncode, done.stderr.decode(errors="replace")[-1500:]))
    print("%s - %d times damaged debug information, %d noticed" % ("not ok" if bad else "ok", runs, noticed))
    for text in bad:
        print("#   " + text.replace("\n", "\n#   "))


main()
