#!/usr/bin/env python3
"""From "@TIME name NS" lines, one for each span of running time, how many ns of elapsed time each name has: where several
ran, they share it.

    shares.py <LINES      prints "name ns"
"""
import collections
import sys

changes, shares, running = [], collections.Counter(), collections.Counter()
for line in sys.stdin:
    if line.startswith("@"):
        time, name, ns = line[1:].split()
        begin = int(time.replace(".", ""))
        changes += [(begin, name, 1), (begin + int(ns), name, -1)]
last = 0
for time, name, by in sorted(changes):
    threads = sum(running.values())
    for other, count in running.items():
        shares[other] += (time - last) * count / threads if threads else 0
    running[name] += by
    last = time
for name, ns in sorted(shares.items()):
    print("%s %.0f" % (name, ns))
