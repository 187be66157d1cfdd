#!/usr/bin/env python3
"""How many user stacks of a program begin with the first function of their thread; prints TAP.

    whole.py WHAT FOLDED COMM

FOLDED is of `collapse --kernel`.  The first functions: _start of the program or of the dynamic
linker, clone3 or clone of a thread, and of a child between fork and exec what its parent has.  A stripped
C library has no name for those of a thread, the second of which is its, too: then the stack begins with two frames
of the library, none of which it exports."""
import re
import sys

FIRST = re.compile(r"_*(start|dl_start_user|clone3?)$")
NAMELESS = re.compile(r"(\[libc[.-].*\]|libc[.-].*\+0x[0-9a-f]+)$")
LEAST = 95


def main():
    what, path, comm = sys.argv[1:4]
    whole = user = 0
    others = []
    for line in open(path, errors="surrogateescape"):
        if line.startswith("# "):
            continue
        stack, count = line.rstrip("\n").rsplit(" ", 1)
        name, *frames = stack.split(";")
        frames = [f for f in frames if not f.endswith("_[k]")]
        if name != comm or not frames:
            continue
        user += int(count)
        if FIRST.match(frames[0]) or len(frames) > 2 and all(map(NAMELESS.match, frames[:2])):
            whole += int(count)
        else:
            others.append((int(count), stack))
    share = 100 * whole / max(user, 1)
    good = user >= 20 and share >= LEAST
    print("%s - %s: %.2f %% of %d user stacks reach the first function" % ("ok" if good else "not ok", what, share, user))
    print("# figure: %s: %.2f %% of %d user stacks are whole" % (what, share, user))
    for count, stack in sorted(others, reverse=True)[:10]:
        print("#   not: %d %s" % (count, stack[:300]))


if __name__ == "__main__":
    main()
