#!/usr/bin/env python3
"""alloc.py shares PRINTED FOLDED SAMPLES: are the shares of classes those that were printed, within 3 points and what
samples of such sizes vary by?  "ok" and the points, or a list.  alloc.py counts PRINTED FOLDED: the lines that differ.
SAMPLES: "@TIME stack bytes", one line a sample; PRINTED: "CLASS BYTES OBJECTS" of the program; FOLDED: stacks with the class as leaf, bytes and objects; those of Allocates.make count."""
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


def deviation(path, classes):
    """Of a share, in points, at most: each sample stands for its bytes."""
    sizes = [int(line.rsplit(" ", 1)[1]) for line in open(path) if "Allocates.make" in line]
    return 100 * 0.5 * sum(size * size for size in sizes) ** 0.5 / max(sum(sizes), 1), len(sizes)


def shares(truth, seen, samples):
    all_true, all_seen = sum(t[0] for t in truth.values()), sum(s[0] for s in seen.values())
    worst = 100 * max(abs(truth[name][0] / all_true - seen[name][0] / max(all_seen, 1)) for name in truth)
    sigma, count = deviation(samples, truth)
    slack = 3 + 3 * sigma
    if worst <= slack <= 8:
        print("ok, off by %.1f points, %.1f may be, of %d samples" % (worst, slack, count))
        return
    print("%d samples, too few to tell" % count if slack > 8 else "off by %.1f points, %.1f may be, of %d samples" % (
        worst, slack, count))
    for name in truth:
        print(name, "%.1f %.1f" % (100 * truth[name][0] / all_true, 100 * seen[name][0] / max(all_seen, 1)))


def counts(truth, seen):
    for name, (size, objects) in truth.items():
        if [size, objects] != seen[name]:
            print(name, "made:", size, objects, "seen:", *seen[name])


truth = printed(sys.argv[2])
if not truth:
    sys.exit("no counts in " + sys.argv[2])
if sys.argv[1] == "shares":
    shares(truth, folded(sys.argv[3], truth), sys.argv[4])
else:
    counts(truth, folded(sys.argv[3], truth))
