#!/usr/bin/env python3
"""checks: which checks one run of the tests had and another had not.

  tests/checks.py BEFORE AFTER [RENAMED]

BEFORE and AFTER are lists that tests/run.sh left in $BUILD/tests/checks: "FILE: NAME" lines. RENAMED has a line
"FILE: NAME => FILE: NAME" for each check that got another name or file; the right side may be empty for one that is a
part of another check now, which the text behind a # says. Numbers in names do not count, as many are measured, nor do
temporary directories; how often a name comes does. Prints what is missing, and how many are new; the status is 1 if
something is missing.
"""
import collections
import re
import sys


def read(path):
    with open(path, encoding="utf-8", errors="replace") as lines:
        return collections.Counter(general(line.rstrip("\n")) for line in lines)


def general(name):
    file, _, check = name.partition(": ")
    check = re.sub(r"/[^ ]*/tmp\.[A-Za-z0-9]+", "TMP", check)
    return file + ": " + re.sub(r"[0-9][0-9.,]*", "0", check)


def main():
    before, after = read(sys.argv[1]), read(sys.argv[2])
    excused = 0
    for line in open(sys.argv[3], encoding="utf-8") if len(sys.argv) > 3 else []:
        old, arrow, new = (part.strip() for part in line.partition(" =>"))
        if not arrow or line.startswith("#"):
            continue
        old, new = general(old), new.partition(" #")[0].strip()
        if new and not after[general(new)]:
            print("renamed to what is not there:", new)
            continue
        excused += before.pop(old, 0)
    missing = before - after
    for name, times in sorted(missing.items()):
        print("missing:", name, f"({times} times)" if times > 1 else "")
    print(f"{sum(before.values()) + excused} before, {sum(after.values())} after: "
          f"{sum(missing.values())} missing, {sum((after - before).values())} new, {excused} renamed")
    sys.exit(1 if missing else 0)


if __name__ == "__main__":
    main()
