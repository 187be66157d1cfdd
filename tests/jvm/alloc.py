#!/usr/bin/env python3
"""alloc.py shares PRINTED FOLDED [POINTS]: how many points the shares of classes are wrong by, at most:
"ok" when no more than POINTS, else a list.  alloc.py counts PRINTED FOLDED: the lines that differ.
PRINTED: "CLASS BYTES OBJECTS" of the program; FOLDED: stacks with the class as leaf, bytes and objects; those of Allocates.make count."""
import sys


def printed(path):
    rows = (line.split() for line in open(path))
    return {row[0]: (int(row[1]), int(row[2])) for row in rows if len(row) == 3 and row[1].isdigit()}


def folded(path, classes):
    sums = {name: [0, 0] for name in classes}
    for line in open(path):
        if line.startswith("#") or "Allocates.make" not in line:
            continue
        stack, size, objects = line.rsplit(" ", 2)
        leaf = stack.rsplit(";", 1)[-1]
        if leaf in sums:
            sums[leaf][0] += int(size)
            sums[leaf][1] += int(objects)
    return sums


def shares(truth, seen, points):
    all_true, all_seen = sum(t[0] for t in truth.values()), sum(s[0] for s in seen.values())
    lines = ["%s %.1f %.1f" % (name, 100 * truth[name][0] / all_true, 100 * seen[name][0] / max(all_seen, 1))
             for name in truth]
    worst = max(abs(truth[name][0] / all_true - seen[name][0] / max(all_seen, 1)) for name in truth)
    print("ok" if 100 * worst <= points else "\n".join(lines))


def counts(truth, seen):
    for name, (size, objects) in truth.items():
        if [size, objects] != seen[name]:
            print(name, "made:", size, objects, "seen:", *seen[name])


truth = printed(sys.argv[2])
if not truth:
    sys.exit("no counts in " + sys.argv[2])
if sys.argv[1] == "shares":
    shares(truth, folded(sys.argv[3], truth), float(sys.argv[4]) if len(sys.argv) > 4 else 5)
else:
    counts(truth, folded(sys.argv[3], truth))
