"""A steady load as a sampler sees it, and how much rows of its heat map differ.

    heat_stripes.py lines RATE CPUS SECONDS     timed folded lines: each CPU is busy, and sampled RATE times a second
    heat_stripes.py judge                       of a table (render heat -f tsv) on stdin: prints the greatest deviation
                                                of a row's sum from the mean, in standard deviations of chance (the
                                                root of the mean)

The kernel's timer is regular: its period is a whole number of ns, its phase is that of the start, and interrupts are
late by some microseconds."""
import collections
import math
import random
import sys

NOON = 1795262400 * 10**9


def lines(rate, cpus, seconds):
    random.seed(rate * 100 + cpus)
    samples = []
    for cpu in range(cpus):
        phase = random.randrange(10**9 // rate)
        for i in range(rate * seconds):
            at = NOON + phase + i * (10**9 // rate) + int(random.expovariate(1 / 5000))
            samples.append((at, cpu))
    print("# pyrograph: host=h from=2026-11-21T12:00:00.000000000Z to=2026-11-21T12:%02d:%02d.000000000Z cpus=0-%d rate=%dHz "
          "root=thread,cpu unit=samples" % (*divmod(seconds, 60), cpus - 1, rate))
    for at, cpu in sorted(samples):
        print("@%d.%09d busy;cpu%d;work 1" % (*divmod(at, 10**9), cpu))


def judge():
    rows = collections.Counter()
    for line in sys.stdin.read().splitlines()[1:]:
        _, _, offset, events, *_ = line.split("\t")
        rows[offset] += int(events)
    mean = sum(rows.values()) / len(rows)
    worst = max(abs(n - mean) for n in rows.values())
    print("%.2f" % (worst / math.sqrt(mean)))


if sys.argv[1] == "lines":
    lines(*map(int, sys.argv[2:]))
else:
    judge()
